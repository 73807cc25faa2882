import { ApiError, invalidField, inWords } from "../../kernel/http/errors.ts";
import { instantOf } from "../../kernel/instant-ids.ts";
import { cursorOf, positionOf } from "../../kernel/list-cursor.ts";
import type { EventLog, Walk } from "./event-log.ts";
import { type EventRecord, eventRecord } from "./event-source.ts";

/** A page of events as it is asked for. */
export interface EventQuery extends Pick<Walk, "types" | "since" | "limit"> {
  /** A cursor or an event's id; null for the newest. */
  after: string | null;
}

export interface EventPage {
  events: EventRecord[];
  /** What to send as `after` to go on; null where there is nothing more. */
  next: string | null;
  /** When the oldest event happened that is kept, ISO 8601; null where there is none. */
  oldest: string | null;
}

type Place = Pick<Walk, "from" | "direction">;

/** A page of the account's events; null for the log of an account without any. @throws ApiError 400 */
export function listEvents(log: EventLog | null, account: string, query: EventQuery, now: number): EventPage {
  const { types, since, after, limit } = query;
  const { from, direction } = placeOf(log, account, after, now);
  if (log === null) return { events: [], next: null, oldest: null };
  const { events, next } = log.walk({ from, direction, types, since, limit });
  return {
    events: events.map(eventRecord),
    next: next === null ? null : cursorOf(["events", account], `${direction} ${next}`),
    oldest: log.first?.at ?? null,
  };
}

/** Where a page begins: at the newest, where a cursor says, or forward from an event. */
function placeOf(log: EventLog | null, account: string, after: string | null, now: number): Place {
  if (after === null) return { from: Number.MAX_SAFE_INTEGER, direction: "older" };
  if (instantOf(after) !== null) return { from: placeOfEvent(log, after, "after", now), direction: "newer" };
  const [, direction, from] = /^(older|newer) (\d+)$/.exec(positionOf(["events", account], after) ?? "") ?? [];
  if (direction === undefined) throw noPlace("after", "is no cursor of this list and no event's id");
  const place: Place = { from: Number(from), direction: direction === "older" ? "older" : "newer" };
  if (place.direction === "newer" && log?.hasPrunedAfter(place.from)) throw expired("after", log);
  return place;
}

/** The place of the last event that a stream's reader has. @throws ApiError 400 */
export function placeOfLast(log: EventLog, id: string, now: number): number {
  return placeOfEvent(log, id, "Last-Event-ID", now);
}

function placeOfEvent(log: EventLog | null, id: string, field: string, now: number): number {
  const place = log?.placeOf(id.toLowerCase()) ?? null;
  if (place !== null) return place;
  const at = instantOf(id);
  if (log !== null && at !== null && log.isPast(at, now)) throw expired(field, log);
  throw noPlace(field, "is no event of this account");
}

const noPlace = (field: string, message: string) => invalidField(field, "invalid", message);

function expired(field: string, { first }: EventLog): ApiError {
  const oldest = first === null ? "none is kept now" : `the oldest that is kept is of ${first.at}`;
  const message = `events that followed it are no longer kept: ${oldest}`;
  return new ApiError(400, "cursor_expired", inWords({ field, message }), {}, [
    { field, code: "cursor_expired", message },
  ]);
}
