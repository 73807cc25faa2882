import type { webhooks } from "../../kernel/db/schema/index.ts";

export type WebhookRow = typeof webhooks.$inferSelect;
