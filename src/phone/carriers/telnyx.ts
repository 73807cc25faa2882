import { z } from "zod";
import {
  type Carrier,
  type CarrierKind,
  type CarrierReason,
  CarrierRefusal,
  CarrierUncertain,
  type InboundCall,
  type Next,
  type NextOfCall,
  type Recording,
  type SpokenMessage,
  type Webhook,
} from "./carrier.ts";
import { type Answer, connectApi } from "./http.ts";
import { callerNumber, msOf } from "./media.ts";
import { telnyxNumbers } from "./numbers/telnyx.ts";
import { MAX_RECONNECTIONS, reconnectWithinMs } from "./relay.ts";
import { fromBase64 } from "./signature.ts";
import { toAnnounce } from "./telnyx-announcement.ts";
import { abandonedCaller, callerLegOf, telnyxTransfer } from "./telnyx-handover.ts";
import { type EndOfMessage, endOfMessage, silenced, spokenMessage } from "./telnyx-message.ts";
import { atAnswer, dial, recording, relayConfig, started } from "./telnyx-orders.ts";
import { callIdIn, endOfRelay, event, eventOf, telnyxClaims, toQuiet, urls, verifiedReport } from "./telnyx-reports.ts";
import { stateOf } from "./telnyx-state.ts";
import { verdictOf } from "./verdict.ts";

const credentials = z.strictObject({
  api_key: z.string().min(1),
  connection_id: z.string().min(1),
  public_key: z.string().refine((key) => fromBase64(key)?.length === 32, "must be a base64 Ed25519 key"),
});

/** The error code for a call that is already over. */
const CALL_OVER = "90018";

const REASONS: Record<string, CarrierReason> = {
  10002: "bad_number",
  10016: "bad_number",
  10009: "auth",
  10010: "auth",
  10015: "rejected",
  20100: "funds",
};

/** Telnyx's own hosts and its buckets on shared hosts, as documented. */
const RECORDING_HOSTS = [
  "*.telnyx.com",
  "s3.amazonaws.com/telephony-recorder-prod*",
  "s3.*.amazonaws.com/telephony-recorder-prod*",
  "telephony-recorder-prod*.s3.amazonaws.com",
  "telephony-recorder-prod*.s3.*.amazonaws.com",
];

const placed = z.object({ data: z.object({ call_control_id: z.string().min(1) }) });
const live = z.object({ call_control_id: z.string(), client_state: z.string().nullish() });
const callState = z.object({
  data: z.object({ is_alive: z.boolean(), call_duration: z.number().nullish(), end_time: z.string().nullish() }),
});
const errors = z.object({
  errors: z.array(z.object({ code: z.coerce.string(), title: z.string().nullish(), detail: z.string().nullish() })),
});

