import { earliest } from "./alarm.ts";
import type { ObjectPart } from "./object-part.ts";
import type { RetryPolicy } from "./part-failures.ts";

/**
 * A part whose next time is stored nowhere but in the object's alarm: whoever changes what it works on reminds it, and a
 * rebuilt object continues when its alarm was to fire.
 */
export class RemindedPart implements ObjectPart {
  readonly #work: (now: number, until: number) => Promise<number | null>;
  readonly retry?: RetryPolicy;
  #at: number | null = null;

  /** @param work does a piece; returns when (ms) to continue, null if nothing is left to do */
  constructor(work: (now: number, until: number) => Promise<number | null>, retry?: RetryPolicy) {
    this.#work = work;
    if (retry) this.retry = retry;
  }

  /** Has it run at `at`, ms, at the latest; arm the object's alarm afterwards. */
  remind(at: number): void {
    this.#at = Math.min(this.#at ?? at, at);
  }

  dueAt(): number | null {
    return this.#at;
  }

  async run(now: number, until: number): Promise<void> {
    // A reminder that comes meanwhile counts.
    this.#at = null;
    try {
      this.#at = earliest([await this.#work(now, until), this.#at]);
    } catch (error) {
      this.#at = now;
      throw error;
    }
  }

  resume(_now: number, armedAt: number | null): void {
    this.#at = earliest([this.#at, armedAt]);
  }
}
