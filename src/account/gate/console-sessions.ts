import type { Session } from "../../kernel/http/pass.ts";
import { endOf, type SignInPolicy, tokenLifetimeS } from "../sign-in-policy/policy.ts";
import type { Entrance, Judgement } from "./entrance.ts";
import type { Client, NewSession, SessionFamily } from "./session-families.ts";
import type { SessionLedger } from "./session-ledger.ts";

interface Dependencies {
  entrance: Entrance;
  /** Null where nobody has signed in or out yet. */
  existing: () => SessionLedger | null;
  open: () => SessionLedger;
  /** Sessions ended: what is live through them is to be closed. */
  ended: () => Promise<void>;
}

/** What the tokens of a session say; times are ms. */
export interface SessionTerms {
  begunAt: number;
  endsAt: number;
  /** Seconds. */
  tokenLifetimeS: number;
}

/** A refresh token presented, and the one that is to take its place. */
export interface RefreshRequest extends Client {
  id: string;
  user: string;
  presented: string;
  next: string;
}

/** What came of it; `second_factor_missing` is renewed too, since its user may still enroll. */
export type RefreshOutcome =
  | { outcome: "renewed"; terms: SessionTerms }
  | { outcome: Exclude<Judgement["outcome"], "ok"> | "spent" };

/** A session as its user sees it; times are ms. */
export type OwnSession = Pick<SessionFamily, "id" | "device" | "address" | "begunAt" | "seenAt">;

/** Console sessions that renew: begun, renewed, listed and ended. */
export class ConsoleSessions {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async begin(session: NewSession): Promise<SessionTerms> {
    const { entrance, open } = this.#deps;
    const policy = await entrance.policy(Date.now());
    const now = Date.now();
    const ledger = open();
    const surplus = ledger.families.begin(session, now);
    for (const { id } of surplus) ledger.end(id, now);
    if (surplus.length > 0) await this.#deps.ended();
    return termsOf(session, policy, now);
  }

  /** Judges the session, then puts the next token in the place of the presented one, all at once. */
  async refresh({ id, user, presented, next, device, address }: RefreshRequest): Promise<RefreshOutcome> {
    const { entrance, existing, ended } = this.#deps;
    const ledger = existing();
    const family = ledger?.families.get(id);
    if (!ledger || !family || family.user !== user) return { outcome: "unknown" };
    const judgement = await entrance.judge({ session: sessionOf(family) }, null, Date.now());
    if (judgement.outcome !== "ok" && judgement.outcome !== "second_factor_missing") return judgement;
    const policy = await entrance.policy(Date.now());
    const now = Date.now();
    const outcome = ledger.families.renew(id, presented, next, { device, address }, now);
    if (outcome === "renewed") return { outcome, terms: termsOf(family, policy, now) };
    if (outcome === "spent") {
      ledger.end(id, now);
      await ended();
    }
    return { outcome };
  }

  /** The user's sessions that are good, the latest sign-in first. */
  async list(user: string): Promise<OwnSession[]> {
    const families = this.#deps.existing()?.families.of(user) ?? [];
    const good = await Promise.all(families.map((family) => this.#isGood(family)));
    return families
      .filter((_, i) => good[i])
      .map(({ id, device, address, begunAt, seenAt }) => ({ id, device, address, begunAt, seenAt }));
  }

  /** Ends a session of the user; false where there is none. */
  async end(user: string, id: string): Promise<boolean> {
    const ledger = this.#deps.existing();
    const family = ledger?.families.get(id);
    if (!ledger || !family || family.user !== user || !(await this.#isGood(family))) return false;
    ledger.end(id, Date.now());
    await this.#deps.ended();
    return true;
  }

  /** These sessions of the user have shown a second factor, or no longer count as having shown one. */
  async setSecondFactor(user: string, sessions: string[] | "all", shown: boolean): Promise<void> {
    const families = this.#deps.existing()?.families;
    for (const { id } of families?.of(user) ?? [])
      if (sessions === "all" || sessions.includes(id)) families?.setSecondFactor(id, shown);
    await this.#deps.ended();
  }

  async #isGood(family: SessionFamily): Promise<boolean> {
    const { outcome } = await this.#deps.entrance.judge({ session: sessionOf(family) }, null, Date.now());
    return outcome === "ok" || outcome === "second_factor_missing";
  }
}

function sessionOf({ id, user, begunAt }: SessionFamily): Session {
  return { id, user, embedded: true, issuedAt: begunAt };
}

function termsOf({ begunAt }: { begunAt: number }, policy: SignInPolicy, now: number): SessionTerms {
  return { begunAt, endsAt: endOf({ begunAt }, policy), tokenLifetimeS: tokenLifetimeS({ begunAt }, policy, now) };
}
