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

export interface UpkeepDependencies {
  store: ConversationStore;
  archiving: Archiving;
  reports: Reports;
  outbox: Outbox<ConversationDestination>;
  watch: QuietWatch;
  lease: Pick<ConversationLease, "leave" | "left" | "isLeft" | "renew">;
  tools: Pick<PlatformTools, "settled" | "closeOpen">;
  analyses: Pick<Analyses, "round" | "nextAt" | "owes" | "beginOwn">;
  /** Hangs up a call that continues after the end. */
  hangUpLingering(now: number): Promise<void>;
  /** The maximum lifetime of a conversation's last token. */
  tokenLifetimeMs: number;
  /** Sets the object's alarm again. */
  arm(): Promise<void>;
  report(error: unknown): void;
}

/** The first wait after a failure of its own work (R2, the carrier), ms, which doubles up to the longest. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 300_000;

/**
 * The background work of a conversation, driven by its object's alarm: silence, archive, reports, and finally emptying
 * the object.
 */
export class Upkeep implements ObjectPart {
  readonly #deps: UpkeepDependencies;
  /** Consecutive failures of its own work, and when (ms) to retry. */
  #failures = 0;
  #notBefore = 0;

  constructor(deps: UpkeepDependencies) {
    this.#deps = deps;
  }

  async run(): Promise<void> {
    const { store, analyses } = this.#deps;
    if (store.row === null && !store.isStored) {
      // No valid token can begin the conversation again.
      if (Date.now() >= this.#markedUntil) await store.empty(null);
      return;
    }
    if (store.row !== null) await this.#work();
    await this.#deliver();
    // Runs after all reports are delivered.
    analyses.round(Date.now());
  }

  /** Does the work besides deliveries; a failure is reported and retried later. */
  async #work(): Promise<void> {
    const { store, watch, lease, tools, archiving, hangUpLingering, report } = this.#deps;
    try {
      if (store.existing.ended_at === null) {
        await watch.look(Date.now());
        lease.renew();
      } else lease.leave();
      const now = Date.now();
      await hangUpLingering(now);
      // No caller waits for a result any longer.
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

  /** Delivers due reports, and empties the object once nothing is owed and nothing more will arrive. */
  async #deliver(): Promise<void> {
    const { store, reports, outbox, analyses } = this.#deps;
    store.flush();
    if (!store.isStored) return;
    await outbox.run(Date.now());
    await outbox.alone(async () => {
      if (this.#isDone(Date.now()) && !reports.owes && !analyses.owes) await store.empty(store.erasedAt);
    });
  }

  /** Sets the alarm. Call it after every change that affects the upkeep. */
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
    // While an analysis is pending, the object cannot be emptied, so that it isn't woken for that before the analysis.
    const waits = analyses.owes ? (analyzeAt ?? 0) : 0;
    const due = earliest([row.ended_at === null ? null : row.ended_at + TOKEN_AFTER_END_MS, lingersUntil(store)]);
    const reportAt = reports.nextAt();
    return earliest([
      archiving.isDue(now) ? this.#notBefore : null,
      reportAt,
      // Other due work does not shorten the delay after repeated failures.
      due === null ? null : Math.max(due, this.#notBefore, reportAt ?? 0, waits),
      row.ended_at === null ? watch.nextAt(now) : null,
      analyzeAt,
    ]);
  }

  /**
   * Archives and reports an ended conversation and unloads it, so that the visitor's next one can begin.
   * @throws if a destination refuses its reports
   */
  async makeRoom(): Promise<void> {
    const { store, archiving, tools } = this.#deps;
    const ended_at = store.row?.ended_at ?? null;
    if (ended_at === null) return;
    // Pending results belong to this conversation.
    await tools.settled();
    while (store.row?.archived === 0) await archiving.archive(ended_at + TOKEN_AFTER_END_MS);
    await this.leave(null);
  }

  /**
   * Delivers all reports, then empties the object. `erasedAt` (ms) leaves a mark that the conversation was erased.
   * @throws if a destination refuses its reports
   */
  async leave(erasedAt: number | null): Promise<void> {
    const { store, reports, outbox, analyses, lease } = this.#deps;
    await lease.left();
    await outbox.alone(async (drain) => {
      do {
        store.flush();
        if (store.isStored) await drain();
      } while (reports.owes);
      // The analysis continues without the conversation.
      if (erasedAt === null) analyses.beginOwn();
      await store.empty(erasedAt);
    });
  }

  /** Until when (ms) an erased conversation keeps a mark, so that no late token begins it again. */
  get #markedUntil(): number {
    return (this.#deps.store.erasedAt ?? 0) + this.#deps.tokenLifetimeMs;
  }

  /** Checks whether nothing more can be added, R2 has the turns, and the meter knows the usage. */
  #isDone(now: number): boolean {
    const { store, lease } = this.#deps;
    const { row } = store;
    // The object held only an analysis.
    if (row === null) return true;
    if (row.ended_at === null) return false;
    return row.archived === 1 && lease.isLeft && now >= row.ended_at + TOKEN_AFTER_END_MS;
  }
}
