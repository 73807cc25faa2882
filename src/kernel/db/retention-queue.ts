import { and, asc, eq, inArray, lte, ne, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { accounts, callSettings, OPERATOR_ACCOUNT, privacySettings } from "./schema/index.ts";

/** The number of days for which an account keeps its records; null means as long as the account exists. */
export interface RecordDays {
  conversations: number | null;
  recordings: number | null;
  calls: number | null;
}

/**
 * An account with the days for which it keeps records, and the first days (UTC) of its ledger's volumes, oldest first.
 */
export interface AccountRetention {
  name: string;
  volumes: string[];
  days: RecordDays;
}

/**
 * A queue of the accounts whose ledgers need their current retention, first in, first out. An account that fails goes
 * to the end, so that it does not block others.
 */
export class RetentionQueue {
  readonly #db;

  constructor(d1: D1Database) {
    this.#db = drizzle(d1);
  }

  /**
   * Takes at most `limit` accounts that are due at `now`. Accounts that are not confirmed become due again at `again`.
   * Times are in ms.
   */
  async take(now: number, again: number, limit: number): Promise<AccountRetention[]> {
    const { name, retention_due_at, retention_owed_since } = accounts;
    const due = this.#db
      .select({ name })
      .from(accounts)
      .where(and(lte(retention_due_at, now), ne(name, OPERATOR_ACCOUNT)))
      .orderBy(asc(retention_due_at), asc(name))
      .limit(limit);
    const [rows] = await this.#db.batch([
      this.#select().where(inArray(name, due)),
      this.#db
        .update(accounts)
        .set({
          retention_due_at: again,
          retention_owed_since: sql`coalesce(${retention_owed_since}, nullif(${retention_due_at}, 0), ${now})`,
        })
        .where(inArray(name, due)),
    ]);
    return rows.map(retentionOf);
  }

  /**
   * Records that accounts' ledgers have received their retention and are next due at `next`. Accounts whose settings
   * have changed since they were taken are skipped.
   */
  async told(names: string[], { again, next }: { again: number; next: number }): Promise<void> {
    const among = sql`(SELECT value FROM json_each(${JSON.stringify(names)}))`;
    await this.#db
      .update(accounts)
      .set({ retention_due_at: next, retention_owed_since: null })
      .where(and(inArray(accounts.name, among), eq(accounts.retention_due_at, again)));
  }

  #select() {
    const { name, created_at, ledger_days, recording_retention_days } = accounts;
    return this.#db
      .select({
        name,
        created_at,
        ledger_days,
        recordings: recording_retention_days,
        conversations: callSettings.retention_days,
        calls: privacySettings.calls_days,
      })
      .from(accounts)
      .leftJoin(callSettings, eq(callSettings.account, name))
      .leftJoin(privacySettings, eq(privacySettings.account, name));
  }
}

interface Stored extends RecordDays {
  name: string;
  created_at: string;
  ledger_days: string[];
}

function retentionOf({ name, created_at, ledger_days, conversations, recordings, calls }: Stored): AccountRetention {
  return { name, volumes: [created_at.slice(0, 10), ...ledger_days], days: { conversations, recordings, calls } };
}
