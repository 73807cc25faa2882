import { and, eq, lt, ne, notExists, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { DAY_MS } from "../time.ts";
import {
  accountDays,
  accounts,
  agents,
  agentVersions,
  auditLog,
  callSettings,
  DEFAULT_AUDIT_DAYS,
  OPERATOR_ACCOUNT,
  phoneNumbers,
  privacySettings,
  telephonyProviders,
  visitorFamilies,
} from "./schema/index.ts";

/** The number of days for which daily totals are kept: three years, plus some days to spare. */
const DAYS_KEPT = 1_100;

export interface NamingAgent {
  account: string;
  id: string;
  /** When it was created, ISO 8601. */
  created_at: string;
  named: string[];
}

/** The statements of scheduled jobs, which apply to all accounts. */
export class Maintenance {
  readonly #db;

  constructor(d1: D1Database) {
    this.#db = drizzle(d1);
  }

  /** Returns the accounts that have versions of agents, with the days they keep conversations, in random order. */
  withVersions(): Promise<{ name: string; retention_days: number | null }[]> {
    const { account, retention_days } = callSettings;
    const hasVersions = sql`EXISTS (SELECT 1 FROM version_bodies WHERE account = ${accounts.name}) OR EXISTS (SELECT 1 FROM agent_versions WHERE account = ${accounts.name})`;
    return this.#db
      .select({ name: accounts.name, retention_days })
      .from(accounts)
      .leftJoin(callSettings, eq(account, accounts.name))
      .where(hasVersions)
      .orderBy(sql`random()`);
  }

  /**
   * Returns the agents of these accounts that name one of these models in their draft or in the version in force, with
   * all the models that each agent names.
   */
  namingModels(names: string[], models: string[]): Promise<NamingAgent[]> {
    const { account, id, created_at, llm_model, fallback_model, analysis, versioning, published_version } = agents;
    const { fields } = agentVersions;
    const named = sql<string[]>`json_array(${llm_model}, ${fallback_model}, ${analysis} ->> 'model',
      ${fields} ->> 'llm_model', ${fields} ->> 'fallback_model', ${fields} ->> '$.analysis.model')`.mapWith(readNames);
    const isInForce = and(
      eq(agentVersions.account, account),
      eq(agentVersions.agent_id, id),
      eq(agentVersions.number, published_version),
      eq(versioning, "manual"),
    );
    const isNaming = sql`EXISTS (SELECT 1 FROM json_each(${named}) WHERE value IN ${among(models)})`;
    return this.#db
      .select({ account, id, created_at, named })
      .from(agents)
      .leftJoin(agentVersions, isInForce)
      .where(and(sql`${account} IN ${among(names)}`, ne(agents.status, "archived"), isNaming));
  }

  /** Deletes up to `most` entries of the audit log that are past their account's retention, and returns how many. */
  async deleteOldAuditEntries(now: number, most: number): Promise<number> {
    const { account, audit_days } = privacySettings;
    const days = sql`iif(${account} IS NULL, ${DEFAULT_AUDIT_DAYS}, ${audit_days})`;
    const old = this.#db
      .select({ rowid: sql`${auditLog}.rowid` })
      .from(accounts)
      .leftJoin(privacySettings, eq(account, accounts.name))
      .innerJoin(auditLog, and(eq(auditLog.account, accounts.name), lt(auditLog.at, daysBefore(now, days))))
      .where(ne(accounts.name, OPERATOR_ACCOUNT))
      .limit(most);
    const { meta } = await this.#db.delete(auditLog).where(sql`${auditLog}.rowid IN ${old}`);
    return meta.changes;
  }

  /** Deletes up to `most` daily totals that are too old to be read, and returns how many. */
  async deleteOldDays(now: number, most: number): Promise<number> {
    const oldest = new Date(now - DAYS_KEPT * DAY_MS).toISOString().slice(0, 10);
    const old = sql`(SELECT rowid FROM ${accountDays} WHERE ${accountDays.day} < ${oldest} LIMIT ${most})`;
    const { meta } = await this.#db.delete(accountDays).where(sql`rowid IN ${old}`);
    return meta.changes;
  }

  /**
   * Returns some accounts whose copy of the shipped catalogue is older than `version`. The operators' account has no
   * copy. The choice is random, so that accounts that keep failing do not block the others.
   */
  async outdated(version: number, limit: number): Promise<string[]> {
    const rows = await this.#db
      .select({ name: accounts.name })
      .from(accounts)
      .where(and(lt(accounts.catalog_version, version), ne(accounts.name, OPERATOR_ACCOUNT)))
      .orderBy(sql`random()`)
      .limit(limit);
    return rows.map(({ name }) => name);
  }

  /** Deletes some expired families of visitor sessions, and returns how many. */
  async deleteOldFamilies(now: number, limit: number): Promise<number> {
    const past = sql`(SELECT rowid FROM visitor_families WHERE expires_at < ${new Date(now).toISOString()} LIMIT ${limit})`;
    const { meta } = await this.#db.delete(visitorFamilies).where(sql`rowid IN ${past}`);
    return meta.changes;
  }

  async hasCatalog(name: string, version: number): Promise<void> {
    await this.#db.update(accounts).set({ catalog_version: version }).where(eq(accounts.name, name));
  }

  /** Purges carrier credentials that were deleted before `at` and that no call uses any more. */
  async purgeCredentials(at: string): Promise<void> {
    const used = this.#db
      .select({ id: phoneNumbers.id })
      .from(phoneNumbers)
      .where(
        and(
          eq(phoneNumbers.account, telephonyProviders.account),
          eq(phoneNumbers.credentials_id, telephonyProviders.id),
        ),
      );
    await this.#db.delete(telephonyProviders).where(and(lt(telephonyProviders.deleted_at, at), notExists(used)));
  }
}

const among = (texts: string[]): SQL => sql`(SELECT value FROM json_each(${JSON.stringify(texts)}))`;

const readNames = (json: string): string[] =>
  z
    .array(z.string().nullable())
    .parse(JSON.parse(json))
    .filter((name) => name !== null);

/** Returns SQL for the time that is a number of days before `now` (ms). The number may differ per row. */
function daysBefore(now: number, days: SQLiteColumn | SQL): SQL {
  return sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${now / 1000}, 'unixepoch', -${days} || ' days')`;
}
