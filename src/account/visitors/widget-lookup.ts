import { eq, inArray, type SQL, sql } from "drizzle-orm";
import { type InForce, inForce } from "../../agent/versions/in-force.ts";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { agents, agentWidgetSettings, widgetKeys } from "../../kernel/db/schema/index.ts";
import { DEFAULT_POLICY, type WidgetPolicy } from "./settings.ts";

export type WidgetKeyRow = typeof widgetKeys.$inferSelect;
/** The columns of the agent in force that determine what the widget shows, and to whom. */
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

/** A widget key with its agent and the account's settings for it. */
export interface Widget {
  key: WidgetKeyRow;
  agent: AgentRow | null;
  policy: WidgetPolicy;
}

/**
 * Returns the three reads that make up a widget: the key that matches `isKey`, its agent (or the agent that a session
 * already names), and the account's settings. They run in one batch, and `assemble` combines their results.
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

/** Combines the results; undefined if there is no such key. */
export function assemble(
  key: WidgetKeyRow | undefined,
  agent: AgentRow | undefined,
  policy: WidgetPolicy | undefined,
): Widget | undefined {
  return key && { key, agent: agent ?? null, policy: policy ?? DEFAULT_POLICY };
}
