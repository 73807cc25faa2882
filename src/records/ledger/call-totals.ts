import { instantOf } from "../../kernel/instant-ids.ts";
import { HOUR_MS } from "../../kernel/time.ts";
import { type CallFilter, rangeOf } from "./call-queries.ts";
import { oneOfAgents } from "./of-agents.ts";

/**
 * Totals of the stored calls. Triggers maintain them, so that they are right whichever code deletes calls. The
 * counters, in contrast, include deleted calls.
 */
export const CALL_TOTALS = `
  CREATE TABLE call_totals (
    agent_id TEXT NOT NULL, campaign_id TEXT NOT NULL, calls INTEGER NOT NULL, PRIMARY KEY (agent_id, campaign_id)
  ) WITHOUT ROWID;
  CREATE TRIGGER calls_inserted AFTER INSERT ON calls WHEN new.line_revision > 0 BEGIN
    INSERT INTO call_totals VALUES (new.agent_id, ifnull(new.campaign_id, ''), 1) ON CONFLICT DO UPDATE SET calls = calls + 1;
  END;
  CREATE TRIGGER calls_lined AFTER UPDATE ON calls WHEN old.line_revision = 0 AND new.line_revision > 0 BEGIN
    INSERT INTO call_totals VALUES (new.agent_id, ifnull(new.campaign_id, ''), 1) ON CONFLICT DO UPDATE SET calls = calls + 1;
  END;
  CREATE TRIGGER calls_moved AFTER UPDATE OF agent_id, campaign_id ON calls
    WHEN old.line_revision > 0 AND (old.agent_id <> new.agent_id OR old.campaign_id IS NOT new.campaign_id) BEGIN
    UPDATE call_totals SET calls = calls - 1 WHERE agent_id = old.agent_id AND campaign_id = ifnull(old.campaign_id, '');
    INSERT INTO call_totals VALUES (new.agent_id, ifnull(new.campaign_id, ''), 1) ON CONFLICT DO UPDATE SET calls = calls + 1;
  END;
  CREATE TRIGGER calls_deleted AFTER DELETE ON calls WHEN old.line_revision > 0 BEGIN
    UPDATE call_totals SET calls = calls - 1 WHERE agent_id = old.agent_id AND campaign_id = ifnull(old.campaign_id, '');
  END;
`;

/** Checks whether totals are kept for a filter: for all calls, an agent or a campaign, within whole hours. */
export function isTallied({ agent_version, status, disclosed, phone_number, since, until }: CallFilter): boolean {
  const others = [agent_version, status, disclosed, phone_number];
  return others.every((value) => value === undefined) && [since, until].every(isWholeHour);
}

const isWholeHour = (time: string | undefined) => time === undefined || time.endsWith(":00:00.000Z");

/** Counts the calls that a filter selects, if totals are kept for it (`isTallied`). */
export function talliedCalls(sql: SqlStorage, filter: CallFilter): number {
  return filter.since === undefined && filter.until === undefined
    ? sum(sql, "call_totals", ownedBy(filter))
    : withinHours(sql, filter);
}

/**
 * Counts calls within whole hours. The counters include deleted calls. In hours from which calls were deleted, only
 * calls that were still running are left, and these rows are counted instead.
 */
function withinHours(sql: SqlStorage, filter: CallFilter): number {
  const { since, until } = filter;
  const intact = firstIntactHour(sql);
  const hours: Condition[] = [["kind = 'call'"]];
  if (intact !== null) hours.push(["hour >= ?", hourOf(intact)]);
  if (since !== undefined) hours.push(["hour >= ?", hourOf(since)]);
  if (until !== undefined) hours.push(["hour < ?", hourOf(until)]);
  const counted = sum(sql, "counters", [...hours, ...ownedBy(filter)]);
  return intact === null ? counted : counted + rowsBefore(sql, intact, filter);
}

/** Returns the first hour from which no call was deleted; null if none ever was. */
function firstIntactHour(sql: SqlStorage): string | null {
  const [row] = sql.exec<{ kept_from: string }>("SELECT kept_from FROM call_retention").toArray();
  const keptFrom = row === undefined ? null : instantOf(row.kept_from);
  return keptFrom === null ? null : new Date(Math.ceil(keptFrom / HOUR_MS) * HOUR_MS).toISOString();
}

type Condition = [sql: string, ...values: string[]];

function ownedBy({ agent_id, agent_ids, campaign_id }: CallFilter): Condition[] {
  const owners: Condition[] = [];
  if (agent_id !== undefined) owners.push(["agent_id = ?", agent_id]);
  if (agent_ids !== undefined) owners.push(oneOfAgents("agent_id", agent_ids));
  if (campaign_id !== undefined) owners.push(["campaign_id = ?", campaign_id]);
  return owners;
}

/** Counts the rows of calls in a window that were created before `end`. */
function rowsBefore(sql: SqlStorage, end: string, filter: CallFilter): number {
  const { since, until = end } = filter;
  const { low, high } = rangeOf({ since, until: until < end ? until : end }, null);
  return sum(sql, "calls", [["line_revision > 0"], ["id >= ? AND id < ?", low, high], ...ownedBy(filter)], "1");
}

function sum(sql: SqlStorage, table: string, conditions: Condition[], summed = "calls"): number {
  const where = conditions.length === 0 ? "true" : conditions.map(([text]) => text).join(" AND ");
  const values = conditions.flatMap(([, ...rest]) => rest);
  return sql.exec<{ n: number }>(`SELECT total(${summed}) AS n FROM ${table} WHERE ${where}`, ...values).one().n;
}

const hourOf = (time: string) => time.slice(0, 13);
