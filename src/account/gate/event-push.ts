import { armNoLaterThan } from "../../kernel/durable/alarm.ts";
import { HOUR_MS, MINUTE_MS } from "../../kernel/time.ts";
import type { PendingLeft } from "../../records/events/pending-events.ts";

/**
 * How long after a write of events the gate checks whether an earlier, dead instance left some behind, ms: no batch
 * takes this long.
 */
const LOOK_AFTER_MS = MINUTE_MS;
/** After a failure it is tried again, ms. */
const TRY_AGAIN_MS = 1_000;
/** When to look again at events that only another release knows, ms. */
const FOREIGN_AGAIN_MS = HOUR_MS;

interface Dependencies {
  storage: DurableObjectStorage;
  /** Brings some of the pending events to the account's sequence; gives what is left. */
  deliver(): Promise<PendingLeft>;
  report(error: unknown): void;
}

/**
 * Forwards what was written to D1: events to the account's sequence, and changes of webhooks to the object that
 * notifies them. Failures, and what a dead gate left behind, are retried by the alarm.
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
        let left: PendingLeft = "more";
        while (left === "more") left = await deliver();
        this.#isBehind = left === "unknown";
      }
      if (!this.#isBehind) return;
      report(new Error("events of types that only another release knows are left to it"));
      await armNoLaterThan(storage, Date.now() + FOREIGN_AGAIN_MS);
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
