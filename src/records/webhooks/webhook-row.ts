import type { webhooks } from "../../kernel/db/schema/index.ts";

/** A webhook as it is configured. */
export type WebhookRow = typeof webhooks.$inferSelect;
