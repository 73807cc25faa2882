import type { List } from "../pages.ts";
import { Resource, withParams } from "../resource.ts";
import type { Answer, CallOptions, Query, Schema } from "../types.ts";

/** What agents answer from. */
export class Faqs extends Resource {
  /** All FAQs. */
  list(query?: Query<"/api/v1/faqs">, options?: CallOptions): List<Schema<"Faq">, Answer<"GET", "/api/v1/faqs">> {
    return this.listOf("/api/v1/faqs", (page) => page.faqs, { query, options });
  }

  get(id: string, options?: CallOptions): Promise<Schema<"Faq">> {
    return this.call("GET", "/api/v1/faqs/{id}", withParams(options, { params: { path: { id } } }));
  }

  create(body: Schema<"CreateFaqRequest">, options?: CallOptions): Promise<Schema<"Faq">> {
    return this.call("POST", "/api/v1/faqs", withParams(options, { body }));
  }

  update(id: string, body: Schema<"UpdateFaqRequest">, options?: CallOptions): Promise<Schema<"Faq">> {
    return this.call("PUT", "/api/v1/faqs/{id}", withParams(options, { params: { path: { id } }, body }));
  }

  delete(id: string, options?: CallOptions): Promise<Schema<"DeletedItem">> {
    return this.call("DELETE", "/api/v1/faqs/{id}", withParams(options, { params: { path: { id } } }));
  }
}
