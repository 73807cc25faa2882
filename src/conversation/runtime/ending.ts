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

/** Why a conversation is over that was deleted while it was live. */
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
    // Recorded first, so that a client which gets the end finds it on record.
    this.#endNow(reason);
    edge.close(reason);
    await arm();
  }

  /**
   * The other side lost its access: the conversation ends at once, without last words, and its call is hung up.
   * A late answer about a transfer is recorded, and changes nothing.
   */
  async revoke(reason: string): Promise<void> {
    const { store, edge, speech, arm } = this.#deps;
    // Also after the end: last words may still be spoken then.
    speech.clear();
    if (store.row === null || store.row.ended_at !== null) return;
    this.#endNow(reason);
    edge.closeRevoked(reason);
    await arm();
  }

  /** The conversation is being erased: it ends, and everybody is disconnected. */
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
    // Another runtime numbers its events itself, and may still report turns.
    if (store.existing.held_by === "edge") store.append({ type: "ended", reason }, now);
    store.update({ ended_at: now, end_reason: reason, quiet_since: null, lost_at: null });
    store.flush();
    watchers.end();
    lease.leave();
  }

  /** The reason may arrive a moment after the call's end; a caller who was transferred did not hang up. */
  async #endedBefore(reason: string): Promise<void> {
    const { store, arm } = this.#deps;
    const { end_reason } = store.existing;
    const isMorePrecise = [TRANSFERRED, MACHINE].includes(reason) || end_reason === CALL_ENDED;
    if (!isMorePrecise) return;
    // It may have been archived before.
    if (reason !== end_reason) store.update({ end_reason: reason, archived: 0 });
    store.flush();
    await arm();
  }

  /** A machine answered: the agent falls silent, and whatever ends the conversation, its reason is `machine`. */
  machineAnswered(): void {
    const { store, edge } = this.#deps;
    if (store.row === null) return;
    store.update({ machine: 1, quiet_since: null });
    edge.silence();
    store.flush();
  }

  /** The call is over, so the conversation is too; as `machine` if a machine answered. */
  async callEnded(answeredBy: "machine" | null): Promise<void> {
    const { store, handover } = this.#deps;
    handover.callEnded();
    if (answeredBy === "machine") this.machineAnswered();
    // The call need not be looked up.
    if (store.row !== null) store.update({ hung_up: 1 });
    await this.end(store.row?.held_by === "edge" ? "caller_hung_up" : CALL_ENDED);
  }
}
