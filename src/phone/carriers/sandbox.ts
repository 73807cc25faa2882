import { z } from "zod";
import { sandboxCarrier } from "../../kernel/durable/objects.ts";
import { sameSecret } from "../../kernel/secrets/hashing.ts";
import { signText } from "../../kernel/secrets/tokens.ts";
import { CALL_STATUSES, MACHINES } from "../../records/ledger/call-status.ts";
import {
  type CarrierContext,
  type CarrierKind,
  CarrierRefusal,
  CarrierUncertain,
  ForgedWebhook,
  type Inbound,
  type Webhook,
} from "./carrier.ts";
import type { SandboxOrder, Talk } from "./sandbox-calls.ts";
import { SANDBOX_WEBHOOK } from "./sandbox-carrier.ts";
import { recordingLength, sandboxRecording } from "./sandbox-recording.ts";
import { DEFAULT_DETECTION } from "./sandbox-script.ts";

const report = z.object({
  provider_call_id: z.string(),
  status: z.enum(CALL_STATUSES),
  answered_by: z.enum(["human", "machine"]).nullable(),
  machine: z.enum(MACHINES).optional(),
  reason: z.string(),
  recording: z
    .object({ id: z.string(), url: z.string(), duration_ms: z.number().nullable(), content_type: z.string() })
    .nullable(),
});

const incoming = z.object({ provider_call_id: z.string().min(1), from_number: z.string(), to_number: z.string() });

const json = (body: object) => ({ content_type: "application/json", body: JSON.stringify(body) });

type SandboxContext = {
  account: string;
  env: Pick<CarrierContext["env"], "SANDBOX_CARRIER" | "SIGNING_KEYS">;
};

async function place({ env, account }: SandboxContext, order: SandboxOrder, talk: Talk): Promise<void> {
  const taken = await sandboxCarrier(env, account)
    .place(order, talk)
    .catch((cause: unknown) => {
      throw new CarrierUncertain("the sandbox did not answer", { cause });
    });
  if (!taken) throw new CarrierRefusal("rejected", "the sandbox refuses numbers that end in 04");
}

async function verify({ env }: SandboxContext, { url, headers, body }: Webhook): Promise<void> {
  const expected = await signText(env.SIGNING_KEYS, SANDBOX_WEBHOOK, `${url}\n${body}`);
  if (!(await sameSecret(headers.get("x-sandbox-signature") ?? "", expected))) throw new ForgedWebhook("signature");
}

/** Returns an inbound call of the sandbox. The caller says these lines; without lines they are chosen by the number. */
export function sandboxInbound(context: SandboxContext, says: string[] | null = null): Inbound {
  return {
    async parse(webhook) {
      await verify(context, webhook);
      const body: unknown = JSON.parse(webhook.body);
      return report.safeParse(body).success ? null : incoming.parse(body);
    },
    // The caller's number determines the call's course, as the callee's number does for outbound calls.
    async connect({ provider_call_id, from_number, to_number }, session) {
      const { call_id, webhook_url, session_token, runtime_url, max_duration, recording, language } = session;
      const talk: Talk = {
        session_token,
        runtime_url,
        max_duration,
        own_number: to_number,
        direction: "inbound",
        says,
        language,
      };
      const recorded = Number(recording !== null);
      const order = { call_id, provider_call_id, to_number: from_number, webhook_url, recorded };
      await place(context, Object.assign(order, DEFAULT_DETECTION), talk);
      return json({ action: "connect", ...session });
    },
    reject: async (_, { text: sentence }) => json({ action: "reject", sentence }),
  };
}

/** The embedded default: a carrier without credentials, simulated by an object of the account. */
export const sandbox: CarrierKind<Record<string, never>> = {
  credentials: z.strictObject({}),
  connect: (_, context) => {
    const carrier = () => sandboxCarrier(context.env, context.account);
    return {
      async originate(order) {
        const { call_id, from_number, to_number, webhook_url, leaves_message, detects_machines } = order;
        const { session_token, runtime_url, max_duration, language } = order;
        const recorded = Number(order.recording !== null);
        const talk: Talk = {
          session_token,
          runtime_url,
          max_duration,
          own_number: from_number,
          direction: "outbound",
          says: null,
          language,
        };
        const detection = { leaves_message, detects_machines };
        const played = { call_id, provider_call_id: call_id, to_number, webhook_url, recorded, ...detection };
        await place(context, played, talk);
        return { provider_call_id: call_id, status: "initiated" };
      },
      lookup: ({ call_id }) => carrier().look(call_id),
      hangup: ({ call_id }) => carrier().hangUp(call_id),
      async transfer({ call_id }, { to_number }) {
        if (to_number.endsWith("04"))
          throw new CarrierRefusal("rejected", "the sandbox refuses numbers that end in 04");
        const taken = await carrier()
          .transfer(call_id)
          .catch((cause: unknown) => {
            throw new CarrierUncertain("the sandbox did not answer", { cause });
          });
        if (!taken) throw new CarrierRefusal("rejected", "no one is on the line");
      },
      async leaveMessage({ call_id }) {
        const taken = await carrier()
          .leaveMessage(call_id)
          .catch((cause: unknown) => {
            throw new CarrierUncertain("the sandbox did not answer", { cause });
          });
        if (!taken) throw new CarrierRefusal("rejected", "the call was not answered by a machine");
      },
      async parseWebhook(webhook) {
        await verify(context, webhook);
        return [report.parse(JSON.parse(webhook.body))];
      },
      inbound: sandboxInbound(context),
      fetchRecording: async ({ duration_ms }) => {
        const wav = sandboxRecording(recordingLength(duration_ms ?? 0));
        return new Response(wav, { headers: { "content-type": "audio/wav", "content-length": String(wav.length) } });
      },
      // No recordings are stored: they are generated whenever they are fetched.
      deleteRecording: async () => {},
      verifyCredentials: async () => ({ ok: true, detail: "the sandbox needs no credentials", answered: true }),
    };
  },
};
