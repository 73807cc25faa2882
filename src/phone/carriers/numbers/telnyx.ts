import { z } from "zod";
import { CarrierRefusal } from "../carrier.ts";
import type { Api } from "../http.ts";
import { digits } from "../media.ts";
import {
  type CarrierNumbers,
  capabilitiesOf,
  type InboundTarget,
  judgeWebhook,
  leadsTo,
  PAGE_BYTES,
  PAGE_ROWS,
  readPages,
  type Verdict,
} from "./numbers.ts";

/** Statuses of numbers that don't belong to the account (anymore). */
const GONE = new Set(["deleted", "ported-out", "purchase-failed", "port-failed"]);
const IN_SERVICE = new Set(["active", "port-out-pending", "emergency-only"]);
/** Kinds of numbers that handle messages but no calls. */
const SHORT_CODE = "shortcode";

const text = z.string().nullish();
const number = z.object({
  id: z.coerce.string().min(1),
  phone_number: z.string(),
  status: text,
  phone_number_type: text,
  connection_id: z.coerce.string().nullish(),
  connection_name: text,
  messaging_profile_id: text,
  t38_fax_gateway_enabled: z.boolean().nullish(),
});
type TelnyxNumber = z.infer<typeof number>;
const messaging = z.object({
  phone_number: z.string(),
  features: z.object({ sms: z.unknown(), mms: z.unknown() }).partial().nullish(),
});
const page = z.object({ data: z.array(z.unknown()), meta: z.object({ total_pages: z.number() }).partial().nullish() });
const voice = z.object({
  data: z.object({
    call_forwarding: z
      .object({ call_forwarding_enabled: z.boolean().nullish(), forwarding_type: text, forwards_to: text })
      .nullish(),
  }),
});
type Forwarding = z.infer<typeof voice>["data"]["call_forwarding"];
const application = z.object({
  data: z.object({
    application_name: z.string(),
    active: z.boolean().nullish(),
    webhook_event_url: text,
    webhook_api_version: text,
  }),
});
type Application = z.infer<typeof application>["data"];

/**
 * Returns access to the numbers of a Telnyx account. A number is assigned to a Voice API application, the
 * `connection_id` of the credentials, and the application has the address. The address therefore applies to all its
 * numbers.
 */
export function telnyxNumbers(api: Api, connection_id: string, now: () => number): CarrierNumbers {
  const applicationPath = `/call_control_applications/${encodeURIComponent(connection_id)}`;
  const read = async (kind: "" | "/messaging", number: number) => {
    const path = `/phone_numbers${kind}?page[number]=${number}&page[size]=${PAGE_ROWS}`;
    const answer = page.safeParse((await api.send({ path, max_bytes: PAGE_BYTES })).body);
    if (!answer.success) throw new CarrierRefusal("outage", "telnyx sent a response without a list of numbers");
    const { data, meta } = answer.data;
    return { entries: data, next: number < (meta?.total_pages ?? 1) ? number + 1 : null };
  };
  const readBoth = async (number: number) => {
    const [{ entries, next }, features] = await Promise.all([
      read("", number),
      // A key that may list numbers may lack access to messaging. The profiles in the list of numbers are then used.
      read("/messaging", number).catch(() => ({ entries: [] })),
    ]);
    return { numbers: entries.flatMap(numberIn), next, features: features.entries.flatMap(featuresIn) };
  };
  const find = async (e164: string): Promise<TelnyxNumber | undefined> => {
    const { body } = await api.send({ path: `/phone_numbers?filter[phone_number]=${digits(e164)}&page[size]=20` });
    const found = page.safeParse(body).data?.data.flatMap(numberIn) ?? [];
    return found.find(({ phone_number }) => phone_number === e164);
  };
  const findApplication = async () => {
    const { body } = await api.send({ path: applicationPath, accept: [404] });
    return application.safeParse(body).data?.data;
  };

  return {
    async list() {
      const features = new Map<string, Messages>();
      const { numbers, truncated } = await readPages(1, now, async (number) => {
        const both = await readBoth(number);
        for (const one of both.features) features.set(one.phone_number, one);
        return { numbers: both.numbers.map(shown), next: both.next };
      });
      // The two lists may be ordered differently, so they are joined at the end.
      return { numbers: numbers.map((one) => withMessages(one, features.get(one.e164))), truncated };
    },
    async look(e164, target) {
      const found = await find(e164);
      if (!found) return null;
      const path = `/phone_numbers/${encodeURIComponent(found.id)}/voice`;
      const [app, settings] = await Promise.all([findApplication(), api.send({ path, accept: [404] })]);
      const forwarding = voice.safeParse(settings.body).data?.data.call_forwarding;
      return { in_service: serviceOf(found), inbound: inboundOf(found, app, forwarding, { target, connection_id }) };
    },
    async setInbound(e164, target) {
      const [found, app] = await Promise.all([find(e164), findApplication()]);
      if (!found) throw new CarrierRefusal("rejected", "telnyx does not have the number in this account");
      if (!app) throw new CarrierRefusal("rejected", NO_APPLICATION);
      const done: string[] = [];
      if (!leadsTo(app.webhook_event_url, target) || app.webhook_api_version !== "2") {
        const { application_name } = app;
        const json = { application_name, webhook_event_url: target.address, webhook_api_version: "2" };
        await api.send({ method: "PATCH", path: applicationPath, json });
        done.push(
          `The webhook address of the Voice API application ${connection_id} at Telnyx was set, for all its numbers.`,
        );
      }
      if (found.connection_id !== connection_id) {
        const path = `/phone_numbers/${encodeURIComponent(found.id)}`;
        await api.send({ method: "PATCH", path, json: { connection_id } });
        done.push(`The number was assigned to the Voice API application ${connection_id}.`);
      }
      return done.length > 0 ? done.join(" ") : "The carrier's API had nothing to set.";
    },
  };
}

