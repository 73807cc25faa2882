import { earliest } from "../../../kernel/durable/alarm.ts";
import type { Outbox } from "../../../kernel/durable/outbox.ts";
import type { AnalysisUsage } from "../../../records/analysis/analysis.ts";
import { type AnalysisReport, shortValues } from "../../../records/analysis/brief.ts";
import { outcomeHolder } from "../../../records/ledger/outcome-holder.ts";
import type { PricedConversation } from "../../../records/prices/rates.ts";
import { openCharge } from "../budget/charge.ts";
import type { AnalyzedReport, ConversationDestination } from "../upkeep/reports.ts";
import { type AttemptDependencies, attempt } from "./attempt.ts";
import type { AnalysisOutcome, JobRow, JobRows } from "./job-rows.ts";

export interface AnalysesDependencies extends Pick<AttemptDependencies, "archived" | "analyst" | "now"> {
  rows: JobRows;
  transaction(work: () => void): void;
  outbox: Outbox<ConversationDestination>;
  /** Returns the facts about the object's own conversation that analyses depend on; null if it has none. */
  own(): { id: string; isArchived: boolean } | null;
  /** Returns the analysis that should start by itself; null for none. */
  wanted(): Pick<JobRow, "conversation_id" | "run" | "job"> | null;
  /** Does work on rows in one transaction that also records that the conversation's own analysis has begun. */
  beginning(work: () => void): void;
  cover(row: JobRow, n: number, tokens: number): Promise<boolean>;
  /** Settles what an analysis used of budgets. */
  settle(row: JobRow): Promise<void>;
  keep(id: string, run: number, outcome: AnalysisOutcome): Promise<void>;
  /** Returns what determines the cost. */
  priced(row: JobRow): PricedConversation;
  /** Keeps the object alive until this work has ended. */
  goesOn(work: Promise<void>): void;
  arm(): Promise<void>;
  report(error: unknown): void;
}

/** The retry delay after a failure of the object's own work (R2, the meter), ms. It doubles up to the longest delay. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 300_000;
/** How soon the object is woken while a model answers, ms. */
const LOOK_AGAIN_MS = 10_000;

/**
 * The analyses of a conversation's object, one at a time. The alarm drives them and does not wait for models. What was
 * said is read from R2, because the object may hold a later conversation by then.
 */
export class Analyses {
  readonly #deps: AnalysesDependencies;
  #running: { id: string; stop: AbortController; over: Promise<void> } | null = null;
  /** Consecutive failures of the object's own work. */
  #failures = 0;

  constructor(deps: AnalysesDependencies) {
    this.#deps = deps;
  }

  /** Whether an analysis still needs the object. */
  get owes(): boolean {
    return this.#deps.wanted() !== null || this.#deps.rows.all.length > 0;
  }

  /**
   * Returns the request that asked for this conversation's analysis, if one is in progress or not yet recorded;
   * otherwise null.
   */
  underWay(id: string): { operation: string | null } | null {
    const { rows, outbox } = this.#deps;
    const row = rows.get(id);
    if (row) return { operation: row.job.operation };
    return rows.isStored && outbox.holds("ledger", keyOf(id)) ? { operation: null } : null;
  }

