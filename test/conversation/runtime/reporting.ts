import type { ConversationEvent } from "../../../src/records/conversations/events.ts";
import type { Client } from "../../support/client.ts";

export const EVENTS = "/api/runtime/v1/session/events";
export const AT = "2026-03-04T10:00:00.000Z";

/** An event as a runtime reports it, without its number and time. */
export type Reported = ConversationEvent extends infer E
  ? E extends ConversationEvent
    ? Omit<E, "at" | "seq">
    : never
  : never;
export const numbered = (seq: number, event: Reported) => ({ seq, at: AT, ...event });
export const words = (seq: number, text = `words ${seq}`) => numbered(seq, { type: "user_turn", text });
export const ended = (seq: number, reason = "caller_hung_up") => numbered(seq, { type: "ended", reason });

/** Reports events. Returns the last number before the first gap, or the status and code of the refusal. */
export async function report({ client }: { client: Client }, ...events: unknown[]): Promise<number | string> {
  const { status, code, body } = await client.post<{ accepted_through: number }>(EVENTS, { events });
  return status === 200 ? body.accepted_through : `${status} ${code}`;
}
