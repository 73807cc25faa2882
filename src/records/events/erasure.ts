import { MASKED, NumberMask } from "../../kernel/mask-number.ts";

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
      .exec<{ sequence: number; data: string }>(
        "SELECT sequence, data FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?",
        after,
        limit,
      )
      .toArray();
    let masked = 0;
    for (const { sequence, data } of rows) {
      const maskedData = without(data);
      if (maskedData === data) continue;
      storage.sql.exec("UPDATE events SET data = ? WHERE sequence = ?", maskedData, sequence);
      masked += 1;
    }
    return { masked, next: rows.length < limit ? null : (rows.at(-1)?.sequence ?? null) };
  });
}

/** What takes a person out of an event's data, as JSON text: the same text where they are not in it. */
export function eraserOf({ number, ids }: EventsOfPerson): (json: string) => string {
  const mask = number === null ? null : new NumberMask(number);
  const theirs = new Set(ids);
  return (json) => (mask === null ? withoutNumbers(json, theirs) : mask.jsonText(json));
}

/** An event's data without any number, where it is of one of these calls or conversations. */
function withoutNumbers(json: string, ids: ReadonlySet<string>): string {
  const data: Record<string, unknown> = JSON.parse(json);
  const isTheirs = [data.call_id, data.conversation_id].some((id) => typeof id === "string" && ids.has(id));
  const named = NUMBER_FIELDS.filter((field) => typeof data[field] === "string" && data[field] !== MASKED);
  if (!isTheirs || named.length === 0) return json;
  return JSON.stringify(Object.assign(data, Object.fromEntries(named.map((field) => [field, MASKED]))));
}
