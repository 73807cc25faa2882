import { and, asc, eq, inArray, lte, ne, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { accounts, callSettings, OPERATOR_ACCOUNT, privacySettings } from "./schema/index.ts";

/** How many days an account keeps its records; null for as long as it exists. */
export interface RecordDays {
  conversations: number | null;
  recordings: number | null;
  calls: number | null;
}

/** An account with the days it keeps records, and the first days (UTC) of its ledger's volumes, oldest first. */
export interface AccountRetention {
  name: string;
  volumes: string[];
  days: RecordDays;
}

/**
 * The accounts whose ledgers are to be told from when on records are kept: first in, first out. One that fails goes to
 * the end, so that it holds up no other.
 */
export class RetentionQueue {
  readonly #db;

  constructor(d1: D1Database) {
    this.#db = drizzle(d1);
  }

  /** Takes the first accounts that are due at `now`, at most `limit`; those not told come again at `again`. Times are ms. */
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

  /** Notes that accounts were told, and are due at `next`; not one whose settings have changed since it was taken. */
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
