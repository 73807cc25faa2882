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
  /** Background work that never delays the rounds; returns when (ms) to continue, null when done. */
  beside(): Promise<number | null>;
  /** Whether any work is left. */
  alive(): boolean;
  report(error: unknown): void;
}

/** Delay before a retry after a failure, ms. */
const TRY_AGAIN_MS = 2_000;
/** Longest work of one alarm, ms; the next alarm continues. */
const LONGEST_MS = MINUTE_MS;
/**
 * And at most so many rounds: the clock stands still while a round computes, so that it alone bounds nothing, and the
 * time on the processor is limited for each alarm.
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
  #beside: Promise<void> | null = null;
  #besideAt: number | null = null;

  constructor(storage: DurableObjectStorage, work: Work) {
    this.#storage = storage;
    this.#work = work;
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
      this.#beside ??= this.#goOnBeside();
      if (!worked && !this.#woken) await Promise.race([this.#beside, this.#wakeUp.promise]);
      if (!worked && !this.#woken) return earliest([wakeAt, this.#besideAt]);
      if (Date.now() >= until) break;
      await giveWay();
    }
    return Date.now();
  }

  async #goOnBeside(): Promise<void> {
    try {
      this.#besideAt = await this.#work.beside();
    } catch (error) {
      this.#work.report(error);
      this.#besideAt = Date.now() + TRY_AGAIN_MS;
    } finally {
      this.#beside = null;
    }
  }
}
