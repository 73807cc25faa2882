import { armNoLaterThan } from "../../kernel/durable/alarm.ts";

/** Retry delay after a failure, ms. */
const RETRY_MS = 1_000;

interface Dependencies {
  storage: DurableObjectStorage;
  /** Has the meter judge all live holders again. */
  notifyMeter(): Promise<void>;
  report(error: unknown): void;
}

/**
 * Notifies the account's meter that admission has changed, so that it closes what may not stay. No request waits for it;
 * the alarm retries. If the gate dies in between, its next life has another stamp, which the meter notices at the next
 * renewal.
 */
export class StandingPush {
  readonly #deps: Dependencies;
  #failed = false;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async push(): Promise<void> {
    const { storage, notifyMeter, report } = this.#deps;
    this.#failed = false;
    try {
      await notifyMeter();
    } catch (error) {
      this.#failed = true;
      report(error);
      await armNoLaterThan(storage, Date.now() + RETRY_MS);
    }
  }

  /** The alarm. */
  async round(): Promise<void> {
    if (this.#failed) await this.push();
  }
}
