import { isRestoring } from "../backup/restoring.ts";
import { unavailable } from "../http/errors.ts";
import { MINUTE_MS, SECOND_MS } from "../time.ts";
import { giveWay } from "./give-way.ts";
import { hasTable, type Migration, migrate } from "./migrate.ts";
import type { ObjectPart } from "./object-part.ts";
import { isParked } from "./part-failures.ts";
import { type PartFailures, type PartList, PartSchedule } from "./part-schedule.ts";

/** The retry delay for calls to an object that is being restored, ms. */
const RESTORING_AGAIN_MS = 30_000;
/** An alarm that is this late (ms) may have been lost. */
const LOST_AFTER_MS = SECOND_MS;
/** The maximum time that an alarm works, ms. The next alarm continues. */
const LONGEST_MS = MINUTE_MS;
/**
 * The maximum number of turns in an alarm. The clock stops while a part computes, so a time limit alone would not limit
 * the alarm's CPU time.
 */
export const MOST_TURNS = 200;
export const FAILURES_KEY = "failing parts";

/**
 * How the frame finds out whether the object holds anything: from its recorded steps, or by asking an object that opens
 * its tables itself.
 */
type Tables = { migrations: readonly Migration[] } | { holds(): boolean };

type Dependencies<Opened> = Tables & {
  state: Pick<DurableObjectState, "storage" | "blockConcurrencyWhile">;
  /** Builds the object's parts once its tables exist. */
  build(sql: SqlStorage): Opened;
  /** Returns the parts that have work of their own, by the names used in the log. */
  parts(opened: Opened): PartList;
  /** Logs a part's failure. `parked_since` (ISO 8601) is when the failures of a parked part began. */
  report(error: unknown, context: { part: string; parked_since?: string }): void;
};

/**
 * Opens an object's tables at first use, so that an unused object stores nothing, and drives its parts with one alarm.
 * The alarm never fails: a failing part is retried on its own for as long as it fails. When the object is built, its
 * parts resume and the alarm is set again, because it may have been lost with the process.
 */
export class ObjectFrame<Opened> {
  readonly #deps: Dependencies<Opened>;
  readonly #schedule = new PartSchedule();
  readonly #running = new Set<Promise<void>>();
  #opened: Opened | null = null;
  #isClosed = false;
  #life = 0;
  #isDriving = false;
  /** Resolves when something happens that the running alarm may have missed. */
  #wakeUp = Promise.withResolvers<void>();
  /** When the alarm is set to fire (ms), if it was set since the object was built. */
  #armedAt: number | null = null;
  #armed: Promise<void> = Promise.resolve();
  #alarmLagMs = 0;

  constructor(deps: Dependencies<Opened>) {
    this.#deps = deps;
    deps.state.blockConcurrencyWhile(async () => {
      // Continues after the object's constructor has ended, because parts refer to fields that it sets.
      await null;
      if (this.existing) await this.#resume();
    });
  }

