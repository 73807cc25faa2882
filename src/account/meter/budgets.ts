import { earliest } from "../../kernel/durable/alarm.ts";
import type { ObjectPart } from "../../kernel/durable/object-part.ts";
import { PROMPT_RETRY } from "../../kernel/durable/part-failures.ts";
import { MINUTE_MS } from "../../kernel/time.ts";
import type { Ledger } from "../../records/ledger/ledger.ts";
import type { CumulativeUse, OpenConsumer } from "./budget-consumers.ts";
import type { Reached } from "./budget-events.ts";
import { BudgetLedger } from "./budget-ledger.ts";
import type { PendingWarning } from "./budget-pots.ts";
import { type Budget, type Consumer, LEAST_TOKENS, periodEnd, retryAt } from "./budget-rules.ts";
import { CallBudgets } from "./call-budgets.ts";
import { type KeyLimits, limitsOf } from "./key-limits.ts";
import type { ConversationAdmission, ConversationUse, Credit } from "./live-lease.ts";
import { RecordedUse } from "./recorded-use.ts";
import { type SpeechAdmission, SpeechBudgets, type SpeechReservation, type UnspokenPart } from "./speech-budgets.ts";
import { VisitorDays } from "./visitor-days.ts";

/** A conversation that uses a model. */
export interface ModelConsumer extends OpenConsumer {
  /** The visitor in the conversation; null for calls and tests. */
  visitor: string | null;
  /** The number of requests to reserve before the conversation asks for them. */
  ahead: number;
}

/** The configuration that limits what the meter counts. */
export interface BudgetConfiguration {
  budgets: Budget[];
  widgetKeys: Record<string, KeyLimits>;
}

interface Dependencies {
  storage: Pick<DurableObjectStorage, "sql" | "transactionSync" | "kv">;
  read(): Promise<BudgetConfiguration>;
  /** The reads of the account's ledger. */
  ledger: Pick<Ledger, "usage" | "usageAndParts">;
  /** Writes a warning to the audit log. Idempotent. */
  warn(warning: PendingWarning): Promise<void>;
  /** Stores the event of a share of a limit, in the transaction in which the share is reached. */
  reached(reached: Reached): void;
  /** Closes a conversation because one of its budgets is reached. */
  close(object: string, id: string): Promise<void>;
  countsNetworks: boolean;
  /** Sets the alarm for the next work. */
  arm(): Promise<void>;
  report(error: unknown): void;
}

/** The assumed size of an agent's first request, tokens. */
const FIRST_REQUEST = 6_000;
/** How often the configuration is read again, in case the notice of a change was lost, ms. */
const READ_AGAIN_MS = MINUTE_MS;
/** How long costs are reused after being read, ms. Warnings about costs are not urgent. */
const COSTS_AGAIN_MS = 5_000;
/** The number of consumers closed and warnings written in one round. */
const AT_ONCE = 100;
const CONFIGURATION = "budgets";

/** The account's budgets: they admit conversations, reserve requests, and act when a budget is reached. */
export class Budgets implements ObjectPart {
  readonly retry = PROMPT_RETRY;
  readonly #deps: Dependencies;
  readonly calls: CallBudgets;
  readonly #ledger: BudgetLedger;
  readonly #visitorDays: VisitorDays;
  readonly #speech: SpeechBudgets;
  readonly #recorded: RecordedUse;
  /** When (ms) costs are read again after the ledger reported a change; null for never. */
  #readCostsAt: number | null = null;
  #costsReadAt = 0;
  #configuration: BudgetConfiguration | null;
  #readAt = 0;
  #reading: Promise<void> | null = null;
  /** Widget keys that the last read did not find because they were deleted. */
  readonly #absentKeys = new Set<string>();

