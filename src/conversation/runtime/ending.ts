import type { EdgeRuntime } from "./edge-runtime.ts";
import { type Handover, TRANSFERRED } from "./handover.ts";
import type { ConversationLease } from "./session/live-lease.ts";
import type { AgentSpeech } from "./speech/agent-speech.ts";
import type { ConversationStore } from "./store/conversation-store.ts";
import type { Watchers } from "./streams/watchers.ts";
import { CALL_ENDED, MACHINE } from "./turns/quiet-watch.ts";

interface EndingDependencies {
  store: ConversationStore;
  edge: EdgeRuntime;
  speech: Pick<AgentSpeech, "clear">;
  handover: Handover;
  watchers: Watchers;
  lease: Pick<ConversationLease, "leave">;
  /** Sets the alarm again. */
  arm(): Promise<void>;
}

/** The end reason of a conversation that was deleted while it was live. */
const ERASED = "erased";

/** Ends the conversation, whichever side reports the end. */
export class Ending {
  readonly #deps: EndingDependencies;

  constructor(deps: EndingDependencies) {
    this.#deps = deps;
  }

  /** Ends the conversation for this reason; does nothing if it never began or has ended. */
  async end(given: string): Promise<void> {
    const { store, edge, handover, arm } = this.#deps;
    const reason = await handover.whyEnded(given);
    const { row } = store;
    if (row === null || reason === null) return;
    if (row.ended_at !== null) return this.#endedBefore(reason);
    // Recorded first, so that a client which is told of the end can read it.
    this.#endNow(reason);
    edge.close(reason);
    await arm();
  }

  /**
   * Ends the conversation at once, without last words, because the other side lost its access, and hangs up its call. A
   * late answer about a transfer is recorded but changes nothing.
   */
  async revoke(reason: string): Promise<void> {
    const { store, edge, speech, arm } = this.#deps;
    // Also after the end, because last words may still be spoken then.
    speech.clear();
    if (store.row === null || store.row.ended_at !== null) return;
    this.#endNow(reason);
    edge.closeRevoked(reason);
    await arm();
  }

  /** Ends the conversation because it is erased, and disconnects all clients. */
  erase(): void {
    const { store, edge, speech, lease } = this.#deps;
    speech.clear();
    if (store.row?.ended_at === null) this.#endNow(ERASED);
    edge.close(ERASED);
    lease.leave();
  }

  #endNow(reason: string): void {
    const { store, edge, watchers, lease } = this.#deps;
    const now = Date.now();
    edge.silence();
    // A custom runtime numbers its events itself, and may still report turns.
    if (store.existing.held_by === "edge") store.append({ type: "ended", reason }, now);
    store.update({ ended_at: now, end_reason: reason, quiet_since: null, lost_at: null });
    store.flush();
    watchers.end();
    lease.leave();
  }

  /** Corrects the reason if a more precise one arrives after the end, such as a transfer. */
  async #endedBefore(reason: string): Promise<void> {
    const { store, arm } = this.#deps;
    const { end_reason } = store.existing;
    const isMorePrecise = [TRANSFERRED, MACHINE].includes(reason) || end_reason === CALL_ENDED;
    if (!isMorePrecise) return;
    // The conversation may already be archived.
    if (reason !== end_reason) store.update({ end_reason: reason, archived: 0 });
    store.flush();
    await arm();
  }

  /** Handles a machine's answer: the agent falls silent, and the reason of the end becomes `machine`. */
  machineAnswered(): void {
    const { store, edge } = this.#deps;
    if (store.row === null) return;
    store.update({ machine: 1, quiet_since: null });
    edge.silence();
    store.flush();
  }

  /** Ends the conversation with its call; as `machine` if a machine answered. */
  async callEnded(answeredBy: "machine" | null): Promise<void> {
    const { store, handover } = this.#deps;
    handover.discardUnconfirmed();
    if (answeredBy === "machine") this.machineAnswered();
    // The call is over, so that the upkeep need not hang it up.
    if (store.row !== null) store.update({ hung_up: 1 });
    await this.end(store.row?.held_by === "edge" ? "caller_hung_up" : CALL_ENDED);
  }
}