  /** The object's parts; null if the object holds nothing yet or is only partly restored. */
  get existing(): Opened | null {
    const deps = this.#deps;
    if ("holds" in deps) return deps.holds() ? (this.#opened ?? this.open()) : null;
    if (this.#opened) return this.#opened;
    const { storage } = deps.state;
    return hasTable(storage, "migrations") && !isRestoring(storage) ? this.open() : null;
  }

  /** Opens the object, creating its tables if needed. @throws ApiError 503 while the object is being restored */
  open(): Opened {
    if (this.#opened) return this.#opened;
    const deps = this.#deps;
    const { storage } = deps.state;
    if ("migrations" in deps) {
      if (isRestoring(storage)) throw unavailable("restoring", "the account is being restored", RESTORING_AGAIN_MS);
      migrate(storage, deps.migrations, Date.now());
    }
    this.#opened = deps.build(storage.sql);
    return this.#opened;
  }

  /** A number that changes when the object is emptied. Work that began before must not store anything afterwards. */
  get life(): number {
    return this.#life;
  }

  /** Deletes everything that the object stores. Work in progress is discarded. */
  async empty(): Promise<void> {
    const { storage } = this.#deps.state;
    this.#opened = null;
    this.#armedAt = null;
    this.#schedule.failures = {};
    this.#schedule.changed();
    this.#life += 1;
    await storage.deleteAlarm();
    await storage.deleteAll();
  }

  /**
   * Ends the object's work for good, because everything that it stores is about to be deleted. Afterwards the object
   * holds nothing, even if it is not rebuilt, which its caller's death can prevent.
   */
  close(): void {
    this.#isClosed = true;
    this.#opened = null;
    this.#schedule.changed();
  }

  /** Sets the alarm for the part that is due first. It must be called after every change of what a part waits for. */
  async arm(): Promise<void> {
    this.#wakeUp.resolve();
    if (this.#isDriving) this.#schedule.changed();
    else if (this.#isDueNow(Date.now())) await this.#armed;
    else await this.#arm(this.#schedule.alarmAt(this.#parts, Date.now()));
  }

  /** Returns the longest delay of an alarm since the last call, ms, and resets it. */
  takeAlarmLag(): number {
    const lag = this.#alarmLagMs;
    this.#alarmLagMs = 0;
    return lag;
  }

  /** Handles the alarm: runs parts until none is due or the time for one alarm is over. */
  async alarm(): Promise<void> {
    const until = Date.now() + LONGEST_MS;
    if (this.#armedAt !== null) this.#alarmLagMs = Math.max(this.#alarmLagMs, Date.now() - this.#armedAt);
    else for (const part of Object.values(this.#parts)) part.remind?.(Date.now());
    this.#armedAt = null;
    this.#schedule.changed();
    this.#isDriving = true;
    try {
      for (let turn = 0; turn < MOST_TURNS && Date.now() < until; turn++) {
        this.#wakeUp = Promise.withResolvers();
        this.#start(this.#schedule.begin(this.#parts, Date.now()), until);
        if (this.#running.size === 0) break;
        await this.#change(until);
        if (this.#isIdle(Date.now())) break;
        await giveWay();
      }
    } finally {
      this.#isDriving = false;
      const { nextAt } = this.#schedule;
      const isKnown = nextAt !== undefined && this.#running.size === 0;
      await this.#arm(isKnown ? nextAt : this.#schedule.alarmAt(this.#parts, Date.now()));
    }
  }

  get #parts(): PartList {
    const opened = this.#isClosed ? null : this.existing;
    return opened === null ? {} : this.#deps.parts(opened);
  }

  async #resume(): Promise<void> {
    const { storage } = this.#deps.state;
    this.#schedule.failures = storage.kv.get<PartFailures>(FAILURES_KEY) ?? {};
    const armedAt = await storage.getAlarm();
    for (const part of Object.values(this.#parts)) part.resume?.(Date.now(), armedAt);
    await this.#arm(this.#schedule.alarmAt(this.#parts, Date.now()));
  }

  /** Checks whether the alarm is about to fire, so that setting it again would change nothing. */
  #isDueNow(now: number): boolean {
    return this.#armedAt !== null && this.#armedAt <= now + 1 && this.#armedAt > now - LOST_AFTER_MS;
  }

  /** Sets the alarm for a time (ms) in the future, unless it is already set for an earlier one; null means no time. */
  async #arm(time: number | null): Promise<void> {
    if (time === null) return;
    const at = Math.max(Date.now() + 1, time);
    this.#armedAt = Math.min(this.#armedAt ?? at, at);
    this.#armed = this.#setAlarm(at);
    await this.#armed;
  }

  async #setAlarm(at: number): Promise<void> {
    const { storage } = this.#deps.state;
    const armed = await storage.getAlarm();
    if (armed === null || armed > at) await storage.setAlarm(at);
  }

  #start(parts: [name: string, part: ObjectPart][], until: number): void {
    for (const [name, part] of parts) {
      const piece = this.#run(name, part, until).finally(() => {
        this.#running.delete(piece);
        // Newly due parts start now instead of after the next yield.
        if (this.#isDriving) this.#start(this.#schedule.beginMore(this.#parts, Date.now()), until);
      });
      this.#running.add(piece);
    }
  }

  /** Runs one piece of a part. Never rejects. */
  async #run(name: string, part: ObjectPart, until: number): Promise<void> {
    try {
      await part.run(Date.now(), until);
      this.#ended(name, part, "done");
    } catch (error) {
      if (this.#ended(name, part, "failed")) this.#report(name, error);
    }
  }

  /**
   * Records the outcome of a piece. Returns false if it is discarded because the object was emptied in the meantime.
   */
  #ended(name: string, part: ObjectPart, outcome: "done" | "failed"): boolean {
    const { failures } = this.#schedule;
    const isRoutine = outcome === "done" && failures[name] === undefined;
    const isHere = isRoutine || this.#parts[name] === part;
    this.#schedule.ended(name, part, isHere ? outcome : "discarded", Date.now());
    if (this.#schedule.failures !== failures) this.#store(this.#schedule.failures);
    return isHere;
  }

  /** Stores how long parts have been failing. Otherwise an eviction between alarms would reset it. */
  #store(failures: PartFailures): void {
    const { kv } = this.#deps.state.storage;
    if (Object.keys(failures).length > 0) kv.put(FAILURES_KEY, failures);
    else kv.delete(FAILURES_KEY);
  }

  #report(part: string, error: unknown): void {
    const failure = this.#schedule.failures[part];
    const isLong = failure !== undefined && isParked(failure, Date.now());
    this.#deps.report(error, isLong ? { part, parked_since: new Date(failure.since).toISOString() } : { part });
  }

  /** Checks whether no piece is running and no part is due. */
  #isIdle(now: number): boolean {
    const { nextAt } = this.#schedule;
    return this.#running.size === 0 && nextAt !== undefined && (nextAt ?? Number.POSITIVE_INFINITY) > now;
  }

  /** Waits until a piece ends, another part is due or something changes. */
  async #change(until: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const ms = Math.min(until, this.#schedule.nextAt ?? until) - Date.now();
    const timer = setTimeout(resolve, Math.max(0, ms));
    await Promise.race([...this.#running, this.#wakeUp.promise, promise]);
    clearTimeout(timer);
  }
}
