import { sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import {
  accountDays,
  auditDaysOf,
  DAY_SUMS,
  type DayTotal,
  type ObjectGauges,
  objectGauges,
  privacySettings,
} from "../../kernel/db/schema/index.ts";

type VolumeStore = Pick<AccountStore, "read" | "first" | "record" | "upsertMany" | "appendLedgerDay" | "ledgerDays">;

/** What a volume reads from D1 and writes there. */
export class VolumeD1 {
  readonly #store: VolumeStore;

  constructor(store: VolumeStore) {
    this.#store = store;
  }

  /** For how many days the account keeps its audit log; null if without limit. */
  async auditDays(): Promise<number | null> {
    const [settings] = await this.#store.read(this.#store.first(privacySettings, { columns: ["audit_days"] }));
    return auditDaysOf(settings);
  }

  /** Writes totals of days, where an older revision changes nothing, and how the volume is, in one batch. */
  async putDays(totals: DayTotal[], gauges: ObjectGauges): Promise<void> {
    const on = {
      target: [accountDays.account, accountDays.day],
      columns: ["revision" as const, ...DAY_SUMS],
      when: sql`excluded.revision > ${accountDays.revision}`,
    };
    await this.#store.record(
      this.#store.upsertMany(accountDays, totals, on),
      this.#store.upsertMany(objectGauges, [gauges], {
        target: [objectGauges.account, objectGauges.object],
        columns: [
          "at",
          "storage_bytes",
          "outbox_rows",
          "outbox_parked",
          "outbox_since",
          "alarm_lag_ms",
          "retention_since",
        ],
      }),
    );
  }

  /** Has a volume begin on `day` if the newest one begins on `newest`; gives the first day of the newest one then. */
  async appendDay(newest: string, day: string): Promise<string | undefined> {
    const [, days] = await this.#store.record(this.#store.appendLedgerDay(newest, day), this.#store.ledgerDays());
    return days.at(-1);
  }
}
