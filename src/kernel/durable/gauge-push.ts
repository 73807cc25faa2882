import type { AccountStore } from "../db/account-store.ts";
import { type ObjectGauges, objectGauges } from "../db/schema/index.ts";
import { MINUTE_MS } from "../time.ts";
import type { ObjectPart } from "./object-part.ts";

/** The gauges of an object, without its name, kind, time and alarms. */
export type Gauges = Pick<
  ObjectGauges,
  "storage_bytes" | "outbox_rows" | "outbox_parked" | "outbox_since" | "call_leases" | "live_leases"
> &
  Partial<Pick<ObjectGauges, "retention_since">>;

interface Dependencies {
  storage: DurableObjectStorage;
  /** The object's name within the account, such as `webhook/<id>`. */
  object: string;
  kind: string;
  store: Pick<AccountStore, "record" | "upsertMany">;
  /** Checks whether there is anything to report now. Called after every change, so it may read one row at most. */
  isBusy(now: number): boolean;
  read(now: number): Gauges;
  /** Returns the longest delay of an alarm since the last call, ms, and resets it. */
  takeAlarmLag(): number;
  clock(): number;
}

/**
 * The storage key of the last push to D1. Its time (ms) is stored, because objects are evicted between alarms. A crash
 * in between repeats the push.
 */
const LAST_PUSH_KEY = "gauges told";
type LastPush = { at: number; busy: boolean };

/** The columns that each push overwrites. */
const GAUGE_COLUMNS = [
  "at" as const,
  "storage_bytes" as const,
  "outbox_rows" as const,
  "outbox_parked" as const,
  "outbox_since" as const,
  "alarm_lag_ms" as const,
  "call_leases" as const,
  "live_leases" as const,
  "retention_since" as const,
];

/**
 * Pushes the object's gauges to D1 for operators' metrics: at most once a minute while the object is busy, and once
 * when it becomes idle. An idle object is not woken to push.
 */
export class GaugePush implements ObjectPart {
  readonly #deps: Dependencies;
  #lastPush: LastPush | null;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#lastPush = deps.storage.kv.get<LastPush>(LAST_PUSH_KEY) ?? null;
  }

  dueAt(): number | null {
    const { isBusy, clock } = this.#deps;
    if (!isBusy(clock()) && this.#lastPush?.busy !== true) return null;
    return this.#lastPush === null ? clock() : this.#lastPush.at + MINUTE_MS;
  }

  async run(now: number): Promise<void> {
    const { object, kind, store, isBusy, read, takeAlarmLag } = this.#deps;
    const busy = isBusy(now);
    const own = { object, kind, at: now, alarm_lag_ms: takeAlarmLag(), retention_since: null };
    const gauges: ObjectGauges = Object.assign(own, read(now));
    // Stored before the push, so that a busy object is pushed again even if this push fails.
    this.#note({ at: now, busy: true });
    const target = [objectGauges.account, objectGauges.object];
    await store.record(store.upsertMany(objectGauges, [gauges], { target, columns: [...GAUGE_COLUMNS] }));
    if (!busy) this.#note({ at: now, busy: false });
  }

  #note(push: LastPush): void {
    this.#lastPush = push;
    this.#deps.storage.kv.put(LAST_PUSH_KEY, push);
  }
}
