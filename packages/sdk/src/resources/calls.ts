import type { List } from "../pages.ts";
import { Resource, withParams } from "../resource.ts";
import type { Answer, CallOptions, Query, Schema } from "../types.ts";

/** Single calls, and the record of all calls. */
export class Calls extends Resource {
  /** All calls, newest first. */
  list(query?: Query<"/api/v1/calls">, options?: CallOptions): List<Schema<"Call">, Answer<"GET", "/api/v1/calls">> {
    return this.listOf("/api/v1/calls", (page) => page.calls, { query, options });
  }

  get(id: string, options?: CallOptions): Promise<Schema<"Call">> {
    return this.call("GET", "/api/v1/calls/{id}", withParams(options, { params: { path: { id } } }));
  }

  originate(body: Schema<"OriginateCallRequest">, options?: CallOptions): Promise<Schema<"PlacedCall">> {
    return this.call("POST", "/api/v1/calls/originate", withParams(options, { body }));
  }

  hangUp(id: string, options?: CallOptions): Promise<Schema<"Call">> {
    return this.call("POST", "/api/v1/calls/{id}/hangup", withParams(options, { params: { path: { id } } }));
  }

  statistics(query: Query<"/api/v1/calls/statistics"> = {}, options?: CallOptions): Promise<Schema<"CallStatistics">> {
    return this.call("GET", "/api/v1/calls/statistics", withParams(options, { params: { query } }));
  }

  /** All calls as CSV. */
  export(query?: Query<"/api/v1/calls/export">, options?: CallOptions): Promise<Response> {
    return this.file("/api/v1/calls/export", {}, query, options);
  }
}
