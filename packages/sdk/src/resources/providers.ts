import type { List } from "../pages.ts";
import { Resource, withParams } from "../resource.ts";
import type { Answer, CallOptions, Query, Schema } from "../types.ts";

/** The credentials of carriers. */
export class Providers extends Resource {
  /** All credentials, without their secrets. */
  list(
    query?: Query<"/api/v1/telephony/providers">,
    options?: CallOptions,
  ): List<Schema<"TelephonyProvider">, Answer<"GET", "/api/v1/telephony/providers">> {
    return this.listOf("/api/v1/telephony/providers", (page) => page.providers, { query, options });
  }

  create(body: Schema<"CreateTelephonyProviderRequest">, options?: CallOptions): Promise<Schema<"TelephonyProvider">> {
    return this.call("POST", "/api/v1/telephony/providers", withParams(options, { body }));
  }

  delete(id: string, options?: CallOptions): Promise<undefined> {
    return this.call("DELETE", "/api/v1/telephony/providers/{id}", withParams(options, { params: { path: { id } } }));
  }

  verify(id: string, options?: CallOptions): Promise<Schema<"VerifyTelephonyProviderResponse">> {
    return this.call(
      "POST",
      "/api/v1/telephony/providers/{id}/verify",
      withParams(options, { params: { path: { id } } }),
    );
  }

  numbers(id: string, options?: CallOptions): Promise<Schema<"ListCarrierNumbersResponse">> {
    return this.call(
      "POST",
      "/api/v1/telephony/providers/{id}/numbers",
      withParams(options, { params: { path: { id } } }),
    );
  }
}
