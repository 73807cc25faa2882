import { earliest } from "../../../kernel/durable/alarm.ts";
import type { ObjectPart } from "../../../kernel/durable/object-part.ts";
import type { Outbox } from "../../../kernel/durable/outbox.ts";
import type { Analyses } from "../analysis/analyses.ts";
import type { ConversationLease } from "../session/live-lease.ts";
import type { ConversationStore } from "../store/conversation-store.ts";
import type { PlatformTools } from "../tools/platform-tools.ts";
import type { QuietWatch } from "../turns/quiet-watch.ts";
import { TOKEN_AFTER_END_MS } from "../turns/waiting.ts";
import type { Archiving } from "./archiving.ts";
import { lingersUntil } from "./lingering-call.ts";
import type { ConversationDestination, Reports } from "./reports.ts";

/** What the upkeep of a conversation works on. */
export interface UpkeepDependencies {
  store: ConversationStore;
  archiving: Archiving;
  reports: Reports;
  outbox: Outbox<ConversationDestination>;
  watch: QuietWatch;
  lease: Pick<ConversationLease, "leave" | "left" | "isLeft" | "renew">;
  tools: Pick<PlatformTools, "settled" | "closeOpen">;
  analyses: Pick<Analyses, "round" | "nextAt" | "owes" | "beginOwn">;
  /** Hangs up a call that goes on after the end. */
  hangUpLingering(now: number): Promise<void>;
  /** How long the last token of a conversation may be good for. */
  tokenLifetimeMs: number;
  /** Arms the object's alarm anew. */
  arm(): Promise<void>;
  report(error: unknown): void;
}

/** After a failure of its own work (R2, the carrier) it is tried again, ms; it doubles up to the longest. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 300_000;

/** The background work of a conversation, driven by its object's alarm: quiet, archive, reports, an empty object at last. */
export class Upkeep implements ObjectPart {
  readonly #deps: UpkeepDependencies;
  /** Failures in a row of its own work, and when (ms) that is tried again. */
  #failures = 0;
  #notBefore = 0;

  constructor(deps: UpkeepDependencies) {
    this.#deps = deps;
  }

  async run(): Promise<void> {
    const { store, analyses } = this.#deps;
    if (store.row === null && !store.isStored) {
      // No token that could begin it again is valid any longer.
      if (Date.now() >= this.#markedUntil) await store.empty(null);
      return;
    }
    if (store.row !== null) await this.#work();
    await this.#deliver();
    // After all others have what they are to have.
    analyses.round(Date.now());
  }

  /** Work done beside delivering; a failure is reported and retried later. */
  async #work(): Promise<void> {
    const { store, watch, lease, tools, archiving, hangUpLingering, report } = this.#deps;
    try {
      if (store.existing.ended_at === null) {
        await watch.look(Date.now());
        lease.renew();
      } else lease.leave();
      const now = Date.now();
      await hangUpLingering(now);
      // Nobody waits any longer for a result.
      const ended_at = store.row?.ended_at ?? null;
      if (ended_at !== null && now >= ended_at + TOKEN_AFTER_END_MS) tools.closeOpen();
      await archiving.archive(now);
      if ((store.row?.ended_at ?? null) !== null) await lease.left();
      this.#failures = 0;
      this.#notBefore = 0;
    } catch (error) {
      this.#notBefore = Date.now() + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures++);
      report(error);
    }
  }

  /** Delivers what is due, and empties the object once nothing is owed and nothing more will come. */
  async #deliver(): Promise<void> {
    const { store, reports, outbox, analyses } = this.#deps;
    store.flush();
    if (!store.isStored) return;
    await outbox.run(Date.now());
    await outbox.alone(async () => {
      if (this.#isDone(Date.now()) && !reports.owes && !analyses.owes) await store.empty(store.erasedAt);
    });
  }

  /** To be called after every change of what the upkeep waits for. */
  arm(): Promise<void> {
    return this.#deps.arm();
  }

  dueAt(): number | null {
    const { store, archiving, reports, watch, analyses } = this.#deps;
    const { row } = store;
    const now = Date.now();
    if (row === null) {
      const marked = store.erasedAt === null ? null : this.#markedUntil;
      const isDone = !analyses.owes && !reports.owes;
      return store.isStored ? earliest([reports.nextAt(), analyses.nextAt(), isDone ? now : null]) : marked;
    }
    const analyzeAt = analyses.nextAt();
    // An object that an analysis alone keeps has nothing else to wait for.
    const waits = analyses.owes ? (analyzeAt ?? 0) : 0;
    const due = earliest([row.ended_at === null ? null : row.ended_at + TOKEN_AFTER_END_MS, lingersUntil(store)]);
    const reportAt = reports.nextAt();
    return earliest([
      archiving.isDue(now) ? this.#notBefore : null,
      reportAt,
      // What fails for long is not tried the more often because everything else is due.
      due === null ? null : Math.max(due, this.#notBefore, reportAt ?? 0, waits),
      row.ended_at === null ? watch.nextAt(now) : null,
      analyzeAt,
    ]);
  }

  /**
   * Archives and reports a conversation that is over, and unloads it here, so that the visitor's next one can begin.
   * @throws where somebody does not take what is owed
   */
  async makeRoom(): Promise<void> {
    const { store, archiving, tools } = this.#deps;
    const ended_at = store.row?.ended_at ?? null;
    if (ended_at === null) return;
    // Results that are still to come belong to this conversation.
    await tools.settled();
    while (store.row?.archived === 0) await archiving.archive(ended_at + TOKEN_AFTER_END_MS);
    await this.leave(null);
  }

  /**
   * Delivers all that is owed, then empties the object; `erasedAt` (ms) leaves a mark of that.
   * @throws where somebody does not take what is owed
   */
  async leave(erasedAt: number | null): Promise<void> {
    const { store, reports, outbox, analyses, lease } = this.#deps;
    await lease.left();
    await outbox.alone(async (drain) => {
      do {
        store.flush();
        if (store.isStored) await drain();
      } while (reports.owes);
      // It goes on when the conversation is not here any more.
      if (erasedAt === null) analyses.beginOwn();
      await store.empty(erasedAt);
    });
  }

  /** The time (ms) until which an erased conversation leaves a mark, so that no late token begins it again. */
  get #markedUntil(): number {
    return (this.#deps.store.erasedAt ?? 0) + this.#deps.tokenLifetimeMs;
  }

  /** Whether nobody can add to it any more, R2 has it, and the meter knows what it has used. */
  #isDone(now: number): boolean {
    const { store, lease } = this.#deps;
    const { row } = store;
    // Nothing but an analysis was here.
    if (row === null) return true;
    if (row.ended_at === null) return false;
    return row.archived === 1 && lease.isLeft && now >= row.ended_at + TOKEN_AFTER_END_MS;
  }
}
