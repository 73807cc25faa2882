import { z } from "@hono/zod-openapi";
import type { MediaTypes } from "./endpoint.ts";

/**
 * Returns the media type of a stream of server-sent events. OpenAPI allows one schema per stream, so it is a union of
 * the schemas of the events' `data`.
 * @param name the component name of the union
 */
export function eventStream(name: string, events: Record<string, z.ZodType>): MediaTypes {
  const names = Object.keys(events).map((event) => `\`${event}\``);
  const description = `The \`data\` of an event, as JSON. The event's name tells which of these it is: ${names.join(", ")}, in the order of the schemas.`;
  return { "text/event-stream": { schema: z.union(Object.values(events)).openapi(name, { description }) } };
}

/**
 * The headers of an event stream. Without x-accel-buffering, some proxies (nginx) withhold the response until it is
 * complete.
 */
export const STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

/** The header in which a reconnecting client sends the id of the last event that it received. */
export const lastEventId = z.object({
  "Last-Event-ID": z
    .string()
    .optional()
    .openapi({ description: "The id of the last event you have; all after it are sent.", example: "42" }),
});
