import type { z } from "@hono/zod-openapi";

/** Items written at a time. */
export const ITEMS_A_CHUNK = 100;

/** A JSON array sent piece by piece through its item's schema, so that a long list is never held as one text. */
export function jsonArray<T extends z.ZodType>(schema: T, items: unknown[]): Response {
  const encoder = new TextEncoder();
  let next = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = items.slice(next, next + ITEMS_A_CHUNK).map((item) => JSON.stringify(schema.parse(item)));
      const lead = next === 0 ? "[" : ",";
      next += ITEMS_A_CHUNK;
      const done = next >= items.length;
      controller.enqueue(encoder.encode(`${lead}${chunk.join(",")}${done ? "]" : ""}`));
      if (done) controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
}

/**
 * A page of a list whose items come in pieces, each sent through the item's schema as it comes: together they are too
 * much to be held at once.
 */
export function jsonPage<T extends z.ZodType>(
  plural: string,
  schema: T,
  pieces: AsyncIterable<z.input<T>[]>,
  page: { total: number; limit: number; offset: number },
): Response {
  const text = pageText(plural, schema, pieces, page);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await text.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
}

async function* pageText(plural: string, schema: z.ZodType, pieces: AsyncIterable<unknown[]>, page: object) {
  let lead = `{${JSON.stringify(plural)}:[`;
  for await (const items of pieces) {
    for (const item of items) {
      yield `${lead}${JSON.stringify(schema.parse(item))}`;
      lead = ",";
    }
  }
  yield `],${JSON.stringify(page).slice(1)}`;
}
