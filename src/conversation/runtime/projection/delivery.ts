import { eq, sql } from "drizzle-orm";
import type { AccountStore } from "../../../kernel/db/account-store.ts";
import { calls, conversations } from "../../../kernel/db/schema/index.ts";
import { campaignObject } from "../../../kernel/durable/objects.ts";
import { listNumbers } from "../../../phone/do-not-call/list-numbers.ts";
import { type ConversationDetail, isComplete, tally } from "../../../records/conversations/record.ts";
import { Ledger } from "../../../records/ledger/ledger.ts";
import type { ConversationRow } from "../store/conversation-row.ts";
import type { ConversationStore } from "../store/conversation-store.ts";
import { detailOf } from "../streams/view.ts";
import { deliverRuns, unlistedRuns } from "../tools/unlisted-runs.ts";
import { TOKEN_AFTER_END_MS } from "../turns/waiting.ts";

/** What a delivery needs beside the store. */
export interface DeliveryDependencies {
  env: Pick<Env, "CAMPAIGN" | "ACCOUNT_LEDGER">;
  accountStore: AccountStore;
  /** Keeps a conversation that has ended in R2. */
  archive(detail: ConversationDetail): Promise<void>;
}

/** The columns of a listed conversation that change while it goes on. */
const CHANGING = [
  "status",
  "ended_at",
  "end_reason",
  "transferred_to",
  "disposition",
  "turn_count",
  "tool_call_count",
  "usage",
  "latency",
  "complete",
  "archived",
] as const;

/**
 * Brings a conversation to where it is looked for: its row to D1, its turns to R2, its outcome to the campaign, a number
 * to the do-not-call list. The store remembers what has arrived, so that what fails is simply done again.
 */
export class Delivery {
  readonly #store: ConversationStore;
  readonly #deps: DeliveryDependencies;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(store: ConversationStore, deps: DeliveryDependencies) {
    this.#store = store;
    this.#deps = deps;
  }

  /** Whether somebody lacks something at `now`, ms. */
  behind(now: number): boolean {
    const { row } = this.#store;
    if (row === null) return false;
    return (
      row.opt_out !== null ||
      unlistedRuns(this.#store).length > 0 ||
      row.listed !== this.#toList() ||
      row.campaign_told !== this.#campaignOutcome() ||
      (row.archived === 0 && this.#isFinal(now))
    );
  }

  /** Brings everybody what they lack; throws where somebody does not take it. */
  push(now: number): Promise<void> {
    const mine = this.#turn.then(() => this.#push(now));
    this.#turn = mine.catch(() => {});
    return mine;
  }

  /** Resolves when nothing is on its way any more. */
  async settled(): Promise<void> {
    await this.#turn;
  }

  async #push(now: number): Promise<void> {
    if (!this.behind(now)) return;
    const { existing, lastN } = this.#store;
    const [listed, outcome, detail] = [this.#toList(), this.#campaignOutcome(), detailOf(this.#store)];
    // What was said goes before the row that says that it is there.
    const archives = existing.archived === 0 && this.#isFinal(now);
    if (archives) await this.#deps.archive(detail);
    if (this.#store.row?.id !== existing.id) return;
    const isOutcomeNew = existing.campaign_told !== outcome;
    await Promise.all([
      this.#record(detail, existing, archives),
      deliverRuns(this.#store, new Ledger({ env: this.#deps.env, store: this.#deps.accountStore })),
      isOutcomeNew ? this.#reportToCampaign(outcome) : undefined,
    ]);
    if (this.#store.row?.id !== existing.id) return;
    // What arrived meanwhile is not in the archive yet.
    const archived = archives && this.#store.lastN === lastN;
    this.#store.update({ listed, campaign_told: outcome, ...(archived && { archived: 1 }) });
    if (this.#store.existing.opt_out === existing.opt_out) this.#store.update({ opt_out: null });
    this.#store.flush();
  }

  async #record(detail: ConversationDetail, existing: ConversationRow, archived: boolean): Promise<void> {
    const { accountStore } = this.#deps;
    const { key: session_key } = this.#store.identity;
    const { turns: _turns, storage: _storage, ...record } = detail;
    const row = { ...record, session_key, archived: archived || existing.archived === 1 };
    const number = existing.opt_out;
    const { call_id, transferred_to } = record;
    await accountStore.record(
      accountStore.upsertMany(conversations, [row], {
        target: [conversations.account, conversations.id],
        columns: [...CHANGING],
      }),
      ...(call_id === null || transferred_to === null ? [] : [this.#noteTransfer(call_id, transferred_to)]),
      ...(number === null
        ? []
        : listNumbers(accountStore, [number], {
            reason: "opted out in a conversation",
            created_at: new Date().toISOString(),
            conversation_id: existing.id,
          })),
    );
  }

  /** The call says too where it went. */
  #noteTransfer(callId: string, toNumber: string) {
    const metadata = sql`json_set(${calls.metadata}, '$.transferred_to', ${toNumber})`;
    return this.#deps.accountStore.update(calls, { metadata }, eq(calls.id, callId));
  }

  async #reportToCampaign(outcome: string | null): Promise<void> {
    const identity = this.#store.identity;
    if (outcome === null || identity.kind !== "call" || identity.campaign_id === null) return;
    const { account, call_id, campaign_id } = identity;
    await campaignObject(this.#deps.env, account, campaign_id).conversation(call_id, JSON.parse(outcome));
  }

  /** Which state of the row D1 is to have. */
  #toList(): string {
    const { ended_at, end_reason, transferred_to } = this.#store.existing;
    if (ended_at === null) return "live";
    return `ended ${this.#store.lastN} ${end_reason}${transferred_to === null ? "" : ` ${transferred_to}`}`;
  }

  /** What the campaign is to know; null where there is none. */
  #campaignOutcome(): string | null {
    const identity = this.#store.identity;
    if (identity.kind !== "call" || identity.campaign_id === null) return null;
    const { disposition } = tally(this.#store.events);
    return JSON.stringify({ conversation_id: this.#store.existing.id, disposition });
  }

  /** Whether nothing more will come of it. */
  #isFinal(now: number): boolean {
    const { ended_at } = this.#store.existing;
    if (ended_at === null) return false;
    return isComplete(this.#store.events) || now >= ended_at + TOKEN_AFTER_END_MS;
  }

  /** When (ms) to come back where nobody lacks anything now; null while the conversation goes on. */
  get dueAt(): number | null {
    const ended_at = this.#store.row?.ended_at ?? null;
    return ended_at === null ? null : ended_at + TOKEN_AFTER_END_MS;
  }

  /** Whether everything has arrived and nobody may add to it: the object can be emptied. */
  isDone(now: number): boolean {
    const { row } = this.#store;
    return row !== null && row.archived === 1 && row.ended_at !== null && now >= row.ended_at + TOKEN_AFTER_END_MS;
  }
}