  constructor(deps: Dependencies, now: number) {
    this.#deps = deps;
    this.#ledger = new BudgetLedger(deps.storage, deps.reached);
    this.calls = new CallBudgets({ ledger: this.#ledger, ready: (at) => this.#ready(at, null) });
    this.#visitorDays = new VisitorDays(deps.storage.sql);
    this.#speech = new SpeechBudgets({ ledger: this.#ledger, visitorDays: this.#visitorDays });
    this.#recorded = new RecordedUse(deps, this.#ledger);
    this.#configuration = deps.storage.kv.get<BudgetConfiguration>(CONFIGURATION) ?? null;
    if (this.#configuration) this.#apply(this.#configuration, now);
  }

  /** Called when the configuration has changed. */
  async changed(now: number): Promise<void> {
    // A read in progress may have started before the change.
    await this.#reading?.catch(() => {});
    await this.#read(now);
  }

  /** Admits a conversation, and returns what it may start. */
  async admit(conversation: ModelConsumer, now: number): Promise<ConversationAdmission> {
    const { id, object, visitor } = conversation;
    const { widget_key_id: key, guest } = conversation.consumer;
    await this.#ready(now, key);
    // The minutes of the call were used up while it rang.
    if (this.calls.isEnding(object)) return refusedUntil(periodEnd("day", now), now);
    const consumer = this.#counted(conversation.consumer);
    const room = this.#ledger.roomFor(consumer, "tokens", LEAST_TOKENS, now);
    if (room.count === 0) return refusedUntil(retryAt(room, now), now);
    if (key !== null && visitor !== null && !this.#ledger.has(id)) {
      const most = this.#limitsOf(key).conversations_per_visitor_day;
      const network = guest ? consumer.network : null;
      if (most !== null && !this.#visitorDays.count({ key, visitor, network }, most, now))
        return refusedUntil(periodEnd("day", now), now);
    }
    this.#open(conversation, now);
    return { outcome: "admitted", credit: await this.#grant(conversation, FIRST_REQUEST, now) };
  }

  /**
   * Charges a conversation's use, and returns what it may start next. `next` is the size of its next request, tokens.
   */
  async settle(conversation: ModelConsumer, use: ConversationUse, next: number, now: number): Promise<Credit> {
    await this.#ready(now, conversation.consumer.widget_key_id);
    this.#open(conversation, now);
    this.#ledger.settle(conversation.id, cumulative(use), now);
    return this.#grant(conversation, next, now);
  }

  /** Reserves request `n`, which is about to start; false if a budget is reached. */
  async reserve(
    conversation: ModelConsumer,
    use: ConversationUse,
    n: number,
    tokens: number,
    now: number,
  ): Promise<boolean> {
    await this.#ready(now, conversation.consumer.widget_key_id);
    this.#open(conversation, now);
    this.#ledger.settle(conversation.id, cumulative(use), now);
    const isCovered = this.#ledger.reserve(conversation.id, n, tokens, now);
    await this.#deps.arm();
    return isCovered;
  }

  /**
   * Reserves request `n` of background work; false if a budget has no room for it. A refusal ends nothing, because live
   * conversations have priority.
   */
  async reserveInBackground(
    conversation: ModelConsumer,
    use: ConversationUse,
    n: number,
    tokens: number,
    now: number,
  ): Promise<boolean> {
    await this.#ready(now, null);
    this.#open(conversation, now);
    this.#ledger.settle(conversation.id, cumulative(use), now);
    const isCovered = this.#ledger.reserve(conversation.id, n, tokens, now, true);
    await this.#deps.arm();
    return isCovered;
  }

  /** Reserves a part of a conversation before the agent's own voice speaks it. */
  async reserveSpeech(conversation: ModelConsumer, part: SpeechReservation, now: number): Promise<SpeechAdmission> {
    const { id, object } = conversation;
    await this.#ready(now, conversation.consumer.widget_key_id);
    const admission = this.#speech.reserve({ id, object, consumer: this.#counted(conversation.consumer) }, part, now);
    await this.#deps.arm();
    return admission;
  }

  /** Releases the reservation of a part that was not spoken. */
  async giveBackSpeech({ consumer }: ModelConsumer, part: UnspokenPart, now: number): Promise<void> {
    await this.#ready(now, consumer.widget_key_id);
    this.#speech.giveBack(this.#counted(consumer), part);
  }

  /** Charges a conversation that has ended. `speech` is null if its agent's own voice said nothing. */
  async leave(id: string, use: ConversationUse, speech: CumulativeUse | null, now: number): Promise<void> {
    await this.#ready(now, null);
    this.#ledger.close(id, cumulative(use), now);
    if (speech !== null) this.#speech.leave(id, speech, now);
    await this.#deps.arm();
  }

  /** Returns how much of each budget is used at `now`, in the budget's unit, by id. */
  async use(now: number): Promise<Record<string, number>> {
    await this.#ready(now, null);
    await this.#readCosts(now);
    const budgets = this.#budgets;
    return Object.fromEntries(budgets.map((budget) => [budget.id, this.#ledger.use(budget, now).used]));
  }

  /**
   * Closes consumers again after the object was rebuilt, because the objects that were told to close them may have been
   * rebuilt as well.
   */
  resume(): void {
    this.#ledger.closeAgain();
  }

  /** Returns when (ms) there is work to do. */
  dueAt(): number | null {
    const isBehind = this.#ledger.toClose(1).length > 0 || this.#ledger.pendingWarnings(1).length > 0;
    return earliest([isBehind ? 0 : null, this.#ledger.nextLapseAt(), this.#readCostsAt]);
  }

  /** Called after the ledger's costs changed. Schedules one read, however often it is called. */
  async costsChanged(now: number): Promise<void> {
    await this.#ready(now, null);
    if (!this.#budgets.some(({ unit }) => unit === "usd_micros")) return;
    this.#readCostsAt ??= Math.max(now, this.#costsReadAt + COSTS_AGAIN_MS);
    await this.#deps.arm();
  }

  async #readCosts(now: number): Promise<void> {
    this.#readCostsAt = null;
    this.#costsReadAt = now;
    await this.#recorded.readCosts(this.#budgets, now);
    // A warning may be due.
    await this.#deps.arm();
  }

  get #budgets(): Budget[] {
    return this.#configuration?.budgets ?? [];
  }

  /** Lets reservations lapse, closes the consumers of reached budgets, and writes warnings to the audit log. */
  async run(now: number): Promise<void> {
    await this.#ready(now, null);
    if (this.#readCostsAt !== null && this.#readCostsAt <= now) await this.#readCosts(now);
    this.#ledger.lapse(now);
    const closing = this.#ledger.toClose(AT_ONCE).map(async ({ id, object }) => {
      await this.#deps.close(object, id);
      this.#ledger.closed(id);
    });
    const warnings = this.#ledger.pendingWarnings(AT_ONCE).map(async (warning) => {
      // Implicit budgets, such as the limits of widget keys, have no warnings.
      if (this.#configuration?.budgets.some(({ id }) => id === warning.budget)) await this.#deps.warn(warning);
      this.#ledger.warned(warning);
    });
    const outcomes = await Promise.allSettled([...closing, ...warnings]);
    const failed = outcomes.find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  }

  #open({ id, object, consumer }: ModelConsumer, now: number): void {
    this.#ledger.open({ id, object, consumer: this.#counted(consumer) }, "tokens", now);
  }

  async #grant({ id, consumer, ahead }: ModelConsumer, next: number, now: number): Promise<Credit> {
    const credit = this.#ledger.grant(id, next, ahead, now);
    await this.#deps.arm();
    const key = consumer.widget_key_id;
    return Object.assign(credit, { turns: key === null ? null : this.#limitsOf(key).turns_per_conversation });
  }

  #limitsOf(widgetKey: string): KeyLimits {
    return this.#configuration?.widgetKeys[widgetKey] ?? limitsOf({});
  }

  #counted(consumer: Consumer): Consumer {
    return this.#deps.countsNetworks ? consumer : Object.assign({}, consumer, { network: null });
  }

  /** Loads the configuration before anything is counted, and reads it again at intervals. */
  async #ready(now: number, widgetKey: string | null): Promise<void> {
    if (this.#configuration === null || this.#isUnknown(widgetKey)) {
      await (this.#reading ?? this.#read(now));
      if (widgetKey !== null && this.#isUnknown(widgetKey)) this.#absentKeys.add(widgetKey);
    } else if (now >= this.#readAt + READ_AGAIN_MS) this.#read(now).catch(this.#deps.report);
  }

  #isUnknown(widgetKey: string | null): boolean {
    if (widgetKey === null || this.#absentKeys.has(widgetKey)) return false;
    return this.#configuration?.widgetKeys[widgetKey] === undefined;
  }

  #read(now: number): Promise<void> {
    this.#readAt = now;
    const reading = this.#deps
      .read()
      .then((configuration) => {
        if (JSON.stringify(configuration) !== JSON.stringify(this.#configuration))
          this.#deps.storage.kv.put(CONFIGURATION, configuration);
        this.#apply(configuration, now);
        return this.#recorded.start(configuration.budgets, now).catch(this.#deps.report);
      })
      // Consumers may need to be closed under the new configuration.
      .then(() => this.#deps.arm())
      .finally(() => {
        if (this.#reading === reading) this.#reading = null;
      });
    this.#reading = reading;
    return reading;
  }

  #apply(configuration: BudgetConfiguration, now: number): void {
    this.#configuration = configuration;
    this.#absentKeys.clear();
    this.#ledger.configure([...configuration.budgets, ...keyBudgets(configuration.widgetKeys)], now);
  }
}

/** Returns the daily limits of widget keys as budgets, with the keys' ids. */
function keyBudgets(keys: Record<string, KeyLimits>): Budget[] {
  return Object.entries(keys).flatMap(([id, { tokens_per_day: limit }]): Budget[] => {
    if (limit === null) return [];
    return [
      { id, scope: "widget_key", scope_id: id, period: "day", unit: "tokens", limit, warn_at: [], action: "end" },
    ];
  });
}

function refusedUntil(until: number, now: number): ConversationAdmission {
  return { outcome: "refused", code: "budget_reached", retryAfterMs: until - now };
}

function cumulative({ input_tokens, output_tokens, requests }: ConversationUse): CumulativeUse {
  return { total: input_tokens + output_tokens, requests };
}
