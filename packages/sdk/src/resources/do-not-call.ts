import type { List } from "../pages.ts";
import { Resource, withParams } from "../resource.ts";
import type { Answer, CallOptions, Query, Schema } from "../types.ts";

/** The do-not-call list. */
export class DoNotCall extends Resource {
  /** All numbers listed. */
  list(
    query?: Query<"/api/v1/do-not-call">,
    options?: CallOptions,
  ): List<Schema<"DoNotCallEntry">, Answer<"GET", "/api/v1/do-not-call">> {
    return this.listOf("/api/v1/do-not-call", (page) => page.numbers, { query, options });
  }

  add(body: Schema<"AddDoNotCallRequest">, options?: CallOptions): Promise<Schema<"AddDoNotCallResponse">> {
    return this.call("POST", "/api/v1/do-not-call", withParams(options, { body }));
  }

  remove(e164: string, options?: CallOptions): Promise<undefined> {
    return this.call("DELETE", "/api/v1/do-not-call/{e164}", withParams(options, { params: { path: { e164 } } }));
  }
}
