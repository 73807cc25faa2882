import { armNoLaterThan } from "../../kernel/durable/alarm.ts";

/** After a failure the meter is told again, ms. */
const TELL_AGAIN_MS = 1_000;

interface Dependencies {
  storage: DurableObjectStorage;
  /** Has the meter judge anew whoever holds something live. */
  tell(): Promise<void>;
  report(error: unknown): void;
}

/**
 * Tells the account's meter that it was changed who may come in, so that it closes what may not stay. Nobody waits for it;
 * what fails is told again by the alarm. A gate that dies in between has another stamp in its next life, by which the
 * meter notices with the next renewal.
 */
export class StandingPush {
  readonly #deps: Dependencies;
  #failed = false;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async push(): Promise<void> {
    const { storage, tell, report } = this.#deps;
    this.#failed = false;
    try {
      await tell();
    } catch (error) {
      this.#failed = true;
      report(error);
      await armNoLaterThan(storage, Date.now() + TELL_AGAIN_MS);
    }
  }

  /** The alarm. */
  async round(): Promise<void> {
    if (this.#failed) await this.push();
  }
}
