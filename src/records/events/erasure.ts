import { MASKED, NumberMask } from "../../kernel/mask-number.ts";
import type { EventType } from "./types.ts";

export interface EventsOfPerson {
  /** Null if only the ids are known. */
  number: string | null;
  /** The ids of the person's calls and conversations. All numbers in the events of these ids are the person's. */
  ids: string[];
}

/**
 * How many events one step of a sweep masked, and the sequence number after which the next step continues; null at the
 * end.
 */
export interface EventsSwept {
  masked: number;
  next: number | null;
}

/**
 * The free text fields of events, by type. They may contain what was said or written about a person, so an erasure sets
 * them to null. All other texts in events are ids, codes, addresses or the account's own.
 */
export const FREE_TEXT: Partial<Record<EventType, readonly string[]>> = {
  "conversation.started": ["end_reason", "disposition"],
  "conversation.ended": ["end_reason", "disposition"],
  "opt_out.added": ["reason"],
};

/** The fields of an event's data that contain a number of the other side. */
const NUMBER_FIELDS = ["from_number", "to_number", "phone_number"];

/**
 * Masks a person in the data of up to `limit` events after a sequence number. Events keep their ids and sequence
 * numbers, so that cursors stay valid and no event is sent twice.
 */
export function sweepEvents(
  storage: Pick<DurableObjectStorage, "sql" | "transactionSync">,
  { number, ids }: EventsOfPerson,
  after: number,
  limit: number,
): EventsSwept {
  const without = eraserOf({ number, ids });
  return storage.transactionSync(() => {
    const rows = storage.sql
      .exec<{ sequence: number; type: string; data: string }>(
        "SELECT sequence, type, data FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?",
        after,
        limit,
      )
      .toArray();
    let masked = 0;
    for (const { sequence, type, data } of rows) {
      const maskedData = without(type, data);
      if (maskedData === data) continue;
      storage.sql.exec("UPDATE events SET data = ? WHERE sequence = ?", maskedData, sequence);
      masked += 1;
    }
    return { masked, next: rows.length < limit ? null : (rows.at(-1)?.sequence ?? null) };
  });
}

/** Returns a function that removes a person from an event's JSON data. It returns data without the person unchanged. */
export function eraserOf({ number, ids }: EventsOfPerson): (type: string, json: string) => string {
  const mask = number === null ? null : new NumberMask(number);
  const theirs = new Set(ids);
  return (type, json) => {
    const data: Record<string, unknown> = JSON.parse(json);
    const named = NUMBER_FIELDS.filter((field) => typeof data[field] === "string" && data[field] !== MASKED);
    const isOfIds = [data.call_id, data.conversation_id].some((id) => typeof id === "string" && theirs.has(id));
    const isTheirs = isOfIds || named.some((field) => mask?.text(String(data[field])) === MASKED);
    if (!isTheirs) return mask?.jsonText(json) ?? json;
    const free = (Object.hasOwn(FREE_TEXT, type) ? FREE_TEXT[type as EventType] : undefined) ?? [];
    const texts = free.filter((field) => typeof data[field] === "string");
    // If only the ids are known, the numbers in their events are the person's.
    const numbers = mask === null ? named : [];
    if (texts.length + numbers.length === 0) return mask?.jsonText(json) ?? json;
    for (const field of texts) data[field] = null;
    for (const field of numbers) data[field] = MASKED;
    const left = JSON.stringify(data);
    return mask?.jsonText(left) ?? left;
  };
}
