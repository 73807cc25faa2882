import { api, type Body, data } from "../../api/client.ts";
import { invalidate, query } from "../../api/queries.ts";
import { webhooks as t } from "../../texts/index.ts";
import { chosen } from "../../ui/options.ts";
import { cursorPagesOf } from "../../ui/pages.ts";

export type Webhook = Body<"Webhook">;
export type Delivery = Body<"WebhookDelivery">;

const REFETCH_INTERVAL_MS = 10_000;
const PAGE = 30;

export const webhookList = () =>
  Object.assign(
    query(["webhooks"], (signal) => data(api.GET("/api/v1/webhooks", { signal }))),
    { refetchInterval: REFETCH_INTERVAL_MS },
  );

export const webhookById = (id: string) =>
  Object.assign(
    query(["webhooks", id], (signal) => data(api.GET("/api/v1/webhooks/{id}", { params: { path: { id } }, signal }))),
    { refetchInterval: REFETCH_INTERVAL_MS },
  );

export const eventTypeList = () => query(["event-types"], (signal) => data(api.GET("/api/v1/event-types", { signal })));

export const FILTERS = ["status", "type"] as const;

export const deliveryPages = (id: string, wanted: Partial<Record<(typeof FILTERS)[number], string>>) => {
  const status = chosen(t.deliveries.statuses, wanted.status ?? "");
  return cursorPagesOf(
    ["webhooks", id, "deliveries", wanted],
    PAGE,
    (page, signal) => {
      const query = { ...page, ...(wanted.type && { type: wanted.type }), ...(status && { status }) };
      return data(api.GET("/api/v1/webhooks/{id}/deliveries", { params: { path: { id }, query }, signal }));
    },
    ({ deliveries }) => deliveries,
  );
};

/** Refetches webhooks and their deliveries, after a change. */
export const webhooksChanged = () => invalidate("webhooks");
