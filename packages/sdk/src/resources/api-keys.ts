import { ApiKeys as Operations } from "../operations.ts";
import { withParams } from "../resource.ts";
import type { CallOptions } from "../types.ts";

/** API keys of servers. Only console sessions create and change them. */
export class ApiKeys extends Operations {
  /** Disables a key and the widget keys it created. */
  disableWithWidgetKeys(id: string, options?: CallOptions): Promise<undefined> {
    const params = { path: { id }, query: { widget_keys: "disable" as const } };
    return this.call("PATCH", "/api/v1/api-keys/{id}", withParams(options, { params, body: { disabled: true } }));
  }
}
