import { ApiError, invalidField, inWords } from "../../kernel/http/errors.ts";
import { instantOf } from "../../kernel/instant-ids.ts";
import type { EventLog, Walk } from "./event-log.ts";
import { type EventRecord, eventRecord } from "./event-source.ts";

/** The beginning of a page: a sequence number with a direction, or an event to continue after. */
export type Beginning = Pick<Walk, "from" | "direction"> | { event: string };

/** A requested page of events. If `beginning` is null, it has the newest events. */
export interface PageQuery extends Pick<Walk, "types" | "agentIds" | "since" | "limit"> {
  beginning: Beginning | null;
}

export interface EventPage {
  events: EventRecord[];
  next: Pick<Walk, "from" | "direction"> | null;
  /** When the oldest kept event happened (ISO 8601); null if there is none. */
  oldest: string | null;
}

/** Returns a page of an account's events. `log` is null if the account has no events. @throws ApiError 400 */
export function eventPage(log: EventLog | null, { beginning, ...wanted }: PageQuery, now: number): EventPage {
  const { from, direction } = startOf(log, beginning, now);
  if (log === null) return { events: [], next: null, oldest: null };
  const { events, next } = log.walk({ from, direction, ...wanted });
  return {
    events: events.map(eventRecord),
    next: next === null ? null : { from: next, direction },
    oldest: log.first?.at ?? null,
  };
}

function startOf(log: EventLog | null, beginning: Beginning | null, now: number): Pick<Walk, "from" | "direction"> {
  if (beginning === null) return { from: Number.MAX_SAFE_INTEGER, direction: "older" };
  if ("event" in beginning) return { from: sequenceOfEvent(log, beginning.event, "after", now), direction: "newer" };
  if (beginning.direction === "newer" && log?.hasPrunedAfter(beginning.from)) throw expired("after", log);
  return beginning;
}

/** Returns the sequence number of the last event that a stream reader has received. @throws ApiError 400 */
export function sequenceOfLast(log: EventLog, id: string, now: number): number {
  return sequenceOfEvent(log, id, "Last-Event-ID", now);
}

/** The length of an event's id (a UUID). A longer text is never an id. */
const ID_CHARS = 36;

function sequenceOfEvent(log: EventLog | null, id: string, field: string, now: number): number {
  const sequence = id.length === ID_CHARS ? (log?.sequenceOf(id.toLowerCase()) ?? null) : null;
  if (sequence !== null) return sequence;
  const at = instantOf(id);
  if (log !== null && at !== null && log.isPast(at, now)) throw expired(field, log);
  throw invalidField(field, "unknown_event", "is not an event of this account");
}

function expired(field: string, { first }: EventLog): ApiError {
  const oldest = first === null ? "no events are kept" : `the oldest kept event is from ${first.at}`;
  const message = `events after it are no longer kept: ${oldest}`;
  return new ApiError(400, "cursor_expired", inWords({ field, message }), {}, [
    { field, code: "cursor_expired", message },
  ]);
}
