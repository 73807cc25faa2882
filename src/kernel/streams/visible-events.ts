import type { z } from "@hono/zod-openapi";
import { visibleTo } from "../http/content.ts";
import { type Authority, isWithin, seesContacts, seesContent } from "../scopes.ts";

/** The parts of a stream's events that a reader may see. */
interface Sight {
  authority: Authority;
  /** The events' schemas by event name. */
  schemas: Record<string, z.ZodType>;
  /** Returns the agent to which an event belongs, if the stream has events of several agents. */
  agentOf?: (event: unknown) => string | null;
}

/** Filters a stream for a reader: removes events of other agents, and content that the reader's scopes don't cover. */
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

/** Filters a frame for a reader; null if the reader must not see it. */
function visibleFrame(frame: string, { authority, schemas, agentOf }: Sight): string | null {
  const [line, text] = /^data: (.*)$/m.exec(frame) ?? [];
  if (line === undefined || text === undefined) return frame;
  const data: unknown = JSON.parse(text);
  if (agentOf !== undefined && !isWithin(authority.agentIds, agentOf(data))) return null;
  const [, event = ""] = /^event: (.*)$/m.exec(frame) ?? [];
  const schema = Object.hasOwn(schemas, event) ? schemas[event] : undefined;
  // The data of an event without a schema is never shown.
  const shown = schema ? visibleTo(authority, schema, data) : {};
  return frame.replace(line, () => `data: ${JSON.stringify(shown)}`);
}