const NO_APPLICATION = "the credentials' connection_id is not a Voice API application at telnyx";

function numberIn(entry: unknown): TelnyxNumber[] {
  const { data } = number.safeParse(entry);
  return data && !GONE.has(data.status ?? "") ? [data] : [];
}

type Messages = { phone_number: string; sms: boolean; mms: boolean };

function featuresIn(entry: unknown): Messages[] {
  const { data } = messaging.safeParse(entry);
  if (!data) return [];
  const { phone_number, features } = data;
  return [{ phone_number, sms: Boolean(features?.sms), mms: Boolean(features?.mms) }];
}

function shown({ phone_number, phone_number_type, messaging_profile_id, t38_fax_gateway_enabled: fax }: TelnyxNumber) {
  const has = { voice: phone_number_type !== SHORT_CODE, sms: Boolean(messaging_profile_id), fax: fax === true };
  return { e164: phone_number, capabilities: capabilitiesOf(has) };
}

function withMessages({ e164, capabilities }: ReturnType<typeof shown>, messages: Messages | undefined) {
  const has = (name: "voice" | "sms" | "mms" | "fax") => capabilities.includes(name);
  const { sms = has("sms"), mms = has("mms") } = messages ?? {};
  return { e164, capabilities: capabilitiesOf({ voice: has("voice"), sms, mms, fax: has("fax") }) };
}

function serviceOf({ status }: TelnyxNumber): Verdict {
  if (!status || IN_SERVICE.has(status)) return { ok: true, detail: "" };
  return { ok: false, detail: `Telnyx has the number, but it is not in service yet (${status}).` };
}

function inboundOf(
  found: TelnyxNumber,
  app: Application | undefined,
  forwarding: Forwarding,
  { target, connection_id }: { target: InboundTarget; connection_id: string },
): Verdict {
  if (!app)
    return {
      ok: false,
      detail: `${NO_APPLICATION.replace(/^t/, "T")}: store credentials with the id of a Voice API application.`,
    };
  const by = `by the Voice API application ${connection_id}`;
  const forwards = forwarding?.call_forwarding_enabled !== false && forwarding?.forwarding_type === "always";
  if (forwards && forwarding?.forwards_to)
    return { ok: false, detail: "Telnyx forwards all calls to the number: switch call forwarding off there." };
  if (!found.connection_id) return { ok: false, detail: "The number is not assigned to an application at Telnyx." };
  if (found.connection_id !== connection_id)
    return { ok: false, detail: `The number is assigned to another connection at Telnyx (${found.connection_id}).` };
  if (app.active === false)
    return { ok: false, detail: `The Voice API application ${connection_id} is switched off: switch it on at Telnyx.` };
  const verdict = judgeWebhook({ url: app.webhook_event_url, method: "POST" }, target, by);
  if (verdict.ok && app.webhook_api_version !== "2")
    return { ok: false, detail: `The address receives webhooks in API version 1, and must receive version 2 (${by}).` };
  return verdict;
}
