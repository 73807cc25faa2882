import type { CallRefusal } from "../../phone/call-limits/call-caps.ts";
import type { BudgetLedger } from "./budget-ledger.ts";
import { type Consumer, LEAST_TOKENS, type Room, retryAt } from "./budget-rules.ts";
import { callOfLeg } from "./lease-ledger.ts";

export type CallConsumer = Pick<Consumer, "agent_id" | "campaign_id" | "api_key_id">;

/** How many of the requested calls the budgets admit. */
export interface BudgetAdmission {
  granted: number;
  refusal: CallRefusal<"budget_reached"> | null;
  /**
   * Whether the remaining calls must wait for the next period. Otherwise they wait only until running calls have
   * settled.
   */
  isUsedUp: boolean;
}

interface Dependencies {
  ledger: BudgetLedger;
  /** Resolves once the budgets that limit calls are loaded. */
  ready(now: number): Promise<void>;
}

/**
 * The budgets of calls. Each call reserves its longest duration together with its lease, and settles its actual
 * duration. All methods but `ready` are synchronous, so nothing happens between the check and the lease that it allows.
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

  /** Returns how many of `want` new calls with conversations, each of up to `longestMs`, are admitted. */
  admits(consumer: CallConsumer, want: number, longestMs: number, now: number): BudgetAdmission {
    if (want === 0) return { granted: 0, refusal: null, isUsedUp: false };
    const tokens = this.#ledger.roomFor(consumerOf(consumer), "tokens", LEAST_TOKENS, now);
    return tokens.count > 0 ? this.admitsMinutes(consumer, want, longestMs, now) : refused(tokens, now);
  }

  /** Returns the same for calls without a conversation. */
  admitsMinutes(consumer: CallConsumer, want: number, longestMs: number, now: number): BudgetAdmission {
    const room = this.#ledger.roomFor(consumerOf(consumer), "call_ms", longestMs, now);
    if (room.count >= want) return { granted: want, refusal: null, isUsedUp: false };
    return Object.assign(refused(room, now), { granted: room.count });
  }

  /** Reserves the longest duration of calls whose leases last until `lapsesAt` (ms). */
  open(callIds: string[], consumer: CallConsumer, longestMs: number, lapsesAt: number, now: number): void {
    const charged = consumerOf(consumer);
    for (const callId of callIds) {
      const id = idOf(callId);
      this.#ledger.open({ id, object: callOfLeg(callId), consumer: charged }, "call_ms", now);
      this.#ledger.hold(id, { amount: longestMs, started: false, lapsesAt }, now);
    }
  }

  /** Records that calls were answered. From now on they use minutes. */
  answered(callIds: string[], longestMs: number, lapsesAt: number, now: number): void {
    for (const callId of callIds) {
      const id = idOf(callId);
      this.#ledger.answered(id, now);
      this.#ledger.hold(id, { amount: longestMs, started: true, lapsesAt }, now);
    }
  }

  /** Extends the reservations of calls whose leases last until `lapsesAt` (ms). */
  keep(callIds: string[], longestMs: number, lapsesAt: number, now: number): void {
    for (const callId of callIds) this.#ledger.hold(idOf(callId), { amount: longestMs, started: false, lapsesAt }, now);
  }

  /** Charges the duration of calls that have ended: `tookMs` by call, otherwise the duration observed here. */
  settle(callIds: string[], tookMs: Record<string, number>, now: number): void {
    for (const callId of callIds) {
      const id = idOf(callId);
      const found = this.#ledger.find(id);
      if (!found) continue;
      const seen = found.answeredAt === null ? 0 : now - found.answeredAt;
      this.#ledger.close(id, { total: Math.max(0, tookMs[callId] ?? seen), requests: 1 }, now);
    }
  }

  refund(callIds: string[], now: number): void {
    for (const callId of callIds) this.#ledger.close(idOf(callId), { total: 0, requests: 1 }, now);
  }

  /** Checks whether the call must end because a budget for its minutes is used up. */
  isEnding(callId: string): boolean {
    return this.#ledger.find(idOf(callId))?.isEnding ?? false;
  }

  /** Returns the consumer that is charged for the call; null if the call is over. */
  consumerOf(callId: string): CallConsumer | null {
    return this.#ledger.find(idOf(callId))?.consumer ?? null;
  }
}

/** Distinguishes a call's consumer id from a conversation's. */
const PREFIX = "call/";
const idOf = (callId: string) => PREFIX + callId;

/** Returns the id of the call that is charged under `id`. */
export const callOf = (id: string): string => id.slice(PREFIX.length);

export const isOfCall = (id: string): boolean => id.startsWith(PREFIX);

function consumerOf({ agent_id, campaign_id, api_key_id }: CallConsumer): Consumer {
  return { agent_id, campaign_id, api_key_id, widget_key_id: null, guest: false, network: null };
}

function refused(room: Room, now: number): BudgetAdmission {
  const refusal = { cap: "budget_reached", retryAt: retryAt(room, now) } as const;
  return { granted: 0, refusal, isUsedUp: room.isUsedUp };
}