  /** Returns when (ms) the next work is due. */
  nextAt(): number | null {
    // If the process is lost, the alarm must continue the analysis.
    if (this.#running) return this.#deps.now() + LOOK_AGAIN_MS;
    const due = this.#startable().map(({ next_at }) => next_at);
    return earliest([...due, this.#deps.wanted() === null ? null : 0]);
  }

  /** Begins the object's own analysis if it is due, and continues another that is due. */
  round(now: number): void {
    this.beginOwn();
    const due = this.#startable().find(({ next_at }) => next_at <= now);
    if (this.#running || !due) return;
    const stop = new AbortController();
    const over = this.#work(due, stop.signal)
      .then(() => {
        this.#failures = 0;
      })
      .catch((error: unknown) => this.#failed(due, error))
      .finally(async () => {
        this.#running = null;
        await this.#deps.arm().catch(this.#deps.report);
      });
    this.#running = { id: due.conversation_id, stop, over };
    this.#deps.goesOn(over);
  }

  /** Begins the analysis of the object's own conversation if it is due. */
  beginOwn(): void {
    const { wanted, rows, beginning, now } = this.#deps;
    const own = wanted();
    if (own === null) return;
    beginning(() => rows.add(Object.assign({ next_at: now() }, own)));
  }

  begin(wanted: Pick<JobRow, "conversation_id" | "run" | "job">): void {
    const { rows, transaction, now, own, beginning } = this.#deps;
    const work = () => {
      rows.add(Object.assign({ next_at: now() }, wanted));
      const row = rows.get(wanted.conversation_id);
      if (row) this.#owe(row);
    };
    if (own()?.id === wanted.conversation_id) beginning(work);
    else transaction(work);
  }

  /**
   * Erases the analysis of this conversation (null for all) after stopping it. Its usage is counted first. @throws if
   * the ledger or the meter cannot be reached
   */
  async erase(id: string | null): Promise<void> {
    const { rows, settle, outbox, transaction } = this.#deps;
    const running = this.#running;
    if (running && (id === null || running.id === id)) {
      running.stop.abort(new Error("the conversation was erased"));
      await running.over;
    }
    for (const row of rows.all) {
      if (id !== null && row.conversation_id !== id) continue;
      await settle(row);
      transaction(() => {
        if (row.requests > 0) this.#owe(row);
        rows.remove(row.conversation_id);
      });
      await outbox.push("ledger");
    }
  }

  /** Returns the analyses that can continue, because their transcripts are in R2. */
  #startable(): JobRow[] {
    const own = this.#deps.own();
    return this.#deps.rows.all.filter(({ conversation_id: id }) => own?.id !== id || own.isArchived);
  }

  #failed(row: JobRow, error: unknown): void {
    const { rows, report, now } = this.#deps;
    const next_at = now() + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures++);
    rows.update(row.conversation_id, { next_at });
    report(error);
  }

  async #work(row: JobRow, signal: AbortSignal): Promise<void> {
    const { rows, archived, analyst, cover, now } = this.#deps;
    const { conversation_id: id } = row;
    if (row.outcome === null) {
      const steps: AttemptDependencies = {
        archived,
        analyst,
        now,
        cover: (each, n, { input, output }) => cover(rows.get(each.conversation_id) ?? each, n, input + output),
        current: () => rows.get(id),
        note: (changes) => rows.update(id, changes),
        charge: openCharge,
      };
      await attempt(steps, row, signal);
    }
    if (signal.aborted) return;
    const after = rows.get(id);
    if (after?.outcome) await this.#finish(after, after.outcome, signal);
  }

  /** Reports the outcome to the meter, R2 and the ledger. Repeated reports change nothing. */
  async #finish(row: JobRow, outcome: AnalysisOutcome, signal: AbortSignal): Promise<void> {
    const { settle, keep, rows, transaction } = this.#deps;
    await settle(row);
    if (signal.aborted) return;
    if (outcome.status === "done") await keep(row.conversation_id, row.run, outcome);
    if (signal.aborted) return;
    transaction(() => {
      this.#owe(row);
      this.#oweCampaign(row, outcome);
      rows.remove(row.conversation_id);
    });
  }

  /** Adds a report of the analysis's current state to the outbox, in the caller's transaction. */
  #owe(row: JobRow): void {
    const { rows, outbox, priced } = this.#deps;
    const { conversation_id: id, run, job, model, outcome } = row;
    const revision = row.revision + 1;
    rows.update(id, { revision });
    const findings = outcome?.findings;
    const values = findings ? shortValues(findings) : { data: {} };
    const analysis: AnalysisReport = {
      run,
      revision,
      operation: job.operation,
      status: outcome?.status ?? "pending",
      reason: outcome?.reason ?? null,
      successful: findings?.successful ?? "unknown",
      summary: findings?.summary ?? null,
      model,
      usage: usageOf(row),
      rates: null,
      ended_at: outcome?.ended_at ?? null,
      ...values,
    };
    outbox.add("ledger", keyOf(id), { part: "analysis", id, analysis, priced: priced(row) });
  }

  #oweCampaign({ conversation_id, job }: JobRow, { status, findings }: AnalysisOutcome): void {
    const holder = outcomeHolder(job);
    if (holder === null) return;
    const { successful, summary } = findings;
    const analysis = status === "done" ? Object.assign({ successful, summary }, shortValues(findings)) : null;
    const report: AnalyzedReport = Object.assign(holder, { conversation_id, analysis });
    this.#deps.outbox.add("campaign", keyOf(conversation_id), report);
  }
}

/** Returns what an analysis used. The fallback model, if there is one, answers all requests after the first. */
function usageOf(row: JobRow): AnalysisUsage {
  const { input_tokens, cached_tokens, output_tokens, requests } = row;
  const usage: AnalysisUsage = { input_tokens, cached_tokens, output_tokens, requests };
  if (requests < 2) return usage;
  const first = {
    fallback: false,
    input_tokens: row.first_input_tokens,
    cached_tokens: row.first_cached_tokens,
    output_tokens: row.first_output_tokens,
  };
  const second = {
    fallback: true,
    input_tokens: input_tokens - first.input_tokens,
    cached_tokens: cached_tokens - first.cached_tokens,
    output_tokens: output_tokens - first.output_tokens,
  };
  return Object.assign(usage, { models: [first, second] });
}

/** Returns the key of its outbox row: a later state replaces one that was not delivered. */
function keyOf(id: string): string {
  return `analysis/${id}`;
}
