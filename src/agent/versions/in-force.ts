import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { agents, agentVersions } from "../../kernel/db/schema/index.ts";
import { mapped, type Read, together } from "../../kernel/db/statement.ts";
import { withFields } from "./content.ts";
import { narrowerFields } from "./narrower.ts";

type AgentRow = typeof agents.$inferSelect;
/** The columns that determine whether an agent has a content for conversations. */
export const PUBLISHED_COLUMNS = ["id", "versioning", "published_version"] as const satisfies (keyof AgentRow)[];
/** Selected columns of an agent in force, together with those that determine whether conversations can use it. */
export type InForce<C extends keyof AgentRow> = Pick<AgentRow, C | (typeof PUBLISHED_COLUMNS)[number]>;

/** Returns a read of selected columns of agents as conversations use them; see `inForce`. */
export function allInForce<C extends keyof AgentRow>(
  store: AccountStore,
  where: SQL,
  columns: readonly C[],
  pin: number | null = null,
): Read<InForce<C>[]> {
  const wanted = [...new Set<keyof AgentRow>([...columns, ...PUBLISHED_COLUMNS])];
  const ofAgents = (number: SQL, only = sql``) =>
    sql`(${agentVersions.agent_id}, ${agentVersions.number}) IN (SELECT ${agents.id}, ${number} FROM ${agents} WHERE ${agents.account} = ${store.account} AND ${where}${only})`;
  const published = ofAgents(sql`${agents.published_version}`, sql` AND ${agents.versioning} = 'manual'`);
  const isWanted = pin === null ? published : sql`(${published} OR ${ofAgents(sql`${pin}`)})`;
  return together(
    store.select(agents, { where, columns: wanted }),
    store.select(agentVersions, { where: isWanted, columns: ["agent_id", "number", "fields"] }),
    (rows, versions) =>
      rows.map((row) => {
        const numbered = (number: number | null) =>
          versions.find((version) => version.agent_id === row.id && version.number === number);
        const live = row.versioning === "manual" ? numbered(row.published_version) : undefined;
        const inForce = live ? withFields(row, live.fields) : row;
        const pinned = pin === null ? undefined : numbered(pin);
        return pinned ? narrowerFields(withFields(row, pinned.fields), inForce) : inForce;
      }),
  );
}

/**
 * Returns a read of selected columns of an agent as conversations use them: from the version in force, or from the
 * version `pin`, limited to the authority of the version in force. The result is undefined if the account has no such
 * agent.
 */
export function inForce<C extends keyof AgentRow>(
  store: AccountStore,
  where: SQL,
  columns: readonly C[],
  pin: number | null = null,
): Read<InForce<C> | undefined> {
  return mapped(allInForce(store, where, columns, pin), ([first]) => first);
}
