import { AccountStore, type Author } from "../../kernel/db/account-store.ts";
import { type ConfigurationBatch, type ConfigurationOutcome, directly } from "../../kernel/db/batch.ts";
import { exceededQuota, quotaChecks } from "../../kernel/db/quota-counts.ts";
import { ApiError } from "../../kernel/http/errors.ts";
import type { Pass, Reader } from "../../kernel/http/pass.ts";
import type { Plan } from "../../phone/call-limits/plans.ts";
import { CallGate } from "./call-gate.ts";
import { CatalogueVersion } from "./catalogue-version.ts";
import { Entrance, type Entry } from "./entrance.ts";
import { changePassword, type PasswordChange } from "./password-change.ts";
import { overQuota, QUOTAS_IN_DATABASE, type QuotaName, type QuotaUse } from "./quotas.ts";
import type { SignInPair } from "./sign-in-ledger.ts";
import { type SignInChance, SignIns } from "./sign-ins.ts";

/** The tables that say how many calls the account may make, and of what kind. */
const OF_PLAN = new Set(["accounts", "call_settings"]);
/** The tables that say who may come in, and what the account may do. */
const OF_STANDING = new Set(["accounts", "users", "api_keys"]);

/**
 * One object per account, named by it, and the one door of the account: it answers whether somebody may come in now,
 * which version of its configuration is the present one, and whether a call may go now. What changes these answers is
 * written through it, so that a change holds from the very next request on, everywhere.
 */
