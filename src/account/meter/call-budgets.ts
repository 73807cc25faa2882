import type { CallRefusal } from "../../phone/call-limits/call-caps.ts";
import type { BudgetLedger } from "./budget-ledger.ts";
import { type Consumer, LEAST_TOKENS, type Room, retryAt } from "./budget-rules.ts";
import { callOfLeg } from "./lease-ledger.ts";

/** Whose budgets a call draws on: its agent's, its campaign's, and those of the API key that originated it. */
export type CallConsumer = Pick<Consumer, "agent_id" | "campaign_id" | "api_key_id">;

/** How many of the requested calls the budgets admit. */
export interface BudgetAdmission {
  granted: number;
  refusal: CallRefusal<"budget_reached"> | null;
  /** Whether the rest can go only in the next period; otherwise once running calls have settled. */
  isUsedUp: boolean;
}

interface Dependencies {
  ledger: BudgetLedger;
  /** Resolves once the budgets that limit calls are loaded. */
  ready(now: number): Promise<void>;
}

/**
 * What budgets say of calls, and what calls use of them: each reserves its longest duration with its lease, and settles
 * what it took. All but `ready` is synchronous: nothing comes between the check and the lease that follows from it.
 */
export class CallBudgets {
  readonly #ledger: BudgetLedger;
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#ledger = deps.ledger;
  }

  ready(now: number): Promise<void> {
    return this.#deps.ready(now);
  }

  /** How many of `want` new calls may go, each of up to `longestMs`, and talk. */
  admits(consumer: CallConsumer, want: number, longestMs: number, now: number): BudgetAdmission {
    if (want === 0) return { granted: 0, refusal: null, isUsedUp: false };
    const tokens = this.#ledger.roomFor(consumerOf(consumer), "tokens", LEAST_TOKENS, now);
    return tokens.count > 0 ? this.admitsMinutes(consumer, want, longestMs, now) : refused(tokens, now);
  }

  /** The same of calls without a conversation. */
  admitsMinutes(consumer: CallConsumer, want: number, longestMs: number, now: number): BudgetAdmission {
    const room = this.#ledger.roomFor(consumerOf(consumer), "call_ms", longestMs, now);
    if (room.count >= want) return { granted: want, refusal: null, isUsedUp: false };
    return Object.assign(refused(room, now), { granted: room.count });
  }

  /** Reserves the longest duration of calls that got leases until `lapsesAt`, ms. */
  open(callIds: string[], consumer: CallConsumer, longestMs: number, lapsesAt: number, now: number): void {
    for (const callId of callIds) {
      const id = idOf(callId);
      this.#ledger.open({ id, object: callOfLeg(callId), consumer: consumerOf(consumer) }, "call_ms", now);
      this.#ledger.hold(id, { amount: longestMs, started: false, lapsesAt }, now);
    }
  }

  /** Calls were answered: from now on they use minutes. */
  answered(callIds: string[], longestMs: number, lapsesAt: number, now: number): void {
    for (const callId of callIds) {
      const id = idOf(callId);
      this.#ledger.answered(id, now);
      this.#ledger.hold(id, { amount: longestMs, started: true, lapsesAt }, now);
    }
  }

  /** The leases of calls last until `lapsesAt`, ms. */
  keep(callIds: string[], longestMs: number, lapsesAt: number, now: number): void {
    for (const callId of callIds) this.#ledger.hold(idOf(callId), { amount: longestMs, started: false, lapsesAt }, now);
  }

  /** Calls have ended: charges their duration, as `tookMs` reports it by call or as it was observed here. */
  settle(callIds: string[], tookMs: Record<string, number>, now: number): void {
    for (const callId of callIds) {
      const id = idOf(callId);
      const found = this.#ledger.find(id);
      if (!found) continue;
      const seen = found.answeredAt === null ? 0 : now - found.answeredAt;
      this.#ledger.close(id, { total: Math.max(0, tookMs[callId] ?? seen), requests: 1 }, now);
    }
  }

  /** No calls were placed with these leases. */
  refund(callIds: string[], now: number): void {
    for (const callId of callIds) this.#ledger.close(idOf(callId), { total: 0, requests: 1 }, now);
  }

  /** Whether the call has to end because a budget of its minutes is used up. */
  isEnding(callId: string): boolean {
    return this.#ledger.find(idOf(callId))?.isEnding ?? false;
  }

  /** Whose budgets the call draws on, null if the call is over. */
  consumerOf(callId: string): CallConsumer | null {
    return this.#ledger.find(idOf(callId))?.consumer ?? null;
  }
}

/** The consumer's id of a call, distinct from a conversation's. */
const PREFIX = "call/";
const idOf = (callId: string) => PREFIX + callId;

/** The id of the call that pays under `id`. */
export const callOf = (id: string): string => id.slice(PREFIX.length);

/** Whether it is a call that pays under `id`. */
export const isOfCall = (id: string): boolean => id.startsWith(PREFIX);

function consumerOf({ agent_id, campaign_id, api_key_id }: CallConsumer): Consumer {
  return { agent_id, campaign_id, api_key_id, widget_key_id: null, guest: false, network: null };
}

function refused(room: Room, now: number): BudgetAdmission {
  const refusal = { cap: "budget_reached", retryAt: retryAt(room, now) } as const;
  return { granted: 0, refusal, isUsedUp: room.isUsedUp };
}
