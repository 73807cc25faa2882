import { isRestoring } from "../backup/restoring.ts";
import { unavailable } from "../http/errors.ts";
import { MINUTE_MS, SECOND_MS } from "../time.ts";
import { giveWay } from "./give-way.ts";
import { hasTable, type Migration, migrate } from "./migrate.ts";
import type { ObjectPart } from "./object-part.ts";
import { isParked } from "./part-failures.ts";
import { type PartFailures, type PartList, PartSchedule } from "./part-schedule.ts";

/** When to try again what an object refuses while it is restored, ms. */
const RESTORING_AGAIN_MS = 30_000;
/** An alarm that is this late may have been lost, ms. */
const LOST_AFTER_MS = SECOND_MS;
/** Longest work of one alarm, ms; the next alarm continues. */
const LONGEST_MS = MINUTE_MS;
/**
 * The most turns of one alarm: the clock stands still while a part computes, so time alone is no bound, and each alarm has
 * limited processor time.
 */
export const MOST_TURNS = 200;
/** Under which the object stores which of its parts fail. */
const FAILURES_KEY = "failing parts";

/** Whether the object holds anything: by the steps of its tables, or as an object says that opens its tables itself. */
type Tables = { migrations: readonly Migration[] } | { holds(): boolean };

type Dependencies<Opened> = Tables & {
  state: Pick<DurableObjectState, "storage" | "blockConcurrencyWhile">;
  /** Makes what the object is composed of, once its tables are there. */
  build(sql: SqlStorage): Opened;
  /** Lists what of that has work of its own; the names are those in the log. */
  parts(opened: Opened): PartList;
  /** Logs why a part failed; `parked_since` (ISO 8601) is when a part that has failed for long began to. */
  report(error: unknown, context: { part: string; parked_since?: string }): void;
};

/**
 * Opens an object's tables at their first use, so that an unused object stores nothing, and drives its parts by one
 * alarm. An alarm never fails: a part that does is retried by itself, however long it fails. When the object is built, its
 * parts resume and the alarm is armed again, because it may have been lost with the process.
 */
export class ObjectFrame<Opened> {
  readonly #deps: Dependencies<Opened>;
  readonly #schedule = new PartSchedule(() => this.#parts);
  readonly #running = new Set<Promise<void>>();
  #opened: Opened | null = null;
  #isClosed = false;
  #life = 0;
  /** Whether an alarm is being handled. */
  #isDriving = false;
  /** Resolves when something has happened that the alarm being handled may have missed. */
  #wakeUp = Promise.withResolvers<void>();
  /** What the alarm was armed for in this life of the object, ms. */
  #armedAt: number | null = null;
  /** Resolves when the alarm is armed for that. */
  #armed: Promise<void> = Promise.resolve();
  #alarmLagMs = 0;

  constructor(deps: Dependencies<Opened>) {
    this.#deps = deps;
    deps.state.blockConcurrencyWhile(async () => {
      // What the parts refer to is there once the object's constructor has ended.
      await null;
      if (this.existing) await this.#resume();
    });
  }

  /** Null if the object holds nothing yet, or is only partly restored. */
  get existing(): Opened | null {
    const deps = this.#deps;
    if ("holds" in deps) return deps.holds() ? (this.#opened ?? this.open()) : null;
    if (this.#opened) return this.#opened;
    const { storage } = deps.state;
    return hasTable(storage, "migrations") && !isRestoring(storage) ? this.open() : null;
  }

  /** @throws ApiError 503 while the object is being restored */
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

  /** Changes when the object is emptied: work that began before must not store anything afterwards. */
  get life(): number {
    return this.#life;
  }

  /** Deletes all that the object stores. It holds nothing until it is used again, and what is under way is forgotten. */
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

  /** Ends the object's work for good, because all that it stores is about to be deleted. */
  close(): void {
    this.#isClosed = true;
    this.#schedule.changed();
  }

  /** Arms the alarm for whatever part is due first; to be called after every change of what a part waits for. */
  async arm(): Promise<void> {
    this.#wakeUp.resolve();
    if (this.#isDriving) this.#schedule.changed();
    else if (this.#isDueNow(Date.now())) await this.#armed;
    else await this.#arm();
  }

  /** The most that an alarm was late since this was last asked, ms. */
  takeAlarmLag(): number {
    const lag = this.#alarmLagMs;
    this.#alarmLagMs = 0;
    return lag;
  }

  /** The alarm: runs the parts that are due until none is, or for as long as one alarm may take. */
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
        this.#start(this.#schedule.begin(Date.now()), until);
        if (this.#running.size === 0) break;
        await this.#change(until);
        await giveWay();
      }
    } finally {
      this.#isDriving = false;
      await this.#arm();
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
    await this.#arm();
  }

  /** Whether the alarm comes as soon as it can, so that no part need be asked what to arm it for. */
  #isDueNow(now: number): boolean {
    return this.#armedAt !== null && this.#armedAt <= now + 1 && this.#armedAt > now - LOST_AFTER_MS;
  }

  async #arm(): Promise<void> {
    const at = this.#schedule.alarmAt(Date.now());
    if (at === null) return;
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
        // What it owes now does not wait until the object has given way.
        if (this.#isDriving) this.#start(this.#schedule.beginMore(Date.now()), until);
      });
      this.#running.add(piece);
    }
  }

  /** Runs a piece of a part. Never rejects. */
  async #run(name: string, part: ObjectPart, until: number): Promise<void> {
    try {
      await part.run(Date.now(), until);
      this.#ended(name, part, "done");
    } catch (error) {
      if (this.#ended(name, part, "failed")) this.#report(name, error);
    }
  }

  #ended(name: string, part: ObjectPart, outcome: "done" | "failed"): boolean {
    const { failures } = this.#schedule;
    const isHere = this.#schedule.ended(name, part, outcome, Date.now());
    if (this.#schedule.failures !== failures) this.#store(this.#schedule.failures);
    return isHere;
  }

  /** An object is evicted between its alarms: without this, none would remember for how long a part has failed. */
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

  /** Waits until a piece ends, another part is due or something happens. */
  async #change(until: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const ms = Math.min(until, this.#schedule.nextAt() ?? until) - Date.now();
    const timer = setTimeout(resolve, Math.max(0, ms));
    await Promise.race([...this.#running, this.#wakeUp.promise, promise]);
    clearTimeout(timer);
  }
}
