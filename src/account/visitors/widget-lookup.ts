import { eq, inArray, type SQL, sql } from "drizzle-orm";
import { type InForce, inForce } from "../../agent/versions/in-force.ts";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { agents, agentWidgetSettings, widgetKeys } from "../../kernel/db/schema/index.ts";
import { DEFAULT_POLICY, type WidgetPolicy } from "./settings.ts";

export type WidgetKeyRow = typeof widgetKeys.$inferSelect;
/** The part of an agent in force that decides what the widget shows, and to whom. */
export const WIDGET_COLUMNS = [
  "name",
  "greeting_message",
  "timezone",
  "language",
  "disclosure",
  "auth_mode",
  "status",
] as const;
type AgentRow = InForce<(typeof WIDGET_COLUMNS)[number]>;

/** A widget key with the agent it leads to and what the account allows there. */
export interface Widget {
  key: WidgetKeyRow;
  agent: AgentRow | null;
  policy: WidgetPolicy;
}

/**
 * The three reads that make a widget: the key that meets `isKey`, and the agent it leads to, or the one a session
 * already names. They go into one batch, side by side; `assemble` puts their results together.
 */
export function widgetReads(store: AccountStore, isKey: SQL, agentId?: string) {
  const ids = agentId ?? sql`SELECT agent_id FROM widget_keys WHERE account = ${store.account} AND ${isKey}`;
  const leadsTo = (column: typeof agents.id | typeof agentWidgetSettings.agent_id) =>
    typeof ids === "string" ? eq(column, ids) : inArray(column, sql`(${ids})`);
  return [
    store.first(widgetKeys, { where: isKey }),
    inForce(store, leadsTo(agents.id), WIDGET_COLUMNS),
    store.first(agentWidgetSettings, { where: leadsTo(agentWidgetSettings.agent_id) }),
  ] as const;
}

/** Undefined where there is no such key. */
export function assemble(
  key: WidgetKeyRow | undefined,
  agent: AgentRow | undefined,
  policy: WidgetPolicy | undefined,
): Widget | undefined {
  return key && { key, agent: agent ?? null, policy: policy ?? DEFAULT_POLICY };
}
