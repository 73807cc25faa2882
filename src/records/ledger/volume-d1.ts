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

export class VolumeD1 {
  readonly #store: VolumeStore;

  constructor(store: VolumeStore) {
    this.#store = store;
  }

  /** Returns for how many days the account keeps its audit log; null if without limit. */
  async auditDays(): Promise<number | null> {
    const [settings] = await this.#store.read(this.#store.first(privacySettings, { columns: ["audit_days"] }));
    return auditDaysOf(settings);
  }

  /** Writes totals of days and the volume's gauges in one batch. An older revision of a total changes nothing. */
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

  /**
   * Adds a volume that begins on `day` if the newest begins on `newest`. Returns the first day of the newest volume.
   */
  async appendDay(newest: string, day: string): Promise<string | undefined> {
    const [, days] = await this.#store.record(this.#store.appendLedgerDay(newest, day), this.#store.ledgerDays());
    return days.at(-1);
  }
}
