import type { List } from "../pages.ts";
import { Resource, withParams } from "../resource.ts";
import type { Answer, CallOptions, Query, Schema } from "../types.ts";

/** The phone numbers of the account. */
export class Numbers extends Resource {
  /** All phone numbers. */
  list(
    query?: Query<"/api/v1/telephony/numbers">,
    options?: CallOptions,
  ): List<Schema<"PhoneNumber">, Answer<"GET", "/api/v1/telephony/numbers">> {
    return this.listOf("/api/v1/telephony/numbers", (page) => page.numbers, { query, options });
  }

  get(id: string, options?: CallOptions): Promise<Schema<"PhoneNumber">> {
    return this.call("GET", "/api/v1/telephony/numbers/{id}", withParams(options, { params: { path: { id } } }));
  }

  create(body: Schema<"CreatePhoneNumberRequest">, options?: CallOptions): Promise<Schema<"PhoneNumber">> {
    return this.call("POST", "/api/v1/telephony/numbers", withParams(options, { body }));
  }

  update(id: string, body: Schema<"UpdatePhoneNumberRequest">, options?: CallOptions): Promise<undefined> {
    return this.call(
      "PATCH",
      "/api/v1/telephony/numbers/{id}",
      withParams(options, { params: { path: { id } }, body }),
    );
  }

  delete(id: string, options?: CallOptions): Promise<undefined> {
    return this.call("DELETE", "/api/v1/telephony/numbers/{id}", withParams(options, { params: { path: { id } } }));
  }

  check(id: string, options?: CallOptions): Promise<Schema<"CheckPhoneNumberResponse">> {
    return this.call("POST", "/api/v1/telephony/numbers/{id}/check", withParams(options, { params: { path: { id } } }));
  }
}
