import type { Outbox } from "../../../kernel/durable/outbox.ts";
import { FIRST_BRIEF, type HeldAnalysis } from "../../../records/analysis/brief.ts";
import { type OutcomeHolder, outcomeHolder } from "../../../records/ledger/outcome-holder.ts";
import type { ConversationRow as LedgerRow } from "../../../records/ledger/report.ts";
import type { PricedConversation } from "../../../records/prices/rates.ts";
import { redactWord } from "../../../records/privacy/redaction/redact-record.ts";
import { unansweredQuestions } from "../built-in/unanswered.ts";
import { disclosedIn } from "../disclosed.ts";
import { policyOf } from "../session/session.ts";
import type { ConversationStore } from "../store/conversation-store.ts";
import { recordOf } from "../streams/projection.ts";
import type { OwedReport } from "./pricing.ts";
import { runReport, unlistedRuns } from "./unlisted-runs.ts";

/** The destinations of a conversation's reports: the account's ledger, its campaign, and the do-not-call list in D1. */
export type ConversationDestination = "ledger" | "campaign" | "d1";

/** The outcome of a call's conversation for its campaign. */
export interface OutcomeReport extends OutcomeHolder {
  conversation_id: string;
  disposition: string | null;
  agent_version: number | null;
}

/** The analysis of a call's conversation for its campaign; null if there is none. */
export interface AnalyzedReport extends Omit<OutcomeReport, "disposition" | "agent_version"> {
  analysis: HeldAnalysis | null;
}

/** A number whose owner asked not to be called again. */
export interface OptOutReport {
  phone_number: string;
  /** The conversation in which they asked. */
  conversation_id: string;
  agent_id: string;
  /** ISO 8601, UTC. */
  at: string;
}

const NOTHING = { disclosed: null };

interface Dependencies {
  store: ConversationStore;
  outbox: Outbox<ConversationDestination>;
  /** Returns what determines the conversation's prices once it has ended. */
  priced(): PricedConversation | null;
  /** ms */
  now(): number;
}

/**
 * The reports that a conversation owes: its row and tool runs to the ledger, its outcome to the campaign, a number to
 * the do-not-call list. Each is stored in the write that changes it.
 */
export class Reports {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Whether anything is still to be delivered. */
  get owes(): boolean {
    return this.#isBehind || (this.#deps.store.isStored && this.#deps.outbox.owes);
  }

  /** Returns when (ms) to deliver next; null if nothing is owed. */
  nextAt(): number | null {
    if (this.#isBehind) return 0;
    return this.#deps.store.isStored ? this.#deps.outbox.dueAt() : null;
  }

  /** Whether the ledger has the conversation's current state. */
  get isOnRecord(): boolean {
    return this.isListed && this.#deps.store.existing.listed === this.#state;
  }

  /** Whether the ledger has accepted the conversation. */
  get isListed(): boolean {
    const { store, outbox } = this.#deps;
    const { id, revision } = store.existing;
    return revision > 0 && !outbox.holds("ledger", id);
  }

  /** Adds changed reports to the pending write. */
  owe(): void {
    const { store } = this.#deps;
    if (store.row === null) return;
    this.#oweRow();
    this.#oweOutcome();
    const { id } = store.existing;
    for (const run of unlistedRuns(store)) {
      store.runs.update(run.id, { listed: 1 });
      this.#add("ledger", run.id, runReport(id, run, policyOf(store.session.snapshot)));
    }
  }

  /** Adds a number to the reports for the do-not-call list. */
  optOut(phone_number: string): void {
    const at = new Date(this.#deps.now()).toISOString();
    const { existing, identity } = this.#deps.store;
    const report = { phone_number, conversation_id: existing.id, agent_id: identity.agent_id, at };
    this.#add("d1", phone_number, report satisfies OptOutReport);
  }

  #oweRow(): void {
    const { store } = this.#deps;
    const { existing } = store;
    const listed = this.#state;
    if (existing.listed === listed) return;
    const revision = existing.revision + 1;
    store.update({ listed, revision });
    const { identity, session } = store;
    // The analysis reports its own result.
    const isAnalyzed = existing.ended_at !== null && session.analysis.enabled;
    const row: LedgerRow = Object.assign(recordOf(store), {
      revision,
      session_key: identity.key,
      api_key_id: this.#apiKeyId,
      archived: existing.archived === 1,
      rates: null,
      analysis_status: isAnalyzed ? ("pending" as const) : null,
      successful: null,
      analysis_brief: isAnalyzed ? FIRST_BRIEF : null,
    });
    const report: OwedReport = { part: "conversation", row, priced: this.#deps.priced() };
    if (existing.ended_at !== null)
      report.questions = unansweredQuestions(existing.id, store.events, policyOf(session.snapshot));
    this.#add("ledger", existing.id, report);
  }

  #oweOutcome(): void {
    const { store } = this.#deps;
    const outcome = this.#outcome;
    if (outcome === null) return;
    const { conversation_id, disposition } = outcome;
    const campaign_reported = JSON.stringify({ conversation_id, disposition });
    if (store.existing.campaign_reported === campaign_reported) return;
    store.update({ campaign_reported });
    this.#add("campaign", conversation_id, outcome);
  }

  #add(destination: ConversationDestination, key: string, body: object): void {
    const { store, outbox } = this.#deps;
    store.write(() => outbox.add(destination, key, body));
  }

  /** Whether a change has not been added to the reports yet. */
  get #isBehind(): boolean {
    const { store } = this.#deps;
    if (store.row === null) return false;
    return store.row.listed !== this.#state || this.#isOutcomeNew || unlistedRuns(store).length > 0;
  }

  get #isOutcomeNew(): boolean {
    const outcome = this.#outcome;
    if (outcome === null) return false;
    const { conversation_id, disposition } = outcome;
    return this.#deps.store.existing.campaign_reported !== JSON.stringify({ conversation_id, disposition });
  }

  /** The state of the row for the ledger. */
  get #state(): string {
    const { existing, lastN, session, events } = this.#deps.store;
    const { ended_at, end_reason, transferred_to, archived } = existing;
    if (ended_at === null) {
      const { snapshot } = session;
      const { disclosed } = snapshot.disclosure ? disclosedIn(Object.assign({ snapshot, events }, existing)) : NOTHING;
      return disclosed === null ? "live" : `live ${disclosed}`;
    }
    return `ended ${lastN} ${archived} ${end_reason}${transferred_to === null ? "" : ` ${transferred_to}`}`;
  }

  /** The key that placed the call or opened the conversation; null for none. */
  get #apiKeyId(): string | null {
    const { identity, session } = this.#deps.store;
    if (identity.kind === "test") return "key_id" in identity.holder ? identity.holder.key_id : null;
    return session.api_key_id;
  }

  /** The report for the campaign; null if there is none. */
  get #outcome(): OutcomeReport | null {
    const { identity, existing, session } = this.#deps.store;
    const holder = identity.kind === "call" ? outcomeHolder(identity) : null;
    if (holder === null) return null;
    const disposition = redactWord(this.#deps.store.disposition, policyOf(session.snapshot));
    const { version: agent_version } = session.snapshot.agent;
    return Object.assign(holder, { conversation_id: existing.id, disposition, agent_version });
  }
}
