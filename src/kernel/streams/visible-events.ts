import type { z } from "@hono/zod-openapi";
import { visibleTo } from "../http/content.ts";
import { type Authority, isWithin, seesContacts, seesContent } from "../scopes.ts";

/** What a reader may see of a stream's events. */
interface Sight {
  authority: Authority;
  /** By the event's name. */
  schemas: Record<string, z.ZodType>;
  /** The agent that an event is about, where events of several agents are in the stream. */
  agentOf?: (event: unknown) => string | null;
}

/** A stream of events as a reader may see it: without other agents' events and without content beyond their scopes. */
export function visibleEvents(stream: ReadableStream<Uint8Array>, sight: Sight): ReadableStream<Uint8Array> {
  const { authority, agentOf } = sight;
  const seesAgents = authority.agentIds === null || agentOf === undefined;
  if (seesAgents && seesContent(authority) && seesContacts(authority)) return stream;
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  let rest = "";
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        const frames = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
        rest = frames.pop() ?? "";
        if (frames.length === 0) return;
        const shown = frames.flatMap((frame) => visibleFrame(frame, sight) ?? []);
        if (shown.length > 0) controller.enqueue(encoder.encode(shown.map((frame) => `${frame}\n\n`).join("")));
      },
    }),
  );
}

/** A frame as a reader may see it; null if they may not. */
function visibleFrame(frame: string, { authority, schemas, agentOf }: Sight): string | null {
  const [line, text] = /^data: (.*)$/m.exec(frame) ?? [];
  if (line === undefined || text === undefined) return frame;
  const data: unknown = JSON.parse(text);
  if (agentOf !== undefined && !isWithin(authority.agentIds, agentOf(data))) return null;
  const [, event = ""] = /^event: (.*)$/m.exec(frame) ?? [];
  const schema = Object.hasOwn(schemas, event) ? schemas[event] : undefined;
  // An event without a schema is not shown.
  const shown = schema ? visibleTo(authority, schema, data) : {};
  return frame.replace(line, () => `data: ${JSON.stringify(shown)}`);
}
