import type { List } from "../pages.ts";
import { Resource, withParams } from "../resource.ts";
import type { Answer, CallOptions, Query, Schema } from "../types.ts";

/** What agents may do at other services. */
export class Tools extends Resource {
  /** All tools. */
  list(query?: Query<"/api/v1/tools">, options?: CallOptions): List<Schema<"Tool">, Answer<"GET", "/api/v1/tools">> {
    return this.listOf("/api/v1/tools", (page) => page.tools, { query, options });
  }

  get(id: string, options?: CallOptions): Promise<Schema<"Tool">> {
    return this.call("GET", "/api/v1/tools/{id}", withParams(options, { params: { path: { id } } }));
  }

  create(body: Schema<"CreateToolRequest">, options?: CallOptions): Promise<Schema<"Tool">> {
    return this.call("POST", "/api/v1/tools", withParams(options, { body }));
  }

  update(id: string, body: Schema<"UpdateToolRequest">, options?: CallOptions): Promise<Schema<"Tool">> {
    return this.call("PUT", "/api/v1/tools/{id}", withParams(options, { params: { path: { id } }, body }));
  }

  delete(id: string, options?: CallOptions): Promise<Schema<"DeletedItem">> {
    return this.call("DELETE", "/api/v1/tools/{id}", withParams(options, { params: { path: { id } } }));
  }

  run(id: string, body: Schema<"RunToolRequest">, options?: CallOptions): Promise<Schema<"ToolRunResult">> {
    return this.call("POST", "/api/v1/tools/{id}/run", withParams(options, { params: { path: { id } }, body }));
  }

  /** The last runs of a tool. */
  runs(
    id: string,
    query?: Query<"/api/v1/tools/{id}/runs">,
    options?: CallOptions,
  ): List<Schema<"ToolRun">, Answer<"GET", "/api/v1/tools/{id}/runs">> {
    return this.listOf("/api/v1/tools/{id}/runs", (page) => page.runs, { path: { id }, query, options });
  }
}
