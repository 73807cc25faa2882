import type { List } from "../pages.ts";
import { Resource, withParams } from "../resource.ts";
import type { Answer, CallOptions, Query, Schema } from "../types.ts";

/** How much all of it may use. */
export class Budgets extends Resource {
  /** All budgets. */
  list(
    query?: Query<"/api/v1/budgets">,
    options?: CallOptions,
  ): List<Schema<"Budget">, Answer<"GET", "/api/v1/budgets">> {
    return this.listOf("/api/v1/budgets", (page) => page.budgets, { query, options });
  }

  get(id: string, options?: CallOptions): Promise<Schema<"Budget">> {
    return this.call("GET", "/api/v1/budgets/{id}", withParams(options, { params: { path: { id } } }));
  }

  create(body: Schema<"CreateBudgetRequest">, options?: CallOptions): Promise<Schema<"Budget">> {
    return this.call("POST", "/api/v1/budgets", withParams(options, { body }));
  }

  update(id: string, body: Schema<"UpdateBudgetRequest">, options?: CallOptions): Promise<Schema<"Budget">> {
    return this.call("PATCH", "/api/v1/budgets/{id}", withParams(options, { params: { path: { id } }, body }));
  }

  delete(id: string, options?: CallOptions): Promise<undefined> {
    return this.call("DELETE", "/api/v1/budgets/{id}", withParams(options, { params: { path: { id } } }));
  }
}
