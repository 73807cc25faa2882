import type { z } from "@hono/zod-openapi";
import { visibleTo } from "../http/content.ts";
import { type Authority, seesContacts, seesContent } from "../scopes.ts";

/** A stream of events as somebody sees it: without the content that is not for them. `schemas` are by the event's name. */
export function visibleEvents(
  stream: ReadableStream<Uint8Array>,
  authority: Authority,
  schemas: Record<string, z.ZodType>,
): ReadableStream<Uint8Array> {
  if (seesContent(authority) && seesContacts(authority)) return stream;
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  let rest = "";
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        const frames = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
        rest = frames.pop() ?? "";
        if (frames.length === 0) return;
        const shown = frames.map((frame) => `${visibleFrame(frame, authority, schemas)}\n\n`);
        controller.enqueue(encoder.encode(shown.join("")));
      },
    }),
  );
}

function visibleFrame(frame: string, authority: Authority, schemas: Record<string, z.ZodType>): string {
  const [, event = ""] = /^event: (.*)$/m.exec(frame) ?? [];
  return frame.replace(/^data: (.*)$/m, (line, data: string) => {
    const schema = Object.hasOwn(schemas, event) ? schemas[event] : undefined;
    if (schema) return `data: ${JSON.stringify(visibleTo(authority, schema, JSON.parse(data)))}`;
    // Nothing is shown of an event that nobody has described.
    return line === "" ? line : "data: {}";
  });
}
