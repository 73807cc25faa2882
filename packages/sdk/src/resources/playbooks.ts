import type { List } from "../pages.ts";
import { Resource, withParams } from "../resource.ts";
import type { Answer, CallOptions, Query, Schema } from "../types.ts";

/** How agents go about a task. */
export class Playbooks extends Resource {
  /** All playbooks. */
  list(
    query?: Query<"/api/v1/playbooks">,
    options?: CallOptions,
  ): List<Schema<"Playbook">, Answer<"GET", "/api/v1/playbooks">> {
    return this.listOf("/api/v1/playbooks", (page) => page.playbooks, { query, options });
  }

  get(id: string, options?: CallOptions): Promise<Schema<"Playbook">> {
    return this.call("GET", "/api/v1/playbooks/{id}", withParams(options, { params: { path: { id } } }));
  }

  create(body: Schema<"CreatePlaybookRequest">, options?: CallOptions): Promise<Schema<"Playbook">> {
    return this.call("POST", "/api/v1/playbooks", withParams(options, { body }));
  }

  update(id: string, body: Schema<"UpdatePlaybookRequest">, options?: CallOptions): Promise<Schema<"Playbook">> {
    return this.call("PUT", "/api/v1/playbooks/{id}", withParams(options, { params: { path: { id } }, body }));
  }

  delete(id: string, options?: CallOptions): Promise<Schema<"DeletedItem">> {
    return this.call("DELETE", "/api/v1/playbooks/{id}", withParams(options, { params: { path: { id } } }));
  }
}
