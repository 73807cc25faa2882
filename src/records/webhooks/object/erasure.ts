import { MASKED, NumberMask } from "../../../kernel/mask-number.ts";
import { type EventsOfPerson, type EventsSwept, eraserOf } from "../../events/erasure.ts";

/** Masks a person in up to `limit` deliveries after a position: in their events and in the responses. */
export function sweepDeliveries(
  storage: Pick<DurableObjectStorage, "sql" | "transactionSync">,
  person: EventsOfPerson,
  after: number,
  limit: number,
): EventsSwept {
  const without = eraserOf(person);
  const mask = person.number === null ? null : new NumberMask(person.number);
  const { sql } = storage;
  return storage.transactionSync(() => {
    const rows = sql
      .exec<{ n: number; body: string }>("SELECT n, body FROM deliveries WHERE n > ? ORDER BY n LIMIT ?", after, limit)
      .toArray();
    let masked = 0;
    for (const { n, body } of rows) {
      const maskedData = maskedBody(body, without);
      const isAbout = maskedData !== body;
      if (isAbout) sql.exec("UPDATE deliveries SET body = ? WHERE n = ?", maskedData, n);
      // A receiver may have repeated the event in its response.
      const answers = sql
        .exec<{ k: number; response: string }>(
          "SELECT k, response FROM attempts WHERE delivery = ? AND response IS NOT NULL AND response NOT IN ('', ?)",
          n,
          MASKED,
        )
        .toArray()
        .map(({ k, response }) => ({ k, response, left: isAbout ? MASKED : (mask?.text(response) ?? response) }))
        .filter(({ response, left: rest }) => rest !== response);
      for (const { k, left: rest } of answers)
        sql.exec("UPDATE attempts SET response = ? WHERE delivery = ? AND k = ?", rest, n, k);
      if (isAbout || answers.length > 0) masked += 1;
    }
    return { masked, next: rows.length < limit ? null : (rows.at(-1)?.n ?? null) };
  });
}

function maskedBody(body: string, without: (type: string, json: string) => string): string {
  const message: Record<string, unknown> = JSON.parse(body);
  const data = JSON.stringify(message.data);
  const maskedData = without(String(message.type), data);
  return maskedData === data ? body : JSON.stringify(Object.assign(message, { data: JSON.parse(maskedData) }));
}
