import { z } from "zod";
import { sandboxCarrier } from "../durable/objects.ts";
import { sameSecret } from "../secrets/hashing.ts";
import { signText } from "../secrets/tokens.ts";
import { CALL_STATUSES } from "./call-status.ts";
import { type CarrierKind, CarrierRefusal, CarrierUncertain, ForgedWebhook, type Webhook } from "./carrier.ts";
import { SANDBOX_WEBHOOK, type SandboxOrder } from "./sandbox-carrier.ts";
import { sandboxRecording } from "./sandbox-recording.ts";

const report = z.object({
  provider_call_id: z.string(),
  status: z.enum(CALL_STATUSES),
  answered_by: z.enum(["human", "machine"]).nullable(),
  reason: z.string(),
  recording: z
    .object({ id: z.string(), url: z.string(), duration_ms: z.number().nullable(), content_type: z.string() })
    .nullable(),
});

const incoming = z.object({ provider_call_id: z.string().min(1), from_number: z.string(), to_number: z.string() });

const json = (body: object) => ({ content_type: "application/json", body: JSON.stringify(body) });

/** The embedded default: a carrier with no credentials, played by an object of the account. */
export const sandbox: CarrierKind<Record<string, never>> = {
  credentials: z.strictObject({}),
  connect: (_, { env, account }) => {
    const carrier = sandboxCarrier(env, account);
    const verify = async ({ url, headers, body }: Webhook) => {
      const expected = await signText(env.SIGNING_KEYS, SANDBOX_WEBHOOK, `${url}\n${body}`);
      if (!(await sameSecret(headers.get("x-sandbox-signature") ?? "", expected))) throw new ForgedWebhook("signature");
    };
    const place = async (order: SandboxOrder) => {
      const taken = await carrier.place(order).catch((cause: unknown) => {
        throw new CarrierUncertain("the sandbox did not answer", { cause });
      });
      if (!taken) throw new CarrierRefusal("rejected", "the sandbox refuses numbers that end in 04");
    };
    return {
      async originate({ call_id, to_number, webhook_url }) {
        await place({ call_id, provider_call_id: call_id, to_number, webhook_url });
        return { provider_call_id: call_id, status: "initiated" };
      },
      lookup: ({ call_id }) => carrier.look(call_id),
      hangup: ({ call_id }) => carrier.hangUp(call_id),
      async parseWebhook(webhook) {
        await verify(webhook);
        return [report.parse(JSON.parse(webhook.body))];
      },
      inbound: {
        async parse(webhook) {
          await verify(webhook);
          const body: unknown = JSON.parse(webhook.body);
          return report.safeParse(body).success ? null : incoming.parse(body);
        },
        // The caller's number chooses how the call goes, as the callee's does for a call that goes out.
        async connect({ provider_call_id, from_number }, session) {
          const { call_id, webhook_url } = session;
          await place({ call_id, provider_call_id, to_number: from_number, webhook_url });
          return json({ action: "connect", ...session });
        },
        reject: async (_, sentence) => json({ action: "reject", sentence }),
      },
      fetchRecording: async () => {
        const wav = sandboxRecording();
        return new Response(wav, { headers: { "content-type": "audio/wav", "content-length": String(wav.length) } });
      },
      verifyCredentials: async () => ({ ok: true, detail: "the sandbox needs no credentials" }),
    };
  },
};
