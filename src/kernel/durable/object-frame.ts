import { isRestoring } from "../backup/restoring.ts";
import { unavailable } from "../http/errors.ts";
import { armNoLaterThan, nextAlarm } from "./alarm.ts";
import { hasTable, type Migration, migrate } from "./migrate.ts";
import type { ObjectPart } from "./object-part.ts";

/** After a failure a part's work is tried again, ms. */
export const TRY_AGAIN_MS = 2_000;
/** When to try again what an object refuses while it is restored, ms. */
const RESTORING_AGAIN_MS = 30_000;

interface Dependencies<Parts> {
  storage: DurableObjectStorage;
  migrations: readonly Migration[];
  /** Makes the parts once the tables are there. */
  build(sql: SqlStorage): Parts;
  report(error: unknown): void;
}

/** Opens an object's parts at their first use, so that an unused object stores nothing, and drives them by one alarm. */
export class ObjectFrame<Parts extends { [Name in keyof Parts]: ObjectPart }> {
  readonly #deps: Dependencies<Parts>;
  #opened: Parts | null = null;
  #alarmLagMs = 0;
  /** Anything due before the object was built is not counted as a late alarm, ms. */
  readonly #builtAt = Date.now();
  /** Parts whose work failed, and until when (ms) they wait. */
  readonly #waiting = new Map<ObjectPart, number>();

  constructor(deps: Dependencies<Parts>) {
    this.#deps = deps;
  }

  /** Null if the object holds nothing yet, or is only partly restored. */
  get existing(): Parts | null {
    if (this.#opened) return this.#opened;
    const { storage } = this.#deps;
    return hasTable(storage, "migrations") && !isRestoring(storage) ? this.open() : null;
  }

  /** @throws ApiError 503 while the object is being restored */
  open(): Parts {
    if (this.#opened) return this.#opened;
    const { storage, migrations, build } = this.#deps;
    if (isRestoring(storage)) throw unavailable("restoring", "the account is being restored", RESTORING_AGAIN_MS);
    migrate(storage, migrations, Date.now());
    this.#opened = build(storage.sql);
    return this.#opened;
  }

  /** The object was emptied: it holds nothing until it is used again. */
  forget(): void {
    this.#opened = null;
  }

  /**
   * Called when the object is rebuilt: its parts resume, and the alarm is armed because it may have been lost with the
   * process.
   */
  async resume(): Promise<void> {
    for (const part of this.#parts) part.resume?.(Date.now());
    await this.arm();
  }

  /** Sets the alarm for whatever part has work first; to be called after every change of what a part waits for. */
  async arm(): Promise<void> {
    const times = this.#parts.map((part) => this.#nextAt(part));
    await armNoLaterThan(this.#deps.storage, nextAlarm(times, Date.now() + 1));
  }

  /** The most that an alarm was late since this was last asked, ms. */
  takeAlarmLag(): number {
    const lag = this.#alarmLagMs;
    this.#alarmLagMs = 0;
    return lag;
  }

  /** The alarm: runs the parts that have work to do. */
  async round(): Promise<void> {
    const now = Date.now();
    const due = this.#parts.filter((part) => (this.#nextAt(part) ?? Number.POSITIVE_INFINITY) <= now);
    for (const part of due)
      this.#alarmLagMs = Math.max(this.#alarmLagMs, now - Math.max(this.#builtAt, this.#nextAt(part) ?? now));
    await Promise.all(due.map((part) => this.#work(part, now)));
    await this.arm();
  }

  get #parts(): ObjectPart[] {
    return Object.values(this.existing ?? {});
  }

  #nextAt(part: ObjectPart): number | null {
    const at = part.nextAt();
    return at === null ? null : Math.max(at, this.#waiting.get(part) ?? 0);
  }

  async #work(part: ObjectPart, now: number): Promise<void> {
    try {
      await part.round(now);
      this.#waiting.delete(part);
    } catch (error) {
      this.#waiting.set(part, Date.now() + TRY_AGAIN_MS);
      this.#deps.report(error);
    }
  }
}