export class AccountGate extends CallGate {
  readonly #entrance = new Entrance({
    account: this.account,
    lookUps: this.lookUps,
    sessions: () => this.ledgers?.sessions ?? null,
    keyLimit: this.env.RATE_LIMITS === "off" ? null : Number(this.env.KEY_RATE_LIMIT),
  });
  readonly #signIns = new SignIns({
    known: () => this.ledgers?.signIns ?? null,
    made: () => this.opened().signIns,
  });
  readonly #version = new CatalogueVersion(this.ctx.storage.kv, crypto.randomUUID(), Date.now());

  /** Whether somebody may make one more request now, and which version of the configuration it may be answered from. */
  async enter(pass: Pass): Promise<Entry> {
    const judgement = await this.#entrance.judge(pass, Date.now());
    if (judgement.outcome !== "ok") return judgement;
    const now = Date.now();
    const { subject } = judgement;
    return this.#entrance.count(pass, subject, now) ?? { outcome: "ok", subject, version: this.#version.at(now) };
  }

  /**
   * Carries out a change of what the account configures, as one atomic batch; only its store makes such batches.
   * @throws ApiError 403 where it would go over a quota
   */
  async configure({ statements, tables }: ConfigurationBatch): Promise<ConfigurationOutcome> {
    const { before, after } = quotaChecks(this.account, tables, QUOTAS_IN_DATABASE);
    try {
      const write = () => directly(this.env.DB)([...before, ...statements, ...after]);
      const change = this.#version.change(write, isRefusal, Date.now);
      if (tables.includes("users")) this.#signIns.during(change);
      const results = await change;
      return { results: results.slice(before.length, before.length + statements.length) };
    } catch (error) {
      const quota = exceededQuota(error);
      if (quota !== null) throw await this.#over(quota);
      if (isConstraint(error)) return { refused: error.message };
      throw error;
    } finally {
      if (tables.some((table) => OF_STANDING.has(table))) this.#entrance.forget();
      if (tables.some((table) => OF_PLAN.has(table))) await this.forgetPlan();
    }
  }

  /** What D1 says that it refused, in a client's words. */
  async #over(quota: QuotaName): Promise<ApiError> {
    const { quotas } = await this.plan.get();
    return new ApiError(403, "quota_exceeded", overQuota(quota, quotas[quota]));
  }

  /** The plan, its quotas and what of them is used, for GET /quotas. */
  async quotas(): Promise<{ plan: Plan; quotas: Record<QuotaName, QuotaUse> }> {
    const { plan } = await this.plan.get();
    return { plan, quotas: await this.opened().quotas.use(Date.now) };
  }

  /**
   * Somebody is to read a campaign's events, the `first` in this life of its object.
   * @throws ApiError 429 where as many as there may be do
   */
  async openStream(campaign: string, id: string, first: boolean): Promise<void> {
    const { quotas } = this.opened();
    if (first) quotas.keepStreams(campaign, [], [], Date.now());
    await quotas.openStream(id, campaign, Date.now);
  }

  /** The campaign's open streams, and those it has asked for; gives those whose reader may not read any more. */
  async lookAtStreams(campaign: string, open: { id: string; reader: Reader }[], asked: string[]): Promise<string[]> {
    const ids = open.map(({ id }) => id);
    this.opened().quotas.keepStreams(campaign, ids, asked, Date.now());
    const may = await Promise.all(open.map(({ reader }) => this.#entrance.mayStay(reader, Date.now())));
    return ids.filter((_, n) => !may[n]);
  }

  async closeStreams(ids: string[]): Promise<void> {
    this.opened().quotas.closeStreams(ids);
  }

  /** Whether somebody who came in may stay. */
  async mayStay(reader: Reader): Promise<boolean> {
    return this.#entrance.mayStay(reader, Date.now());
  }

  /** A new campaign's upload begins. @throws ApiError 429 or 403 where there is one too many */
  async beginUpload(campaign: string): Promise<void> {
    await this.opened().quotas.beginUpload(campaign, Date.now);
  }

  /** The upload is still being read. */
  async keepUpload(campaign: string): Promise<void> {
    this.opened().quotas.keepUpload(campaign, Date.now());
  }

  async endUpload(campaign: string): Promise<void> {
    await this.opened().quotas.endUpload(campaign);
  }

  /** A campaign that had ended is open again. @throws ApiError 403 where it is one too many */
  async reopenCampaign(campaign: string): Promise<void> {
    await this.opened().quotas.openCampaign(campaign, Date.now);
  }

  /** An upload for a campaign that is open begins. @throws ApiError 429 where there is one too many at once */
  async beginAppend(campaign: string): Promise<void> {
    await this.opened().quotas.beginAppend(campaign, Date.now);
  }

  async endAppend(campaign: string): Promise<void> {
    this.opened().quotas.endAppend(campaign);
  }

  /** A campaign was stopped or has completed: it is open no more. */
  async campaignEnded(campaign: string): Promise<void> {
    this.opened().quotas.campaignEnded(campaign);
  }

  /** The session is over from the next request on; `expiresAt` (ms) is when its token would have expired. */
  async endSession(id: string, expiresAt: number): Promise<void> {
    this.opened().sessions.end(id, expiresAt, Date.now());
  }

  /** Whether a password may be tried now, before it is looked at; null where failures are not counted. */
  async trySignIn(pair: SignInPair | null): Promise<SignInChance> {
    return this.#signIns.begin(pair);
  }

  /** Notes whether the password was right; gives the ms to wait where the try does not count, else 0. */
  async signInTried(pair: SignInPair, right: boolean): Promise<number> {
    return this.#signIns.end(pair, right);
  }

  /** Changes a user's password; all sessions of the user end at once but the one that asks for it. */
  async changePassword(
    change: PasswordChange,
    author: Author,
  ): Promise<"changed" | "signed_out" | "changed_meanwhile"> {
    const { outcome } = await this.#entrance.judge({ session: change.session }, Date.now());
    if (outcome !== "ok") return "signed_out";
    const database = { run: directly(this.env.DB), configure: (batch: ConfigurationBatch) => this.configure(batch) };
    const store = new AccountStore(database, this.account, author);
    return (await changePassword(change, store, this.opened().sessions)) ? "changed" : "changed_meanwhile";
  }
}

/** Whether D1 refused a batch for good: nothing of it was written, and nothing will be. */
function isRefusal(error: unknown): boolean {
  return isConstraint(error) || exceededQuota(error) !== null;
}

function isConstraint(error: unknown): error is Error {
  return error instanceof Error && /SQLITE_CONSTRAINT|constraint failed/i.test(error.message);
}
