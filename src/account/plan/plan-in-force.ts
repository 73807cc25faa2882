import type { LookUps } from "../../kernel/db/look-ups.ts";
import { type CallerLimits, campaignSlots } from "../../phone/call-limits/call-caps.ts";
import { type CallCaps, capsOf, type Plan } from "../../phone/call-limits/plans.ts";
import { DEFAULT_CALL_SETTINGS } from "../../phone/call-settings/settings.ts";
import { type Quotas, quotasOf } from "./quotas.ts";

export interface AccountPlan {
  plan: Plan;
  /** Whether the account is disabled. */
  isClosed: boolean;
  caps: CallCaps;
  /**
   * The number of concurrent calls that campaigns may use: the cap minus the slots that the account reserves for
   * inbound calls.
   */
  campaign_slots: number;
  caller_limits: CallerLimits;
  quotas: Quotas;
}

/** How long the plan is reused, ms. A change by an operator, or of the call settings, invalidates it at once. */
const REUSE_MS = 30_000;
/** The caps of a closed account, which makes no calls. */
const NO_CALLS: CallCaps = { concurrent_calls: 0, calls_per_minute: 0, calls_per_day: 0 };

/**
 * The account's plan with its caps and quotas, including operators' overrides, and its slots reserved for inbound
 * calls.
 */
export class PlanInForce {
  readonly #account: string;
  readonly #lookUps: LookUps;
  #cached: { plan: AccountPlan; at: number } | null = null;
  /** Counts changes, so that a plan that was read before a change is not cached after it. */
  #changes = 0;

  constructor(account: string, lookUps: LookUps) {
    this.#account = account;
    this.#lookUps = lookUps;
  }

  invalidate(): void {
    this.#cached = null;
    this.#changes++;
  }

  async get(): Promise<AccountPlan> {
    const at = Date.now();
    if (this.#cached && at - this.#cached.at < REUSE_MS) return this.#cached.plan;
    const changes = this.#changes;
    const { account: row, settings } = await this.#lookUps.accountAndCallLimits(this.#account);
    if (!row) throw new TypeError("account does not exist");
    const isClosed = row.disabled_at !== null;
    const caps = isClosed ? NO_CALLS : capsOf(row);
    const { inbound_reserve, caller_concurrent_calls, caller_calls_per_day } = settings ?? DEFAULT_CALL_SETTINGS;
    const campaign_slots = campaignSlots(caps, inbound_reserve);
    const caller_limits = { concurrent_calls: caller_concurrent_calls, calls_per_day: caller_calls_per_day };
    const plan = { plan: row.plan, isClosed, caps, campaign_slots, caller_limits, quotas: quotasOf(row) };
    if (changes === this.#changes) this.#cached = { plan, at };
    return plan;
  }
}
