import type { List } from "../pages.ts";
import { Resource, withParams } from "../resource.ts";
import type { Answer, CallOptions, Query, Schema } from "../types.ts";

/** Recorded calls. */
export class Recordings extends Resource {
  /** All recordings, newest first. */
  list(
    query?: Query<"/api/v1/recordings">,
    options?: CallOptions,
  ): List<Schema<"Recording">, Answer<"GET", "/api/v1/recordings">> {
    return this.listOf("/api/v1/recordings", (page) => page.recordings, { query, options });
  }

  get(id: string, options?: CallOptions): Promise<Schema<"Recording">> {
    return this.call("GET", "/api/v1/recordings/{id}", withParams(options, { params: { path: { id } } }));
  }

  url(id: string, options?: CallOptions): Promise<Schema<"GetRecordingUrlResponse">> {
    return this.call("GET", "/api/v1/recordings/{id}/url", withParams(options, { params: { path: { id } } }));
  }

  delete(id: string, options?: CallOptions): Promise<undefined> {
    return this.call("DELETE", "/api/v1/recordings/{id}", withParams(options, { params: { path: { id } } }));
  }
}
