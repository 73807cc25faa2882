import type { List } from "../pages.ts";
import { Resource, withParams } from "../resource.ts";
import type { Answer, CallOptions, Query, Schema } from "../types.ts";

/** Forgetting a person. */
export class Erasures extends Resource {
  /** All erasures. */
  list(
    query?: Query<"/api/v1/erasures">,
    options?: CallOptions,
  ): List<Schema<"Erasure">, Answer<"GET", "/api/v1/erasures">> {
    return this.listOf("/api/v1/erasures", (page) => page.erasures, { query, options });
  }

  get(id: string, options?: CallOptions): Promise<Schema<"Erasure">> {
    return this.call("GET", "/api/v1/erasures/{id}", withParams(options, { params: { path: { id } } }));
  }

  create(body: Schema<"CreateErasureRequest">, options?: CallOptions): Promise<Schema<"Erasure">> {
    return this.call("POST", "/api/v1/erasures", withParams(options, { body }));
  }
}
