import { z } from "@hono/zod-openapi";
import type { MediaTypes } from "./endpoint.ts";

/**
 * The media type of a stream of server-sent events. OpenAPI has one schema for a stream: it is that of an event's `data`,
 * one of those given here by the names of their events.
 * @param name what the schema of any of them is called
 */
export function eventStream(name: string, events: Record<string, z.ZodType>): MediaTypes {
  const names = Object.keys(events).map((event) => `\`${event}\``);
  const description = `The \`data\` of an event, as JSON. The event's name tells which of these it is: ${names.join(", ")}, in the order of the schemas.`;
  return { "text/event-stream": { schema: z.union(Object.values(events)).openapi(name, { description }) } };
}

/** The headers of a stream of events. Some proxies in front hold answers back until they are whole (nginx) unless told. */
export const STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

/** The header by which a reconnecting client names the last event it received. */
export const lastEventId = z.object({
  "Last-Event-ID": z
    .string()
    .optional()
    .openapi({ description: "The id of the last event you have; all after it are sent.", example: "42" }),
});