/** Telnyx (call control v2). */
export const telnyx: CarrierKind<z.infer<typeof credentials>> = {
  credentials,
  // Telnyx documents no signature for the WebSocket's handshake.
  relay: { signed: false },
  claims: telnyxClaims,
  connect: ({ api_key, connection_id, public_key }, context): Carrier => {
    const base = `${context.env.TELNYX_API_URL}/v2`;
    const authorization = () => `Bearer ${api_key}`;
    const api = connectApi(context, {
      name: "telnyx",
      base,
      authorization,
      recordingHosts: RECORDING_HOSTS,
      secrets: [api_key],
      explain,
    });
    const callPath = (id: string) => `/calls/${encodeURIComponent(id)}`;
    const command = (id: string, action: string, json: object, accept = [404, 422]) =>
      api.send({ method: "POST", path: `${callPath(id)}/actions/${action}`, json, accept });
    const verify = (webhook: Webhook) => verifiedReport(webhook, public_key, context);

    /**
     * Speaks the first texts of an answered call one after another, and then connects the call. If a text was cut off,
     * the call is connected to a runtime that says it.
     */
    const announce = async (webhook: Webhook, next: Next) => {
      const due = toAnnounce(webhook);
      if (!due) return;
      // A machine may have answered in the meantime, or the call may be over.
      const session = due.continues ? await next() : null;
      if (typeof session === "string") return;
      if (!due.isCut && due.speech === null) return connectNow(due, session ?? (await next()));
      if (!due.isCut && due.speech !== null) {
        const { status } = await command(due.call_control_id, "speak", due.speech, [400, 404, 422]);
        if (status < 400) return;
      }
      // A call whose recording must be announced is not recorded without the announcement.
      if (due.recorded) await command(due.call_control_id, "record_stop", {}, [400, 404, 422]);
      await connectNow(due, await next("unspoken"));
    };
    /** Connects an answered call; hangs up if that fails, so that the caller is not left in silence. */
    const connectNow = async ({ id, call_control_id }: { id: string; call_control_id: string }, next: NextOfCall) => {
      if (typeof next === "string") return;
      const action = next.relay ? "conversation_relay_start" : "streaming_start";
      const { status } = await command(call_control_id, action, { ...started(next), command_id: id });
      if (status >= 400) await command(call_control_id, "hangup", {});
    };

    /** Suppresses the caller's noise on a call that was just answered; if that fails, the call goes on. */
    const suppressNoise = async (webhook: Webhook) => {
      const call = toQuiet(webhook);
      if (!call) return;
      const json = { direction: "inbound", command_id: `noise-${call.id}` };
      await command(call.call_control_id, "suppression_start", json, [400, 404, 422]).catch((error: unknown) => {
        if (!(error instanceof CarrierRefusal || error instanceof CarrierUncertain)) throw error;
      });
    };

    /**
     * Continues with a message, repeats it if the machine was not recording yet, or hangs up once it has been spoken.
     */
    const afterSpeech = async (
      { id, call_id, call_control_id, cutOff, left }: EndOfMessage,
      message?: () => Promise<SpokenMessage | null>,
    ) => {
      const more = cutOff || left > 0 ? await message?.() : null;
      const speech = more && spokenMessage(call_id, more, id, cutOff ? undefined : left);
      if (speech) await command(call_control_id, "speak", speech);
      else await command(call_control_id, "hangup", {});
    };

    /** Finds a call by the state attached to it, if the request that placed it got no answer. */
    const findByState = async (callId: string): Promise<string | undefined> => {
      const path = `/connections/${encodeURIComponent(connection_id)}/active_calls?page[limit]=250`;
      const calls = z.object({ data: z.array(z.unknown()) }).safeParse((await api.send({ path })).body).data?.data;
      const mine = (entry: unknown) => {
        const call = live.safeParse(entry).data;
        return call && callIdIn(call.client_state) === callId ? [call.call_control_id] : [];
      };
      return calls?.flatMap(mine)[0];
    };

    return {
      async originate(order) {
        const { body } = await api.send({ method: "POST", path: "/calls", json: dial(order, connection_id) });
        const answer = placed.safeParse(body);
        if (!answer.success) throw new CarrierUncertain("telnyx sent a response without a call");
        return { provider_call_id: answer.data.data.call_control_id, status: "initiated" };
      },
      async lookup({ provider_call_id, call_id }) {
        const id = provider_call_id ?? (await findByState(call_id));
        if (id === undefined) return null;
        const { body } = await api.send({ path: callPath(id), accept: [404] });
        const call = callState.safeParse(body).data?.data;
        if (!call) return null;
        const talked = (call.call_duration ?? 0) > 0;
        if (call.is_alive) return event(id, talked ? "in-progress" : "ringing");
        // The call is neither alive nor ended, so it is still being dialed.
        if (!call.end_time) return event(id, "initiated");
        const ended = event(id, talked ? "completed" : "no-answer", "ended");
        return Object.assign(ended, { talked_ms: msOf(call.call_duration) });
      },
      async hangup({ provider_call_id, call_id }) {
        const id = provider_call_id ?? (await findByState(call_id));
        if (id === undefined) throw new CarrierUncertain("telnyx does not have the call");
        const { status, body } = await command(id, "hangup", {});
        const over = errors.safeParse(body).data?.errors.some(({ code }) => code === CALL_OVER);
        if (status === 422 && !over) throw new CarrierUncertain("telnyx did not end the call");
      },
      async transfer({ provider_call_id, call_id }, handover) {
        const id = provider_call_id ?? (await findByState(call_id));
        if (id === undefined) throw new CarrierRefusal("rejected", "telnyx does not have the call");
        await command(id, "transfer", telnyxTransfer(id, handover), []);
      },
      async leaveMessage({ provider_call_id, call_id }, message) {
        const id = provider_call_id ?? (await findByState(call_id));
        if (id === undefined) throw new CarrierRefusal("rejected", "telnyx does not have the call");
        try {
          // The runtime is disconnected before anything is spoken, unless it has left by itself.
          await command(id, message.relay ? "conversation_relay_stop" : "streaming_stop", {});
          await command(id, "playback_stop", silenced(call_id), [400, 404, 422]);
        } catch (cause) {
          throw new CarrierRefusal("outage", "telnyx did not silence the line", { cause });
        }
        await command(id, "speak", spokenMessage(call_id, message), []);
      },
      async parseWebhook(webhook) {
        const telnyxEvent = await verify(webhook);
        if (!telnyxEvent || callerLegOf(telnyxEvent.payload.client_state)) return [];
        return eventOf(telnyxEvent.event_type, telnyxEvent.id, telnyxEvent.payload);
      },
      inbound: {
        async parse(webhook) {
          const telnyxEvent = await verify(webhook);
          const { call_control_id, direction, from, to } = telnyxEvent?.payload ?? {};
          if (telnyxEvent?.event_type !== "call.initiated" || direction !== "incoming") return null;
          if (!call_control_id || !to) return null;
          return { provider_call_id: call_control_id, from_number: callerNumber(from), to_number: to };
        },
        async connect({ provider_call_id }: InboundCall, session) {
          const { status } = await command(provider_call_id, "answer", {
            command_id: session.call_id,
            webhook_url: session.webhook_url,
            ...atAnswer(session),
            ...recording(session),
          });
          if (status >= 400) throw new CarrierUncertain("telnyx did not pick up the call");
          return NOTHING;
        },
        // Saying a sentence would require answering the call, which is charged.
        async reject({ provider_call_id }) {
          await command(provider_call_id, "reject", { cause: "USER_BUSY" });
          return NOTHING;
        },
      },
      async answer(webhook, next, message) {
        // Telnyx keeps the caller on the line if nobody answers the transfer; other carriers end the call.
        const alone = abandonedCaller(webhook.body);
        if (alone !== undefined) await command(alone, "hangup", {});
        await suppressNoise(webhook);
        await announce(webhook, next);
        const spoken = endOfMessage(webhook);
        if (spoken) await afterSpeech(spoken, message);
        const relayEnd = endOfRelay(webhook);
        if (!relayEnd) return null;
        const { id, call_control_id, broke, reconnected } = relayEnd;
        const mayGoOn = broke && reconnected < MAX_RECONNECTIONS;
        if (mayGoOn) await context.pause?.(reconnectWithinMs(reconnected));
        const session = await next();
        if (session === "handed_over" || session === "leaving_message") return null;
        if (session !== "over" && session.relay && mayGoOn) {
          const again = {
            command_id: id,
            client_state: stateOf({ call_id: session.call_id, reconnected: reconnected + 1 }),
            ...relayConfig(session, { ...session.relay, greeting: "" }),
          };
          // If Telnyx refuses this now, it reports the end again.
          await command(call_control_id, "conversation_relay_start", again, [404]);
        } else await command(call_control_id, "hangup", {});
        return null;
      },
      async fetchRecording({ id, url }: Recording) {
        // The address in a webhook expires after ten minutes, so a fresh one is requested.
        const path = `/recordings/${encodeURIComponent(id)}`;
        const { body } = await api.send({ path, accept: [400, 404, 422] });
        const fresh = z.object({ data: z.object({ download_urls: urls }) }).safeParse(body).data?.data.download_urls;
        const address = fresh?.mp3 || fresh?.wav || url;
        if (!address) throw new CarrierUncertain("telnyx has no such recording");
        return api.download(address, false);
      },
      async deleteRecording(id) {
        await api.send({ method: "DELETE", path: `/recordings/${encodeURIComponent(id)}`, accept: [404] });
      },
      numbers: telnyxNumbers(api, connection_id, context.now),
      verifyCredentials: () =>
        verdictOf(async () => {
          await api.send({ path: "/balance" });
          return { ok: true, detail: "telnyx accepts the credentials" };
        }),
    };
  },
};

const NOTHING = { content_type: "application/json", body: "{}" };
function explain({ status, body }: Answer): { reason?: CarrierReason; text?: string } {
  const [error] = errors.safeParse(body).data?.errors ?? [];
  const reason = REASONS[error?.code ?? ""] ?? (status === 403 ? "auth" : undefined);
  return { ...(reason && { reason }), text: error?.detail || error?.title || "" };
}
