import type { LookUps } from "../db/look-ups.ts";
import { type CallCaps, capsOf, type Plan } from "./plans.ts";
import { type Quotas, quotasOf } from "./quotas.ts";

export interface AccountPlan {
  plan: Plan;
  caps: CallCaps;
  quotas: Quotas;
}

/** How long it is reused, ms; an operator's change forgets it at once. */
const REUSE_MS = 30_000;
/** A closed account makes no calls. */
const NO_CALLS: CallCaps = { concurrent_calls: 0, calls_per_minute: 0, calls_per_day: 0 };

/** The account's plan with its caps and quotas, as an operator has set them. */
export class PlanInForce {
  readonly #account: string;
  readonly #lookUps: LookUps;
  #known: { plan: AccountPlan; at: number } | null = null;
  /** Counts changes, so that a plan read before one is not kept after it. */
  #changes = 0;

  constructor(account: string, lookUps: LookUps) {
    this.#account = account;
    this.#lookUps = lookUps;
  }

  forget(): void {
    this.#known = null;
    this.#changes++;
  }

  async get(): Promise<AccountPlan> {
    const at = Date.now();
    if (this.#known && at - this.#known.at < REUSE_MS) return this.#known.plan;
    const changes = this.#changes;
    const row = await this.#lookUps.account(this.#account);
    if (!row) throw new TypeError("the account is not known");
    const caps = row.disabled_at === null ? capsOf(row) : NO_CALLS;
    const plan = { plan: row.plan, caps, quotas: quotasOf(row) };
    if (changes === this.#changes) this.#known = { plan, at };
    return plan;
  }
}
