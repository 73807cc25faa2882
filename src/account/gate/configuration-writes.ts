import type { ConfigurationBatch, ConfigurationOutcome, RunBatch } from "../../kernel/db/batch.ts";
import { ApiError } from "../../kernel/http/errors.ts";
import type { PlanInForce } from "../plan/plan-in-force.ts";
import { exceededQuota, quotaChecks } from "../plan/quota-counts.ts";
import { overQuota, QUOTAS_IN_DATABASE, type QuotaName } from "../plan/quotas.ts";
import type { CatalogueVersion } from "./catalogue-version.ts";
import type { Entrance } from "./entrance.ts";
import type { SignIns } from "./sign-ins.ts";

interface Dependencies {
  account: string;
  database: RunBatch;
  version: CatalogueVersion;
  entrance: Entrance;
  signIns: SignIns;
  plan: PlanInForce;
  /** Called after the account's plan, caps, status or call settings changed. */
  planChanged(): Promise<void>;
  /** Called after the rules changed for who may sign in, or talk through a widget. */
  accessChanged(): void;
  /** Called after budgets, or the limits of widgets' visitors, changed. */
  budgetsChanged(): Promise<void>;
  /** Called before events are written. */
  expectEvents(): Promise<void>;
  /** Called after events may have been written. */
  pushEvents(): void;
  /** Called before webhooks change, or the account is opened or closed. */
  expectWebhooks(): Promise<void>;
  /** Called after webhooks may have changed, so that the objects that deliver them are notified. */
  pushWebhooks(): Promise<void>;
}

/** The tables that determine which calls the account may make, and how many. */
const OF_PLAN = new Set(["accounts", "call_settings"]);
/** The tables that determine who has access, and what the account may do. */
const OF_ACCESS = new Set(["accounts", "users", "api_keys", "sign_in_policies", "second_factors", "operator_tokens"]);

/** The tables that determine this for visitors as well. A change in any of them may end live access. */
const OF_THE_LIVE = new Set([...OF_ACCESS, "agents", "widget_keys", "agent_widget_settings"]);
/** The tables among them in which a new row ends no live access, because live access can only refer to older rows. */
const NAMED_BY_THE_LIVE = new Set(["accounts", "agents", "widget_keys"]);

/** The tables that limit usage. */
const OF_BUDGETS = new Set(["budgets", "widget_keys"]);

/** The table of undelivered events. */
const OF_EVENTS = "pending_events";

/** Writes the account's configuration. Each write applies to every request that arrives after its response. */
export class ConfigurationWrites {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Runs a change as one atomic batch. Only the account's store creates such batches.
   * @throws ApiError 403 if it would exceed a quota
   */
  async configure({ statements, tables, added }: ConfigurationBatch): Promise<ConfigurationOutcome> {
    const { account, database, version, entrance, signIns, planChanged, accessChanged, budgetsChanged } = this.#deps;
    const { expectEvents, pushEvents, expectWebhooks, pushWebhooks } = this.#deps;
    const { before, after } = quotaChecks(account, { tables, added }, QUOTAS_IN_DATABASE);
    if (tables.includes(OF_EVENTS)) await expectEvents();
    // No webhook receives events while the account is disabled. A new account has no webhooks.
    const changesAccount = tables.includes("accounts") && !added.includes("accounts");
    const changesWebhooks = changesAccount || tables.includes("webhooks");
    if (changesWebhooks) await expectWebhooks();
    try {
      const change = version.change(() => database([...before, ...statements, ...after]), isRefusal, Date.now);
      if (tables.includes("users")) signIns.during(change);
      const results = await change;
      return { results: results.slice(before.length, before.length + statements.length) };
    } catch (error) {
      const quota = exceededQuota(error);
      if (quota !== null) throw await this.#exceeded(quota);
      if (isConstraint(error)) return { refused: error.message };
      throw error;
    } finally {
      if (tables.includes(OF_EVENTS)) pushEvents();
      if (changesWebhooks) await pushWebhooks();
      if (tables.some((table) => OF_ACCESS.has(table))) entrance.invalidate();
      const isUnreferenced = (table: string) => added.includes(table) && NAMED_BY_THE_LIVE.has(table);
      if (tables.some((table) => OF_THE_LIVE.has(table) && !isUnreferenced(table))) accessChanged();
      if (tables.some((table) => OF_PLAN.has(table))) await planChanged();
      if (tables.some((table) => OF_BUDGETS.has(table))) await budgetsChanged();
    }
  }

  /** Returns D1's refusal as an API error. */
  async #exceeded(quota: QuotaName): Promise<ApiError> {
    const { quotas } = await this.#deps.plan.get();
    return new ApiError(403, "quota_exceeded", overQuota(quota, quotas[quota]));
  }
}

/** Checks whether D1 certainly refused a batch, so that none of it was or will be written. */
function isRefusal(error: unknown): boolean {
  return isConstraint(error) || exceededQuota(error) !== null;
}

function isConstraint(error: unknown): error is Error {
  return error instanceof Error && /SQLITE_CONSTRAINT|constraint failed/i.test(error.message);
}
