import type { List } from "../pages.ts";
import { Resource, withParams } from "../resource.ts";
import type { Answer, CallOptions, Query, Schema } from "../types.ts";

/** Settings, limits, use and prices of the account. */
export class Account extends Resource {
  /** Returns what the account is called, and its time zone. */
  get(options?: CallOptions): Promise<Schema<"OwnAccount">> {
    return this.call("GET", "/api/v1/account", options);
  }

  update(body: Schema<"UpdateOwnAccountRequest">, options?: CallOptions): Promise<Schema<"OwnAccount">> {
    return this.call("PATCH", "/api/v1/account", withParams(options, { body }));
  }

  privacy(options?: CallOptions): Promise<Schema<"Privacy">> {
    return this.call("GET", "/api/v1/privacy", options);
  }

  updatePrivacy(body: Schema<"UpdatePrivacyRequest">, options?: CallOptions): Promise<Schema<"Privacy">> {
    return this.call("PATCH", "/api/v1/privacy", withParams(options, { body }));
  }

  callSettings(options?: CallOptions): Promise<Schema<"CallSettings">> {
    return this.call("GET", "/api/v1/call-settings", options);
  }

  updateCallSettings(
    body: Schema<"UpdateCallSettingsRequest">,
    options?: CallOptions,
  ): Promise<Schema<"CallSettings">> {
    return this.call("PATCH", "/api/v1/call-settings", withParams(options, { body }));
  }

  callLimits(options?: CallOptions): Promise<Schema<"CallLimits">> {
    return this.call("GET", "/api/v1/call-limits", options);
  }

  quotas(options?: CallOptions): Promise<Schema<"Quotas">> {
    return this.call("GET", "/api/v1/quotas", options);
  }

  prices(options?: CallOptions): Promise<Schema<"PriceList">> {
    return this.call("GET", "/api/v1/prices", options);
  }

  updatePrices(body: Schema<"UpdatePricesRequest">, options?: CallOptions): Promise<Schema<"PriceList">> {
    return this.call("PATCH", "/api/v1/prices", withParams(options, { body }));
  }

  usage(query: Query<"/api/v1/usage"> = {}, options?: CallOptions): Promise<Schema<"GetUsageResponse">> {
    return this.call("GET", "/api/v1/usage", withParams(options, { params: { query } }));
  }

  /** Who did what, newest first. */
  auditLog(
    query?: Query<"/api/v1/audit-log">,
    options?: CallOptions,
  ): List<Schema<"AuditEntry">, Answer<"GET", "/api/v1/audit-log">> {
    return this.listOf("/api/v1/audit-log", (page) => page.entries, { query, options });
  }

  /** The language models, and what answers for each. */
  models(
    query?: Query<"/api/v1/models">,
    options?: CallOptions,
  ): List<Schema<"LanguageModel">, Answer<"GET", "/api/v1/models">> {
    return this.listOf("/api/v1/models", (page) => page.models, { query, options });
  }
}
