import { api, type Body, data } from "../../api/client.ts";
import { invalidate, query } from "../../api/queries.ts";
import { webhooks as t } from "../../texts/index.ts";
import { chosen } from "../../ui/options.ts";
import { cursorPagesOf } from "../../ui/pages.ts";

export type Webhook = Body<"Webhook">;
export type Delivery = Body<"WebhookDelivery">;

/** How often the state of webhooks is read again, ms. */
const REFETCH_INTERVAL_MS = 10_000;
const PAGE = 30;

/** The account's webhooks, oldest first. */
export const webhookList = () =>
  Object.assign(
    query(["webhooks"], (signal) => data(api.GET("/api/v1/webhooks", { signal }))),
    { refetchInterval: REFETCH_INTERVAL_MS },
  );

/** One webhook with how it stands. */
export const webhookById = (id: string) =>
  Object.assign(
    query(["webhooks", id], (signal) => data(api.GET("/api/v1/webhooks/{id}", { params: { path: { id } }, signal }))),
    { refetchInterval: REFETCH_INTERVAL_MS },
  );

/** All types of events. */
export const eventTypeList = () => query(["event-types"], (signal) => data(api.GET("/api/v1/event-types", { signal })));

/** The deliveries' filters, by the names of the API. */
export const FILTERS = ["status", "type"] as const;

/** A webhook's deliveries, newest first, page by page. */
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

/** Reads webhooks and their deliveries again, after a change. */
export const webhooksChanged = () => invalidate("webhooks");
