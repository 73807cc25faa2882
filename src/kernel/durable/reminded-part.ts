import { earliest } from "./alarm.ts";
import type { ObjectPart } from "./object-part.ts";
import type { RetryPolicy } from "./part-failures.ts";

/**
 * Returns when (ms) a part continues after its object was rebuilt at `now` (ms) while the alarm was set for `armedAt`
 * (ms).
 */
type ResumeAt = (now: number, armedAt: number | null) => number | null;

/**
 * A part that stores the time of its next work only as the object's alarm. Code that gives it work calls `remind`, and
 * a rebuilt object continues when its alarm fires.
 */
export class RemindedPart implements ObjectPart {
  readonly #work: (now: number, until: number) => Promise<number | null>;
  readonly #resumeAt: ResumeAt;
  readonly retry?: RetryPolicy;
  #at: number | null = null;

  /** @param work does a piece and returns when (ms) to continue; null if nothing is left to do */
  constructor(
    work: (now: number, until: number) => Promise<number | null>,
    { retry, resumeAt = (_now, armedAt) => armedAt }: { retry?: RetryPolicy; resumeAt?: ResumeAt } = {},
  ) {
    this.#work = work;
    this.#resumeAt = resumeAt;
    if (retry) this.retry = retry;
  }

  /** Makes the part run at `at` (ms) at the latest. Set the object's alarm afterwards. */
  remind(at: number): void {
    this.#at = Math.min(this.#at ?? at, at);
  }

  dueAt(): number | null {
    return this.#at;
  }

  async run(now: number, until: number): Promise<void> {
    // Reset before the work, so that a reminder that arrives during it is kept.
    this.#at = null;
    try {
      this.#at = earliest([await this.#work(now, until), this.#at]);
    } catch (error) {
      this.#at = now;
      throw error;
    }
  }

  resume(now: number, armedAt: number | null): void {
    this.#at = earliest([this.#at, this.#resumeAt(now, armedAt)]);
  }
}
