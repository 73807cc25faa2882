/* What a budget is, whom it applies to, and what it allows: pure decisions over amounts that the ledger counts. */
import { MINUTE_MS } from "../../kernel/time.ts";

export type BudgetScope = "account" | "agent" | "campaign" | "api_key" | "widget_key";
export type BudgetPeriod = "day" | "month";
export type BudgetUnit = "tokens" | "call_minutes" | "speech_chars" | "usd_micros";
export type BudgetAction = "warn" | "stop_new" | "end";

/** A budget as it was configured; `limit` is in its unit. */
export interface Budget {
  id: string;
  scope: BudgetScope;
  /** What it is the budget of; null for the whole account. */
  scope_id: string | null;
  period: BudgetPeriod;
  unit: BudgetUnit;
  limit: number;
  /** Shares of the limit at which a warning is due, above 0 and below 1. */
  warn_at: number[];
  action: BudgetAction;
}

/** What a conversation (tokens, speech) or a call (minutes) is charged; null if the unit does not apply to it. */
export interface Consumer {
  agent_id: string | null;
  campaign_id: string | null;
  api_key_id: string | null;
  widget_key_id: string | null;
  /** Whether an unidentified visitor uses it. */
  guest: boolean;
  /** A guest's network; null if networks are not counted. */
  network: string | null;
}

/** What amounts are counted in. */
export type Measure = "tokens" | "call_ms" | "speech_chars";

/**
 * A part of a budget that is counted by itself: all of it, the part of all guests, or of the guests of one network. A
 * consumer draws on each part that it belongs to.
 */
export interface Pot {
  budget: Budget;
  share: string;
  /** Most that may be used, in the measure of the budget. */
  limit: number;
}

export const WHOLE = "all";
const GUESTS = "guests";
/** The share of a budget for all guests, and of that for one network, so that a flood from one network leaves room for others. */
const GUESTS_SHARE = 1 / 2;
const NETWORK_SHARE = 1 / 5;

/** The least that a conversation's first request needs, tokens: with less left it does not begin. */
export const LEAST_TOKENS = 1_000;

/** While less than this share of a budget is left, no credit is given: every request is reserved by itself. */
const SHARE_WITHOUT_CREDIT = 1 / 5;

/** The largest part of a budget that is given as credit for one request. */
const LARGEST_CREDIT = 1 / 50;

/** The unit a budget is counted in here; null for costs, which the account's ledger counts. */
export function measureOf(unit: BudgetUnit): Measure | null {
  if (unit === "usd_micros") return null;
  return unit === "call_minutes" ? "call_ms" : unit;
}

/** How much of the measure one of the unit is. */
export function perUnit(unit: BudgetUnit): number {
  return unit === "call_minutes" ? MINUTE_MS : 1;
}

/** The parts of budgets that a consumer draws on when it uses this measure. */
export function potsOf(budgets: Iterable<Budget>, consumer: Consumer, measure: Measure): Pot[] {
  const pots: Pot[] = [];
  for (const budget of budgets) {
    if (measureOf(budget.unit) !== measure || !appliesTo(budget, consumer)) continue;
    pots.push(potOf(budget, WHOLE));
    if (!consumer.guest) continue;
    pots.push(potOf(budget, GUESTS));
    if (consumer.network !== null) pots.push(potOf(budget, `network ${consumer.network}`));
  }
  return pots;
}

/** The part of a budget that has this name. */
export function potOf(budget: Budget, share: string): Pot {
  const limit = budget.limit * perUnit(budget.unit);
  if (share === WHOLE) return { budget, share, limit };
  return { budget, share, limit: Math.floor(limit * (share === GUESTS ? GUESTS_SHARE : NETWORK_SHARE)) };
}

/** Whether what a consumer uses is counted by the budget. */
export function appliesTo({ scope, scope_id }: Budget, consumer: Consumer): boolean {
  if (scope === "account") return true;
  if (scope === "agent") return consumer.agent_id === scope_id;
  if (scope === "campaign") return consumer.campaign_id === scope_id;
  if (scope === "api_key") return consumer.api_key_id === scope_id;
  return consumer.widget_key_id === scope_id;
}

/** What of a pot is gone. */
export interface PotUse {
  used: number;
  reserved: number;
}

/** Whether the pot has room for this much beside what is used and reserved. */
export function hasRoom({ limit }: Pot, { used, reserved }: PotUse, amount: number): boolean {
  return used < limit && used + reserved + amount <= limit;
}

/** How many uses of up to `amount` each the pot has room for. */
export function roomFor({ limit }: Pot, { used, reserved }: PotUse, amount: number): number {
  return used < limit ? Math.max(0, Math.floor((limit - used - reserved) / amount)) : 0;
}

/**
 * Whether `more` may be reserved ahead for a future request of up to `amount`. The last fifth of a budget is never
 * reserved ahead, and neither is any of one that a few conversations would exhaust: visitors who only connect must not
 * keep others out.
 */
export function hasCredit({ limit }: Pot, { used, reserved }: PotUse, more: number, amount: number): boolean {
  return amount <= limit * LARGEST_CREDIT && used + reserved + more <= limit * (1 - SHARE_WITHOUT_CREDIT);
}

/** Whether a reservation may be refused for the pot's sake: only where live conversations may never go past the limit. */
export function isHard({ budget }: Pot): boolean {
  return budget.action === "end";
}

/** Whether the pot is used up, and its live consumers have to end. */
export function isFull(pot: Pot, { used }: Pick<PotUse, "used">): boolean {
  return isHard(pot) && used >= pot.limit;
}

/** Whether the pot keeps new conversations and calls out once it is reached. */
export function stopsNew({ budget }: Pot): boolean {
  return budget.action !== "warn";
}

/** When (ms) the period of `now` began, in UTC. */
export function periodStart(period: BudgetPeriod, now: number): number {
  const at = new Date(now);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), period === "day" ? at.getUTCDate() : 1);
}

/** When (ms) the period of `now` is over, in UTC. */
export function periodEnd(period: BudgetPeriod, now: number): number {
  const at = new Date(now);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  return period === "day" ? Date.UTC(year, month, at.getUTCDate() + 1) : Date.UTC(year, month + 1, 1);
}

/** How often something may be used, and the pot that bounds it: null if none does. */
export interface Room {
  count: number;
  pot: Pot | null;
  /** Whether the pot has no room even once nothing is reserved. */
  isUsedUp: boolean;
}

/** If only reservations stand in the way, one may be settled at any moment: when a retry is due, ms. */
const SETTLED_SOON_MS = 5_000;

/** When (ms) to try again where there is no room: soon if reservations alone take it, else in the next period. */
export function retryAt({ pot, isUsedUp }: Room, now: number): number {
  return isUsedUp && pot ? periodEnd(pot.budget.period, now) : now + SETTLED_SOON_MS;
}

/** The warnings that are due at this use: each share of the limit that is reached; 1 is the limit itself. */
export function warningsDue(budget: Budget, used: number): number[] {
  const limit = budget.limit * perUnit(budget.unit);
  return [...budget.warn_at, 1].filter((share) => used >= share * limit);
}
