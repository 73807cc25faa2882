import { MASKED, NumberMask } from "../../kernel/mask-number.ts";
import type { EventType } from "./types.ts";

/** What events name a person by. */
export interface EventsOfPerson {
  /** Null if only the ids are known. */
  number: string | null;
  /** Calls and conversations of the person: the numbers in their events are the person's. */
  ids: string[];
}

/** How many events a step of a sweep masked, and after which place it continues; null at the end. */
export interface EventsSwept {
  masked: number;
  next: number | null;
}

/**
 * The fields of events that hold what somebody said or wrote about the person, by type: null in an erased person's. Every
 * other text in events is an id, a code, an address or the account's own.
 */
export const FREE_TEXT: Partial<Record<EventType, readonly string[]>> = {
  "conversation.started": ["end_reason", "disposition"],
  "conversation.ended": ["end_reason", "disposition"],
  "opt_out.added": ["reason"],
};

/** The fields of an event's data with a number of the other side. */
const NUMBER_FIELDS = ["from_number", "to_number", "phone_number"];

/**
 * Masks a person in the data of events, `limit` of them after a place. Events keep their ids and places, so that
 * cursors stay valid and nothing is sent twice.
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

/** What takes a person out of the data of an event of a type, as JSON text: the same text where they are not in it. */
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
    // Where only the ids are known, the numbers in their events are the person's.
    const numbers = mask === null ? named : [];
    if (texts.length + numbers.length === 0) return mask?.jsonText(json) ?? json;
    for (const field of texts) data[field] = null;
    for (const field of numbers) data[field] = MASKED;
    const left = JSON.stringify(data);
    return mask?.jsonText(left) ?? left;
  };
}
