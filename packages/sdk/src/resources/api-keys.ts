import type { List } from "../pages.ts";
import { Resource, withParams } from "../resource.ts";
import type { Answer, CallOptions, Query, Schema } from "../types.ts";

/** Keys of servers. Only console sessions create and change them. */
export class ApiKeys extends Resource {
  /** All keys, without their secrets. */
  list(
    query?: Query<"/api/v1/api-keys">,
    options?: CallOptions,
  ): List<Schema<"ApiKey">, Answer<"GET", "/api/v1/api-keys">> {
    return this.listOf("/api/v1/api-keys", (page) => page, { query, options });
  }

  create(body: Schema<"CreateApiKeyRequest">, options?: CallOptions): Promise<Schema<"CreatedApiKey">> {
    return this.call("POST", "/api/v1/api-keys", withParams(options, { body }));
  }

  update(id: string, body: Schema<"UpdateApiKeyRequest">, options?: CallOptions): Promise<undefined> {
    return this.call("PATCH", "/api/v1/api-keys/{id}", withParams(options, { params: { path: { id } }, body }));
  }

  delete(id: string, options?: CallOptions): Promise<undefined> {
    return this.call("DELETE", "/api/v1/api-keys/{id}", withParams(options, { params: { path: { id } } }));
  }

  /** Disables a key, and with it the widget keys it created. */
  disableWithWidgetKeys(id: string, options?: CallOptions): Promise<undefined> {
    const params = { path: { id }, query: { widget_keys: "disable" as const } };
    return this.call("PATCH", "/api/v1/api-keys/{id}", withParams(options, { params, body: { disabled: true } }));
  }
}
