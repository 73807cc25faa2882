import type { List } from "../pages.ts";
import { Resource, withParams } from "../resource.ts";
import type { Answer, CallOptions, Query, Schema } from "../types.ts";

/** Servers that receive events; `verifyWebhook` verifies the deliveries. */
export class Webhooks extends Resource {
  /** All webhooks. */
  list(
    query?: Query<"/api/v1/webhooks">,
    options?: CallOptions,
  ): List<Schema<"Webhook">, Answer<"GET", "/api/v1/webhooks">> {
    return this.listOf("/api/v1/webhooks", (page) => page.webhooks, { query, options });
  }

  get(id: string, options?: CallOptions): Promise<Schema<"Webhook">> {
    return this.call("GET", "/api/v1/webhooks/{id}", withParams(options, { params: { path: { id } } }));
  }

  /** The answer's `secret` is shown this once. */
  create(body: Schema<"CreateWebhookRequest">, options?: CallOptions): Promise<Answer<"POST", "/api/v1/webhooks">> {
    return this.call("POST", "/api/v1/webhooks", withParams(options, { body }));
  }

  /** With another `url` it begins anew, with a new secret. */
  update(
    id: string,
    body: Schema<"UpdateWebhookRequest">,
    options?: CallOptions,
  ): Promise<Answer<"PATCH", "/api/v1/webhooks/{id}">> {
    return this.call("PATCH", "/api/v1/webhooks/{id}", withParams(options, { params: { path: { id } }, body }));
  }

  delete(id: string, options?: CallOptions): Promise<undefined> {
    return this.call("DELETE", "/api/v1/webhooks/{id}", withParams(options, { params: { path: { id } } }));
  }

  /** A new secret; the old one signs too for 24 hours. */
  rotateSecret(id: string, options?: CallOptions): Promise<Answer<"POST", "/api/v1/webhooks/{id}/rotate-secret">> {
    return this.call("POST", "/api/v1/webhooks/{id}/rotate-secret", withParams(options, { params: { path: { id } } }));
  }

  /** Delivers a test event and waits for what the server answers. */
  test(id: string, options?: CallOptions): Promise<Schema<"WebhookDelivery">> {
    return this.call("POST", "/api/v1/webhooks/{id}/test", withParams(options, { params: { path: { id } } }));
  }

  /** The deliveries of a webhook, newest first, each with its attempts. */
  deliveries(
    id: string,
    query?: Query<"/api/v1/webhooks/{id}/deliveries">,
    options?: CallOptions,
  ): List<Schema<"WebhookDelivery">, Answer<"GET", "/api/v1/webhooks/{id}/deliveries">> {
    return this.listOf("/api/v1/webhooks/{id}/deliveries", (page) => page.deliveries, { path: { id }, query, options });
  }

  resend(
    id: string,
    deliveryId: string,
    options?: CallOptions,
  ): Promise<Answer<"POST", "/api/v1/webhooks/{id}/deliveries/{deliveryId}/resend">> {
    const init = withParams(options, { params: { path: { id, deliveryId } } });
    return this.call("POST", "/api/v1/webhooks/{id}/deliveries/{deliveryId}/resend", init);
  }

  /** Sends again what has failed since then. */
  resendFailed(
    id: string,
    body: Schema<"ResendFailedWebhookDeliveriesRequest">,
    options?: CallOptions,
  ): Promise<Schema<"ResendFailedWebhookDeliveriesResponse">> {
    return this.call("POST", "/api/v1/webhooks/{id}/resend", withParams(options, { params: { path: { id } }, body }));
  }
}
