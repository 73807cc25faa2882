import { armNoLaterThan } from "../../kernel/durable/alarm.ts";
import { MINUTE_MS } from "../../kernel/time.ts";

/** How long after events were written a gate looks whether one that died has left them, ms: no batch lasts so long. */
const LOOK_AFTER_MS = MINUTE_MS;
/** After a failure it is tried again, ms. */
const TRY_AGAIN_MS = 1_000;

interface Dependencies {
  storage: DurableObjectStorage;
  /** Brings some of the pending events to the account's sequence; gives whether there may be more. */
  deliver(): Promise<boolean>;
  report(error: unknown): void;
}

/**
 * Brings on what was written to D1: events to the account's sequence, changes of webhooks to who tells them. What fails,
 * and what a gate that died has left, is brought by the alarm.
 */
export class EventPush {
  readonly #deps: Dependencies;
  /** There may be pending events: those of an earlier life of the gate, too. */
  #isBehind = true;
  #pushing: Promise<void> | null = null;
  #again = false;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Events are about to be written. */
  async expect(): Promise<void> {
    await armNoLaterThan(this.#deps.storage, Date.now() + LOOK_AFTER_MS);
  }

  /** Brings all there are now; those written while it is at it, too. */
  push(): Promise<void> {
    this.#again = true;
    this.#pushing ??= this.#push().finally(() => {
      this.#pushing = null;
    });
    return this.#pushing;
  }

  async #push(): Promise<void> {
    const { storage, deliver, report } = this.#deps;
    try {
      while (this.#again) {
        this.#again = false;
        while (await deliver());
      }
      this.#isBehind = false;
    } catch (error) {
      this.#isBehind = true;
      report(error);
      await armNoLaterThan(storage, Date.now() + TRY_AGAIN_MS);
    }
  }

  /** The alarm. */
  async round(): Promise<void> {
    if (this.#isBehind) await this.push();
  }
}
