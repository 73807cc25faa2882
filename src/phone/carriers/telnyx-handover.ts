import { z } from "zod";
import type { Handover } from "./carrier.ts";
import { parseJson } from "./http.ts";
import { stateIn, stateOf } from "./telnyx-state.ts";

/** The mark of a transfer's new leg: the id of the caller's leg. */
const mark = z.object({ handed_over_from: z.string().min(1) });
const report = z.object({
  data: z.object({ event_type: z.string(), payload: z.object({ client_state: z.string().nullish() }) }),
});

/**
 * Returns the command that transfers the call with this id at Telnyx. By default, Telnyx would show the called number
 * as the caller ID, which is the callee's own number on outbound calls. Reports of the new leg arrive at the call's own
 * address, with a mark that distinguishes them from reports of the caller's leg.
 */
export function telnyxTransfer(id: string, { to_number, caller_id, webhook_url }: Handover) {
  const other: z.infer<typeof mark> = { handed_over_from: id };
  return { to: to_number, from: caller_id, webhook_url, target_leg_client_state: stateOf(other) };
}

/** Returns the caller's leg if a report's state belongs to the leg of a transfer's target; otherwise undefined. */
export function callerLegOf(state: string | null | undefined): string | undefined {
  return mark.safeParse(stateIn(state)).data?.handed_over_from;
}

/** Returns the leg of a caller whose transfer target has left or never answered; undefined for other reports. */
export function abandonedCaller(body: string): string | undefined {
  const telnyxEvent = report.safeParse(parseJson(body)).data?.data;
  return telnyxEvent?.event_type === "call.hangup" ? callerLegOf(telnyxEvent.payload.client_state) : undefined;
}
