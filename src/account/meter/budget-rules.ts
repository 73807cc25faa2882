/*
 * The rules of budgets as pure functions: to whom a budget applies, and what it allows given the amounts that the
 * ledger counts.
 */
import { MINUTE_MS } from "../../kernel/time.ts";

export type BudgetScope = "account" | "agent" | "campaign" | "api_key" | "widget_key";
export type BudgetPeriod = "day" | "month";
export type BudgetUnit = "tokens" | "call_minutes" | "speech_chars" | "usd_micros";
export type BudgetAction = "warn" | "stop_new" | "end";

/** A budget in its configured form. `limit` is in its unit. */
export interface Budget {
  id: string;
  scope: BudgetScope;
  /** The id of the resource to which the budget applies; null for the whole account. */
  scope_id: string | null;
  period: BudgetPeriod;
  unit: BudgetUnit;
  limit: number;
  /** Shares of the limit at which a warning is due, above 0 and below 1. */
  warn_at: number[];
  action: BudgetAction;
}

/** The resources charged for a conversation (tokens, speech) or a call (minutes). */
export interface Consumer {
  agent_id: string | null;
  campaign_id: string | null;
  api_key_id: string | null;
  widget_key_id: string | null;
  /** Whether an anonymous visitor uses it. */
  guest: boolean;
  /** A guest's network; null if networks are not counted. */
  network: string | null;
}

/** The measures in which amounts are counted. */
export type Measure = "tokens" | "call_ms" | "speech_chars";

/**
 * A part of a budget that is counted separately: the whole budget, the part for all guests, or the part for the guests
 * of one network. A consumer uses every part to which it belongs.
 */
export interface Pot {
  budget: Budget;
  share: string;
  limit: number;
}

export const WHOLE = "all";
const GUESTS = "guests";
/**
 * The shares of a budget for all guests and for the guests of one network, so that a flood from one network leaves room
 * for others.
 */
const GUESTS_SHARE = 1 / 2;
const NETWORK_SHARE = 1 / 5;

/** The minimum room for a conversation's first request, tokens. With less left, the conversation does not begin. */
export const LEAST_TOKENS = 1_000;

/** If less than this share of a budget is left, no credit is given, and every request is reserved separately. */
const SHARE_WITHOUT_CREDIT = 1 / 5;

/** The largest request for which credit is given, as a share of the budget. */
const LARGEST_CREDIT = 1 / 50;

/** Returns the measure in which a unit is counted; null for costs, which the account's ledger counts. */
export function measureOf(unit: BudgetUnit): Measure | null {
  if (unit === "usd_micros") return null;
  return unit === "call_minutes" ? "call_ms" : unit;
}

/** Returns the value of one unit in its measure. */
export function perUnit(unit: BudgetUnit): number {
  return unit === "call_minutes" ? MINUTE_MS : 1;
}

/** Returns the parts of budgets from which a consumer's use of this measure is taken. */
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

/** Returns the part of a budget with this name. */
export function potOf(budget: Budget, share: string): Pot {
  const limit = budget.limit * perUnit(budget.unit);
  if (share === WHOLE) return { budget, share, limit };
  return { budget, share, limit: Math.floor(limit * (share === GUESTS ? GUESTS_SHARE : NETWORK_SHARE)) };
}

/** Checks whether the budget counts a consumer's use. */
export function appliesTo({ scope, scope_id }: Budget, consumer: Consumer): boolean {
  if (scope === "account") return true;
  if (scope === "agent") return consumer.agent_id === scope_id;
  if (scope === "campaign") return consumer.campaign_id === scope_id;
  if (scope === "api_key") return consumer.api_key_id === scope_id;
  return consumer.widget_key_id === scope_id;
}

/** The amounts taken from a pot. */
export interface PotUse {
  used: number;
  reserved: number;
}

export function hasRoom({ limit }: Pot, { used, reserved }: PotUse, amount: number): boolean {
  return used < limit && used + reserved + amount <= limit;
}

/** Returns for how many uses of up to `amount` each the pot has room. */
export function roomFor({ limit }: Pot, { used, reserved }: PotUse, amount: number): number {
  return used < limit ? Math.max(0, Math.floor((limit - used - reserved) / amount)) : 0;
}

/**
 * Checks whether `more` may be reserved in advance for a future request of up to `amount`. The last fifth of a budget
 * is never reserved in advance. Neither is any part of a budget that a few conversations would exhaust, because
 * visitors who only connect must not keep others out.
 */
export function hasCredit({ limit }: Pot, { used, reserved }: PotUse, more: number, amount: number): boolean {
  return amount <= limit * LARGEST_CREDIT && used + reserved + more <= limit * (1 - SHARE_WITHOUT_CREDIT);
}

/** Checks whether the pot can refuse a reservation, because live conversations must never exceed its limit. */
export function isHard({ budget }: Pot): boolean {
  return budget.action === "end";
}

/** Checks whether the pot is used up, so that its live consumers must end. */
export function isFull(pot: Pot, { used }: Pick<PotUse, "used">): boolean {
  return isHard(pot) && used >= pot.limit;
}

/** Checks whether the pot refuses new conversations and calls once it is reached. */
export function stopsNew({ budget }: Pot): boolean {
  return budget.action !== "warn";
}

/** Returns when (ms) the period that contains `now` began, in UTC. */
export function periodStart(period: BudgetPeriod, now: number): number {
  const at = new Date(now);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), period === "day" ? at.getUTCDate() : 1);
}

/** Returns when (ms) the period that contains `now` ends, in UTC. */
export function periodEnd(period: BudgetPeriod, now: number): number {
  const at = new Date(now);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  return period === "day" ? Date.UTC(year, month, at.getUTCDate() + 1) : Date.UTC(year, month + 1, 1);
}

/** How many uses the budgets allow, and the pot that limits the number; null if none does. */
export interface Room {
  count: number;
  pot: Pot | null;
  /** Whether the pot would be without room even if nothing were reserved. */
  isUsedUp: boolean;
}

/** The retry delay if the room is only reserved, ms. A reservation may be settled at any moment. */
const SETTLED_SOON_MS = 5_000;

/** Returns when (ms) to retry if there is no room: soon if the room is only reserved, otherwise in the next period. */
export function retryAt({ pot, isUsedUp }: Room, now: number): number {
  return isUsedUp && pot ? periodEnd(pot.budget.period, now) : now + SETTLED_SOON_MS;
}

/** Returns the shares of the limit for which a warning is due at this use; 1 is the limit itself. */
export function warningsDue(budget: Budget, used: number): number[] {
  const limit = budget.limit * perUnit(budget.unit);
  return [...budget.warn_at, 1].filter((share) => used >= share * limit);
}
