import type { List } from "../pages.ts";
import { Resource, withParams } from "../resource.ts";
import type { Answer, CallOptions, Query, Schema } from "../types.ts";

/** Agents to install. */
export class Marketplace extends Resource {
  /** All templates. */
  list(
    query?: Query<"/api/v1/marketplace/agents">,
    options?: CallOptions,
  ): List<Schema<"AgentTemplate">, Answer<"GET", "/api/v1/marketplace/agents">> {
    return this.listOf("/api/v1/marketplace/agents", (page) => page.agents, { query, options });
  }

  get(id: string, options?: CallOptions): Promise<Schema<"AgentTemplate">> {
    return this.call("GET", "/api/v1/marketplace/agents/{id}", withParams(options, { params: { path: { id } } }));
  }

  install(
    id: string,
    body: Schema<"InstallTemplateRequest">,
    options?: CallOptions,
  ): Promise<Schema<"InstallTemplateResponse">> {
    return this.call(
      "POST",
      "/api/v1/marketplace/agents/{id}/install",
      withParams(options, { params: { path: { id } }, body }),
    );
  }
}
