import { z } from "@hono/zod-openapi";
import { idOf } from "../../kernel/http/example-ids.ts";

export const webhookId = idOf("webhook", "The webhook's id.");

/** The settings that all endpoints of webhooks and deliveries share. */
export const slice = { access: "account", ofAgents: "handler", tag: "Webhooks" } as const;
export const params = z.object({ id: webhookId });
export const unknown = { 404: "unknown webhook" };
