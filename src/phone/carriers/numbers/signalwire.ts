import { z } from "zod";
import { CarrierRefusal } from "../carrier.ts";
import type { Answer, Api } from "../http.ts";
import {
  type CarrierNumbers,
  capabilitiesOf,
  type InboundTarget,
  judgeWebhook,
  type NumberSetup,
  PAGE_BYTES,
  PAGE_ROWS,
  readPages,
  type Verdict,
} from "./numbers.ts";

/** The handler that fetches a call's instructions from an address. */
const BY_ADDRESS = "laml_webhooks";

const text = z.string().nullish();
const number = z.object({
  id: z.string().min(1),
  number: z.string(),
  capabilities: z.array(z.string()).nullish(),
  call_handler: text,
  call_receive_mode: text,
  call_request_url: text,
  call_request_method: text,
  call_status_callback_url: text,
});
type SignalWireNumber = z.infer<typeof number>;
const page = z.object({ data: z.array(z.unknown()), links: z.object({ next: text }).nullish() });
const refusal = z.object({ errors: z.array(z.object({ message: text, detail: text })) });

/** Returns the error in a refusal of this API. */
export function explainSignalwire({ body }: Answer): { text?: string } {
  const [error] = refusal.safeParse(body).data?.errors ?? [];
  return { text: error?.message || error?.detail || "" };
}

/**
 * Returns access to the numbers of a SignalWire project through its own REST API, because Twilio's API can't tell what
 * handles a number's calls if it isn't an address. The API's base is `/api/relay/rest` of the space.
 */
export function signalwireNumbers(api: Api, now: () => number): CarrierNumbers {
  const read = async (query: string) => {
    const { body } = await api.send({ path: `/phone_numbers?${query}`, max_bytes: PAGE_BYTES });
    const answer = page.safeParse(body);
    if (!answer.success) throw new CarrierRefusal("outage", "signalwire sent a response without a list of numbers");
    return {
      numbers: answer.data.data.flatMap((entry) => number.safeParse(entry).data ?? []),
      // Further pages are addressed by the carrier's token, always at the configured address.
      next: /\?(.+)$/.exec(answer.data.links?.next ?? "")?.[1] ?? null,
    };
  };
  const find = async (e164: string) => {
    // The carrier returns every number that contains this one.
    const { numbers } = await read(new URLSearchParams({ filter_number: e164, page_size: "50" }).toString());
    return numbers.find((one) => one.number === e164);
  };

  return {
    list: () =>
      readPages(`page_size=${PAGE_ROWS}`, now, async (query) => {
        const { numbers, next } = await read(query);
        return { numbers: numbers.map(shown), next };
      }),
    async look(e164, target): Promise<NumberSetup | null> {
      const found = await find(e164);
      return found ? { in_service: { ok: true, detail: "" }, inbound: inboundOf(found, target) } : null;
    },
    async setInbound(e164, { address }) {
      const found = await find(e164);
      if (!found) throw new CarrierRefusal("rejected", "signalwire does not have the number in this project");
      const foreign = found.call_handler === BY_ADDRESS && Boolean(found.call_status_callback_url);
      const json = {
        call_handler: BY_ADDRESS,
        call_receive_mode: "voice",
        call_request_url: address,
        call_request_method: "POST",
        // Existing status callbacks stay in place. An unreported end is found by lookups.
        ...(!foreign && reports(address)),
      };
      await api.send({ method: "PUT", path: `/phone_numbers/${encodeURIComponent(found.id)}`, json });
      const done = "The number's voice address at SignalWire was set.";
      return foreign ? `${done} Its status callback points elsewhere and was not changed.` : done;
    },
  };
}

function reports(address: string) {
  return { call_status_callback_url: address, call_status_callback_method: "POST" };
}

function shown({ number: e164, capabilities }: SignalWireNumber) {
  const has = (name: string) => capabilities?.includes(name) ?? false;
  return {
    e164,
    capabilities: capabilitiesOf({ voice: has("voice"), sms: has("sms"), mms: has("mms"), fax: has("fax") }),
  };
}

function inboundOf(found: SignalWireNumber, target: InboundTarget): Verdict {
  const { call_handler, call_receive_mode, call_request_url, call_request_method } = found;
  if (call_receive_mode === "fax")
    return { ok: false, detail: "The number is set to receive faxes at SignalWire, not calls." };
  if (call_handler && call_handler !== BY_ADDRESS)
    return { ok: false, detail: `Incoming calls are handled by SignalWire itself (${call_handler.slice(0, 50)}).` };
  return judgeWebhook({ url: call_request_url, method: call_request_method ?? "POST" }, target);
}
