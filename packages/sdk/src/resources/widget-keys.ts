import type { List } from "../pages.ts";
import { Resource, withParams } from "../resource.ts";
import type { Answer, CallOptions, Query, Schema } from "../types.ts";

/** Keys of widgets on pages, which are public. */
export class WidgetKeys extends Resource {
  /** All widget keys. */
  list(
    query?: Query<"/api/v1/widget-keys">,
    options?: CallOptions,
  ): List<Schema<"WidgetKey">, Answer<"GET", "/api/v1/widget-keys">> {
    return this.listOf("/api/v1/widget-keys", (page) => page, { query, options });
  }

  create(body: Schema<"CreateWidgetKeyRequest">, options?: CallOptions): Promise<Schema<"CreatedWidgetKey">> {
    return this.call("POST", "/api/v1/widget-keys", withParams(options, { body }));
  }

  update(id: string, body: Schema<"UpdateWidgetKeyRequest">, options?: CallOptions): Promise<undefined> {
    return this.call("PATCH", "/api/v1/widget-keys/{id}", withParams(options, { params: { path: { id } }, body }));
  }

  delete(id: string, options?: CallOptions): Promise<undefined> {
    return this.call("DELETE", "/api/v1/widget-keys/{id}", withParams(options, { params: { path: { id } } }));
  }

  visitorToken(
    body: Schema<"CreateVisitorTokenRequest">,
    options?: CallOptions,
  ): Promise<Schema<"CreateVisitorTokenResponse">> {
    return this.call("POST", "/api/v1/widget/auth/user-token", withParams(options, { body }));
  }
}
