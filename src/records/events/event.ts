/** What happens to an account's resources and is told to others. A type is here once something emits it. */
export const EVENT_TYPES = [
  "call.started",
  "call.answered",
  "call.ended",
  "conversation.started",
  "conversation.ended",
  "recording.ready",
  "campaign.started",
  "campaign.paused",
  "campaign.resumed",
  "campaign.stopped",
  "campaign.completed",
  "contact.completed",
  "contact.failed",
  "opt_out.added",
  "tool_run.failed",
  "budget.warned",
  "budget.reached",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** An event on its way to the account's sequence, which takes each id once. */
export interface NewEvent {
  /** A UUIDv7 of `at`, derived from what happened (`derivedId`): told twice, it is one event. */
  id: string;
  type: EventType;
  /** ISO 8601, UTC */
  at: string;
  /** Ids, state, and small fields of the resource; never a transcript, audio or a secret. */
  data: Record<string, unknown>;
}
