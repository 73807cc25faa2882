import type { List } from "../pages.ts";
import { Resource } from "../resource.ts";
import type { FollowOptions, StreamEvent } from "../sse.ts";
import type { Answer, CallOptions, Query, Schema } from "../types.ts";

/** What happens in the account. */
export class Events extends Resource {
  /** The events kept: newest first, or with `after` onwards from there. */
  list(query?: Query<"/api/v1/events">, options?: CallOptions): List<Schema<"Event">, Answer<"GET", "/api/v1/events">> {
    return this.listOf("/api/v1/events", (page) => page.events, { query, options });
  }

  types(options?: CallOptions): Promise<Schema<"ListEventTypesResponse">> {
    return this.call("GET", "/api/v1/event-types", options);
  }

  /** What happens from now on, or after `lastEventId`. */
  stream(
    options?: FollowOptions,
    query?: Query<"/api/v1/events/stream">,
  ): AsyncGenerator<StreamEvent<Schema<"AccountEvent">>, void> {
    return this.streamOf("/api/v1/events/stream", {}, query, options);
  }
}
