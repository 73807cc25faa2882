import type { z } from "@hono/zod-openapi";
import { MOST_ENTRY_BYTES } from "./kept-reads.ts";

/** The number of items written at a time. */
export const ITEMS_A_CHUNK = 100;

/**
 * Sends a JSON array piece by piece, so that a long list is never held in memory as one text. If an array is small
 * enough to cache, it is passed to `keep` when it is complete.
 */
export function jsonArray(
  items: unknown[],
  shown: (item: unknown) => unknown,
  keep?: (whole: Uint8Array<ArrayBuffer>) => Promise<unknown>,
): Response {
  const encoder = new TextEncoder();
  let next = 0;
  let sent: Uint8Array<ArrayBuffer>[] | null = keep ? [] : null;
  let bytes = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = items.slice(next, next + ITEMS_A_CHUNK).map((item) => JSON.stringify(shown(item)));
      const lead = next === 0 ? "[" : ",";
      next += ITEMS_A_CHUNK;
      const done = next >= items.length;
      const piece = encoder.encode(`${lead}${chunk.join(",")}${done ? "]" : ""}`) as Uint8Array<ArrayBuffer>;
      bytes += piece.length;
      if (bytes > MOST_ENTRY_BYTES) sent = null;
      sent?.push(piece);
      if (done && sent) await keep?.(joined(sent, bytes));
      controller.enqueue(piece);
      if (done) controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
}

function joined(pieces: Uint8Array[], bytes: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/**
 * Sends a page of a list piece by piece, because all items together are too large for memory. `page` is read after the
 * last item.
 */
export function jsonPage<T extends z.ZodType>(
  plural: string,
  schema: T,
  pieces: AsyncIterable<z.input<T>[]>,
  page: { total: number | null; limit: number; offset: number },
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
