import type { AccountStore } from "../db/account-store.ts";
import { type ObjectGauges, objectGauges } from "../db/schema/index.ts";
import { MINUTE_MS } from "../time.ts";
import type { ObjectPart } from "./object-part.ts";

/** What an object tells of itself beside its name, its kind, the time and its alarms. */
export type Gauges = Pick<
  ObjectGauges,
  "storage_bytes" | "outbox_rows" | "outbox_since" | "call_leases" | "live_leases"
>;

interface Dependencies {
  storage: DurableObjectStorage;
  /** What it is called within its account: `webhook/<id>`. */
  object: string;
  kind: string;
  store: Pick<AccountStore, "record" | "upsertMany">;
  /** Whether there is anything to tell now; asked at every change, so it reads one row at most. */
  isBusy(now: number): boolean;
  /** How it is at `now`, ms. */
  read(now: number): Gauges;
  /** The most that an alarm was late since this was last asked, ms. */
  takeAlarmLag(): number;
  clock(): number;
}

/**
 * Kept in the object, which is evicted between its alarms: what D1 was told last, and when (ms). A crash in between has it
 * told once more.
 */
const TOLD = "gauges told";
type Told = { at: number; busy: boolean };

/** What an object's row is overwritten with. */
const GAUGE_COLUMNS = [
  "at" as const,
  "storage_bytes" as const,
  "outbox_rows" as const,
  "outbox_since" as const,
  "alarm_lag_ms" as const,
  "call_leases" as const,
  "live_leases" as const,
];

/**
 * Tells D1 how the object is, for operators' metrics: at most once a minute while it is busy, and once when it no longer
 * is. An object that does nothing tells nothing, and is not woken for it.
 */
export class GaugePush implements ObjectPart {
  readonly #deps: Dependencies;
  #told: Told | null;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#told = deps.storage.kv.get<Told>(TOLD) ?? null;
  }

  nextAt(): number | null {
    const { isBusy, clock } = this.#deps;
    if (!isBusy(clock()) && this.#told?.busy !== true) return null;
    return this.#told === null ? clock() : this.#told.at + MINUTE_MS;
  }

  async round(now: number): Promise<void> {
    const { object, kind, store, isBusy, read, takeAlarmLag } = this.#deps;
    const busy = isBusy(now);
    const gauges: ObjectGauges = Object.assign({ object, kind, at: now, alarm_lag_ms: takeAlarmLag() }, read(now));
    // Before D1 hears of it: one that was told as busy is told again, whatever becomes of this.
    this.#note({ at: now, busy: true });
    const target = [objectGauges.account, objectGauges.object];
    await store.record(store.upsertMany(objectGauges, [gauges], { target, columns: [...GAUGE_COLUMNS] }));
    if (!busy) this.#note({ at: now, busy: false });
  }

  #note(told: Told): void {
    this.#told = told;
    this.#deps.storage.kv.put(TOLD, told);
  }
}
