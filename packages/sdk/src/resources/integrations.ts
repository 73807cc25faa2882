import type { List } from "../pages.ts";
import { Resource, withParams } from "../resource.ts";
import type { Answer, CallOptions, Query, Schema } from "../types.ts";

/** Other services that tools use. */
export class Integrations extends Resource {
  /** The catalog, and what is installed. */
  list(
    query?: Query<"/api/v1/integrations">,
    options?: CallOptions,
  ): List<Schema<"Integration">, Answer<"GET", "/api/v1/integrations">> {
    return this.listOf("/api/v1/integrations", (page) => page.integrations, { query, options });
  }

  get(id: string, options?: CallOptions): Promise<Schema<"Integration">> {
    return this.call("GET", "/api/v1/integrations/{id}", withParams(options, { params: { path: { id } } }));
  }

  install(
    id: string,
    body: Schema<"InstallIntegrationRequest">,
    options?: CallOptions,
  ): Promise<Schema<"Integration">> {
    return this.call(
      "POST",
      "/api/v1/integrations/{id}/install",
      withParams(options, { params: { path: { id } }, body }),
    );
  }

  uninstall(id: string, options?: CallOptions): Promise<Schema<"Integration">> {
    return this.call("POST", "/api/v1/integrations/{id}/uninstall", withParams(options, { params: { path: { id } } }));
  }

  verify(id: string, options?: CallOptions): Promise<Schema<"Verification">> {
    return this.call("POST", "/api/v1/integrations/{id}/verify", withParams(options, { params: { path: { id } } }));
  }
}
