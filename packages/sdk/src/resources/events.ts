import { Events as Operations } from "../operations.ts";
import type { FollowOptions, StreamEvent } from "../sse.ts";
import type { CallOptions, Query, Schema } from "../types.ts";

/** Events of the account. */
export class Events extends Operations {
  types(options?: CallOptions): Promise<Schema<"ListEventTypesResponse">> {
    return this.call("GET", "/api/v1/event-types", options);
  }

  /** Streams events from now on, or after `lastEventId`. */
  stream(
    options?: FollowOptions,
    query?: Query<"/api/v1/events/stream">,
  ): AsyncGenerator<StreamEvent<Schema<"AccountEvent">>, void> {
    return this.streamOf("/api/v1/events/stream", {}, query, options);
  }
}
