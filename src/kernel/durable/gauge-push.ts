import type { AccountStore } from "../db/account-store.ts";
import { type ObjectGauges, objectGauges } from "../db/schema/index.ts";
import { MINUTE_MS } from "../time.ts";
import type { ObjectPart } from "./object-part.ts";

/** An object's gauges, beside its name, its kind, the time and its alarms. */
export type Gauges = Pick<
  ObjectGauges,
  "storage_bytes" | "outbox_rows" | "outbox_parked" | "outbox_since" | "call_leases" | "live_leases"
> &
  Partial<Pick<ObjectGauges, "retention_since">>;

interface Dependencies {
  storage: DurableObjectStorage;
  /** Its name within its account: `webhook/<id>`. */
  object: string;
  kind: string;
  store: Pick<AccountStore, "record" | "upsertMany">;
  /** Whether there is anything to report now; called at every change, so it reads one row at most. */
  isBusy(now: number): boolean;
  /** Its gauges at `now`, ms. */
  read(now: number): Gauges;
  /** The most that an alarm was late since this was last asked, ms. */
  takeAlarmLag(): number;
  clock(): number;
}

/**
 * Stored in the object, which is evicted between its alarms: the last push to D1, and when (ms). A crash in between
 * repeats the push.
 */
const LAST_PUSH_KEY = "gauges told";
type LastPush = { at: number; busy: boolean };

/** What an object's row is overwritten with. */
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
 * Pushes the object's gauges to D1, for operators' metrics: at most once a minute while it is busy, and once when it no
 * longer is. An idle object pushes nothing, and is not woken for it.
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
    // Stored before the push: a busy object is pushed again, even if this push fails.
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
