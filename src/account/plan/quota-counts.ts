import { getTableName, sql } from "drizzle-orm";
import type { AccountStatements } from "../../kernel/db/account-statements.ts";
import type { AccountTable } from "../../kernel/db/account-table.ts";
import type { BoundStatement, ConfigurationBatch } from "../../kernel/db/batch.ts";
import {
  agents,
  agentVersions,
  apiKeys,
  budgets,
  documents,
  faqs,
  phoneNumbers,
  playbooks,
  telephonyProviders,
  tools,
  webhooks,
  widgetKeys,
} from "../../kernel/db/schema/index.ts";
import { mapped, type Read } from "../../kernel/db/statement.ts";

/** The rows that a quota counts: those of a table that meet a condition, or the sum of a column. */
interface Counted {
  table: AccountTable;
  where: string;
  sum?: string;
}

/** A condition that is true for every row. */
const EVERY = "true";

/** The rows that each quota counts. An index covers each count. */
const COUNTED = {
  agents: { table: agents, where: EVERY },
  tools: { table: tools, where: "is_default = 0" },
  playbooks: { table: playbooks, where: "is_default = 0" },
  faqs: { table: faqs, where: "is_default = 0" },
  api_keys: { table: apiKeys, where: "disabled_at IS NULL" },
  widget_keys: { table: widgetKeys, where: "disabled_at IS NULL" },
  credentials: { table: telephonyProviders, where: "deleted_at IS NULL" },
  numbers: { table: phoneNumbers, where: EVERY },
  budgets: { table: budgets, where: EVERY },
  webhooks: { table: webhooks, where: EVERY },
  // This quota never refuses a write: the write that creates a version deletes the oldest ones beyond the quota.
  versions: { table: agentVersions, where: EVERY },
  documents: { table: documents, where: EVERY },
  knowledge_bytes: { table: documents, where: EVERY, sum: "bytes" },
} satisfies Record<string, Counted>;

/** A quota on the number of rows in D1. */
export type CountedQuota = keyof typeof COUNTED;
export type LimitsByPlan = Record<CountedQuota, Record<string, number>>;

export const COUNTED_QUOTAS = Object.keys(COUNTED) as CountedQuota[];

/** Returns the reads that count the account's rows for each quota, in the order of `COUNTED_QUOTAS`. */
export function countStatements(store: AccountStatements): Read<number>[] {
  return COUNTED_QUOTAS.map((name) => {
    const { table, where, sum }: Counted = COUNTED[name];
    if (sum === undefined) return store.count(table, sql.raw(where));
    const total = sql<number>`coalesce(sum(${sql.raw(sum)}), 0)`;
    return mapped(store.values(table, { total }, sql.raw(where)), ([row]) => row?.total ?? 0);
  });
}

/**
 * The statements that enforce the account's quotas on a batch. `before` run ahead of its changes, `after` behind them.
 */
export interface QuotaChecks {
  before: BoundStatement[];
  after: BoundStatement[];
}

/**
 * Returns the checks for a batch that changes these tables, and that only adds rows to those in `added`. After the
 * batch there may be as many rows as the current limit (the operator's override, otherwise the plan's), or as many as
 * before if that was more. Otherwise D1 refuses the whole batch.
 */
export function quotaChecks(
  account: string,
  { tables, added }: Pick<ConfigurationBatch, "tables" | "added">,
  limits: LimitsByPlan,
): QuotaChecks {
  const changed = COUNTED_QUOTAS.filter((name) => tables.includes(getTableName(COUNTED[name].table)));
  // These counts only grow, so the limit alone decides.
  const grows = changed.filter(
    (name) => COUNTED[name].where === EVERY && added.includes(getTableName(COUNTED[name].table)),
  );
  const others = changed.filter((name) => !grows.includes(name));
  const withLimits = (name: CountedQuota) => [account, name, JSON.stringify(limits[name])];
  return {
    before: others.map((name) => ({ sql: setCeiling(name), params: withLimits(name) })),
    after: [
      ...others.map((name) => ({ sql: refuseAboveCeiling(name), params: [account, name] })),
      ...grows.map((name) => ({ sql: refuseAboveLimit(name), params: withLimits(name) })),
    ],
  };
}

const amount = ({ sum }: Counted) => (sum === undefined ? "count(*)" : `coalesce(sum(${sum}), 0)`);

const counting = (name: CountedQuota) =>
  `SELECT ${amount(COUNTED[name])} FROM ${getTableName(COUNTED[name].table)} WHERE account = ?1 AND ${COUNTED[name].where}`;

const LIMIT = "coalesce(quotas ->> ?2, ?3 ->> plan)";

const setCeiling = (name: CountedQuota) =>
  `INSERT INTO quota_ceilings (account, name, ceiling)
SELECT name, ?2, max(${LIMIT}, (${counting(name)}))
FROM accounts WHERE name = ?1
ON CONFLICT (account, name) DO UPDATE SET ceiling = excluded.ceiling WHERE ceiling <> excluded.ceiling`;

/** An invalid JSON path is the only error whose message a statement can choose. */
const REFUSE = "SELECT json_extract('{}', 'quota_exceeded ' || ?2)";

const refuseAboveCeiling = (name: CountedQuota) =>
  `${REFUSE} FROM quota_ceilings
WHERE account = ?1 AND name = ?2 AND ceiling < (${counting(name)})`;

const refuseAboveLimit = (name: CountedQuota) =>
  `${REFUSE} FROM accounts WHERE name = ?1 AND ${LIMIT} < (${counting(name)})`;

/** Returns the quota for which D1 refused a batch; null for any other error. */
export function exceededQuota(error: unknown): CountedQuota | null {
  if (!(error instanceof Error)) return null;
  // The pattern is anchored at the beginning, because the rest of the message can contain an account's own text.
  const [, exceeded] = /^(?:D1_ERROR: )?bad JSON path: 'quota_exceeded (\w+)'/.exec(error.message) ?? [];
  return COUNTED_QUOTAS.find((name) => name === exceeded) ?? exceededQuota(error.cause);
}
