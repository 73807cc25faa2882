import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";
import { createdAt, id, revised, updatedAt } from "./columns.ts";

/** Webhooks. Each webhook's object stores its position in the events. */
export const webhooks = sqliteTable(
  "webhooks",
  {
    account: accountRef(),
    id: id(),
    url: text("url").notNull(),
    /** Types of events, or patterns of them. */
    types: text("types", { mode: "json" }).$type<string[]>().notNull(),
    description: text("description"),
    /** The agents to which the webhook is limited; null for all. */
    agent_ids: text("agent_ids", { mode: "json" }).$type<string[]>(),
    enabled: integer("enabled", { mode: "boolean" }).notNull(),
    disabled_reason: text("disabled_reason", { enum: ["requested", "gone", "failing"] }),
    /** How much personal data is sent. It is limited to what the member or key that set the address may see. */
    shows: text("shows", { enum: ["content", "contacts", "neither"] }).notNull(),
    /** The signing secrets, sealed together: the first is the current one. */
    secrets: text("secrets").notNull(),
    /** The time from which events are sent, and the revision that set it. */
    begins_at: text("begins_at").notNull(),
    beginning: integer("beginning").notNull(),
    /** The revision that set the address. */
    address_revision: integer("address_revision").notNull(),
    created_by: text("created_by").notNull(),
    created_at: createdAt(),
    updated_at: updatedAt(),
    ...revised(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    index("webhooks_account_created").on(t.account, t.created_at, t.id),
  ],
);
