import { MINUTE_MS } from "../time.ts";
import { earliest } from "./alarm.ts";
import { giveWay } from "./give-way.ts";

/** The result of a round: whether there may be more to do at once, and when (ms) to look again if not. */
export interface Round {
  worked: boolean;
  wakeAt: number | null;
}

/** The work of an alarm loop. */
export interface Work {
  /** The main work, bounded. */
  round(): Promise<Round>;
  /**
   * Pieces of background work, none of which delays the rounds or another piece; each returns when (ms) to continue,
   * null when done.
   */
  readonly beside: readonly (() => Promise<number | null>)[];
  /** Whether any work is left. */
  alive(): boolean;
  report(error: unknown): void;
}

/** Delay before a retry after a failure, ms. */
const TRY_AGAIN_MS = 2_000;
/** Longest work of one alarm, ms; the next alarm continues. */
const LONGEST_MS = MINUTE_MS;
/**
 * The limit on rounds: the clock stands still while a round computes, so time alone is no bound, and each alarm has
 * limited processor time.
 */
export const MOST_ROUNDS = 200;

/** Drives an object by its alarm: runs rounds while there is work, then arms the alarm for the next. */
export class AlarmLoop {
  readonly #storage: DurableObjectStorage;
  readonly #work: Work;
  #working = false;
  /** Resolves when something happened that a running round may have missed. */
  #wakeUp = Promise.withResolvers<void>();
  #woken = false;
  readonly #beside: Beside[];

  constructor(storage: DurableObjectStorage, work: Work) {
    this.#storage = storage;
    this.#work = work;
    this.#beside = work.beside.map((piece) => new Beside(piece, (error) => work.report(error)));
  }

  /** Requests a round. */
  async wake(): Promise<void> {
    if (!this.#working) return this.#storage.setAlarm(Date.now() + 1);
    this.#woken = true;
    this.#wakeUp.resolve();
  }

  /** The alarm. */
  async run(): Promise<void> {
    this.#working = true;
    let wakeAt: number | null = Date.now() + TRY_AGAIN_MS;
    try {
      wakeAt = await this.#rounds(Date.now() + LONGEST_MS);
    } catch (error) {
      this.#work.report(error);
    } finally {
      this.#working = false;
      if (this.#woken) wakeAt = Date.now();
      if (wakeAt !== null && this.#work.alive()) await this.#storage.setAlarm(Math.max(Date.now() + 1, wakeAt));
    }
  }

  /** Runs rounds until there is nothing to do now; returns when to continue. */
  async #rounds(until: number): Promise<number | null> {
    for (let rounds = 0; rounds < MOST_ROUNDS; rounds++) {
      this.#woken = false;
      this.#wakeUp = Promise.withResolvers();
      const { worked, wakeAt } = await this.#work.round();
      for (const piece of this.#beside) piece.start();
      if (!worked && !(await this.#moreToDo(wakeAt, until)))
        return earliest([wakeAt, ...this.#beside.map(({ at }) => at)]);
      if (Date.now() >= until) break;
      await giveWay();
    }
    return Date.now();
  }

  /** Waits for what goes on beside to end; true as soon as something else is due or has happened. */
  async #moreToDo(wakeAt: number | null, until: number): Promise<boolean> {
    while (!this.#woken) {
      const running = this.#beside.flatMap(({ running }) => running ?? []);
      if (running.length === 0) return false;
      const idle = this.#beside.filter(({ running }) => running === null);
      const due = Math.min(until, earliest([wakeAt, ...idle.map(({ at }) => at)]) ?? until);
      if (due <= Date.now()) return true;
      await within(due - Date.now(), [...running, this.#wakeUp.promise]);
    }
    return true;
  }
}

/** A piece of background work, which runs once at a time. */
class Beside {
  readonly #piece: () => Promise<number | null>;
  readonly #report: (error: unknown) => void;
  running: Promise<void> | null = null;
  /** When (ms) it asked to continue. */
  at: number | null = null;

  constructor(piece: () => Promise<number | null>, report: (error: unknown) => void) {
    this.#piece = piece;
    this.#report = report;
  }

  start(): void {
    this.running ??= this.#run();
  }

  async #run(): Promise<void> {
    try {
      this.at = await this.#piece();
    } catch (error) {
      this.#report(error);
      this.at = Date.now() + TRY_AGAIN_MS;
    } finally {
      this.running = null;
    }
  }
}

/** Waits for the first of some promises, for at most so many ms. */
async function within(ms: number, promises: Promise<void>[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([...promises, promise]);
  clearTimeout(timer);
}
