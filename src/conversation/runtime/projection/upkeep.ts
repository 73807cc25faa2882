import { armNoLaterThan, earliest } from "../../../kernel/durable/alarm.ts";
import type { ConversationLease } from "../session/live-lease.ts";
import type { ConversationStore } from "../store/conversation-store.ts";
import type { PlatformTools } from "../tools/platform-tools.ts";
import type { QuietWatch } from "../turns/quiet-watch.ts";
import { TOKEN_AFTER_END_MS } from "../turns/waiting.ts";
import type { Delivery } from "./delivery.ts";
import { lingersUntil } from "./lingering-call.ts";

/** What the upkeep of a conversation works on. */
export interface UpkeepDependencies {
  storage: DurableObjectStorage;
  store: ConversationStore;
  delivery: Delivery;
  watch: QuietWatch;
  lease: Pick<ConversationLease, "leave" | "renew">;
  tools: Pick<PlatformTools, "settled" | "closeOpen">;
  /** Hangs up a call that goes on after the end. */
  hangUpLingering(now: number): Promise<void>;
  report(error: unknown): void;
}

/** After a failure of its own work (D1, R2, the campaign) it is tried again, ms; it doubles up to the longest. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 300_000;

/** What is done for a conversation by and by, driven by its object's alarm: quiet, delivery, and an empty object at last. */
export class Upkeep {
  readonly #deps: UpkeepDependencies;
  /** Failures in a row of bringing it where it belongs, and when (ms) that is tried again. */
  #failures = 0;
  #notBefore = 0;

  constructor(deps: UpkeepDependencies) {
    this.#deps = deps;
  }

  /** A round of the alarm. */
  async round(): Promise<void> {
    const { store, delivery, watch, lease, tools, hangUpLingering, report } = this.#deps;
    try {
      if (store.row === null) {
        // Nobody holds a token any more that could begin it anew.
        if (store.erasedAt !== null) await store.empty(null);
        return;
      }
      if (store.row.ended_at === null) {
        await watch.look(Date.now());
        lease.renew();
      } else lease.leave();
      const now = Date.now();
      await hangUpLingering(now);
      // Nobody waits any longer for a result.
      const ended_at = store.row?.ended_at ?? null;
      if (ended_at !== null && now >= ended_at + TOKEN_AFTER_END_MS) tools.closeOpen();
      await delivery.push(now);
      this.#failures = 0;
      this.#notBefore = 0;
      if (delivery.isDone(now)) await store.empty(null);
    } catch (error) {
      this.#notBefore = Date.now() + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures++);
      report(error);
    } finally {
      await this.arm();
    }
  }

  /** Sets the alarm for what is to be done next, no later than that. */
  async arm(): Promise<void> {
    const { storage, store, delivery, watch } = this.#deps;
    const { row } = store;
    if (row === null) return;
    const now = Date.now();
    const due = earliest([delivery.dueAt, lingersUntil(store)]);
    const at = earliest([
      delivery.behind(now) ? this.#notBefore : null,
      // What fails for long is not tried the more often because everything else is due.
      due === null ? null : Math.max(due, this.#notBefore),
      row.ended_at === null ? watch.nextAt(now) : null,
    ]);
    await armNoLaterThan(storage, at === null ? null : Math.max(now + 1, at));
  }

  /** Brings away a conversation that is over, and forgets it here, so that the next of its visitor can begin. */
  async makeRoom(): Promise<void> {
    const { store, delivery, tools } = this.#deps;
    const ended_at = store.row?.ended_at ?? null;
    if (ended_at === null) return;
    // Results that are still to come belong to this conversation.
    await tools.settled();
    while (store.row?.archived === 0) await delivery.push(ended_at + TOKEN_AFTER_END_MS);
    await store.empty(null);
  }
}
