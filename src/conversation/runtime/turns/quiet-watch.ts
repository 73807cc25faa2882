import { earliest } from "../../../kernel/durable/alarm.ts";
import type { SessionIdentity } from "../../../kernel/http/context.ts";
import type { CallSession } from "../../../phone/calls/call-session.ts";
import type { ConversationStore } from "../store/conversation-store.ts";
import { afterQuiet, LOOK_AFTER_MS, type Quiet } from "./waiting.ts";

type CallIdentity = Extract<SessionIdentity, { kind: "call" }>;

export interface WatchDependencies {
  store: ConversationStore;
  /** Whether the agent is speaking or about to speak. */
  busy(): boolean;
  askWhetherThere(): void;
  /** Ends a conversation of the edge runtime with last words. */
  leave(reason: string): Promise<void>;
  end(reason: string): Promise<void>;
  /** Returns the conversation's call; null if it is gone. */
  callSession(identity: CallIdentity): Promise<Pick<CallSession, "ended_at"> | null>;
}

/** The end reason of a conversation whose call ended without further reports. */
export const CALL_ENDED = "call_ended";

/** The end reason of a conversation with a machine. */
export const MACHINE = "machine";

/** Watches a live conversation for silence, a lost socket, or a call that has ended. */
export class QuietWatch {
  readonly #deps: WatchDependencies;

  constructor(deps: WatchDependencies) {
    this.#deps = deps;
  }

  /** Returns when (ms) to check next. */
  nextAt(now: number): number | null {
    const { store, busy } = this.#deps;
    const { last_activity_at, held_by } = store.existing;
    const decision = afterQuiet(this.#quiet(), now);
    const quietAt = decision.next === "wait" ? decision.until : busy() ? null : now;
    return earliest([quietAt, held_by === "edge" ? null : last_activity_at + LOOK_AFTER_MS]);
  }

  async look(now: number): Promise<void> {
    const { store, busy, askWhetherThere, leave, end } = this.#deps;
    const quiet = this.#quiet();
    const decision = afterQuiet(busy() ? { ...quiet, quiet_since: null } : quiet, now);
    if (decision.next === "end") await (store.existing.held_by === "edge" ? leave : end)(decision.reason);
    else if (decision.next === "ask") askWhetherThere();
    else if (store.existing.held_by !== "edge" && now >= store.existing.last_activity_at + LOOK_AFTER_MS)
      await this.#lookInto(now);
  }

  #quiet(): Quiet {
    const { started_at, quiet_since, prompted_for_silence, lost_at } = this.#deps.store.existing;
    const { kind, limits } = this.#deps.store.session.snapshot;
    const prompted = prompted_for_silence === 1;
    return { kind, started_at, max_duration_s: limits.max_duration_s, quiet_since, prompted, lost_at };
  }

  /**
   * Ends a conversation without recent events if its call has ended, or if no runtime took it before the visitor's
   * token expired.
   */
  async #lookInto(now: number): Promise<void> {
    const { store, callSession, end } = this.#deps;
    const { identity } = store;
    store.update({ last_activity_at: now });
    if (identity.kind === "call") {
      if ((await callSession(identity))?.ended_at !== null) await end(CALL_ENDED);
    } else if (store.existing.held_by === null && now >= identity.expires_at) {
      await end("visitor_left");
    }
  }
}
