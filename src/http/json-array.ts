import type { z } from "@hono/zod-openapi";

/** Items written at a time. */
export const PIECE = 100;

/** A JSON array sent piece by piece through its item's schema, so that a long list is never held as one text. */
export function jsonArray<T extends z.ZodType>(schema: T, items: unknown[]): Response {
  const encoder = new TextEncoder();
  let next = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = items.slice(next, next + PIECE).map((item) => JSON.stringify(schema.parse(item)));
      const lead = next === 0 ? "[" : ",";
      next += PIECE;
      const done = next >= items.length;
      controller.enqueue(encoder.encode(`${lead}${piece.join(",")}${done ? "]" : ""}`));
      if (done) controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
}
