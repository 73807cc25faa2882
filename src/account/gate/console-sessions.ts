import type { Session } from "../../kernel/http/credential.ts";
import { endOf, type SignInPolicy, tokenLifetimeS } from "../sign-in-policy/policy.ts";
import type { Entrance, Judgment } from "./entrance.ts";
import type { JoinedSession } from "./joined-sessions.ts";
import type { Client, NewSession, SessionFamily } from "./session-families.ts";
import type { SessionLedger } from "./session-ledger.ts";

interface Dependencies {
  entrance: Entrance;
  /** The stored sessions; null until the first sign-in or sign-out. */
  existing: () => SessionLedger | null;
  open: () => SessionLedger;
  /** Called after sessions ended, to close everything that is live through them. */
  ended: () => Promise<void>;
  /** Announces that sessions end to which sessions of other accounts are joined. */
  expectEnds: () => Promise<void>;
  /** Ends the sessions of other accounts that were joined to ended ones. */
  endElsewhere: () => Promise<void>;
}

/** The session's claims in its tokens; times are in ms. */
export interface SessionTerms {
  begunAt: number;
  endsAt: number;
  /** The lifetime of an access token, s. */
  tokenLifetimeS: number;
}

/** A presented refresh token, and its replacement. */
export interface RefreshRequest extends Client {
  id: string;
  user: string;
  presented: string;
  next: string;
}

/**
 * The outcome of a renewal. A session without the required second factor is renewed too, because its user may still
 * enroll.
 */
export type RefreshOutcome =
  | { outcome: "renewed"; terms: SessionTerms; joined: JoinedSession[] }
  | { outcome: Exclude<Judgment["outcome"], "ok"> | "spent" };

/** The outcome of joining a session: the claims of its next tokens; `over` if it can no longer be renewed. */
export type JoinOutcome =
  | { outcome: "joined"; terms: SessionTerms; joined: JoinedSession[] }
  | { outcome: "over" | "too_many" };

/** A session as its user sees it; times are in ms. */
export type OwnSession = Pick<SessionFamily, "id" | "device" | "address" | "begunAt" | "seenAt">;

/** Begins, renews, lists and ends renewable console sessions. */
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
    await this.#end(
      ledger,
      surplus.map(({ id }) => id),
      now,
    );
    return termsOf(session, policy, now);
  }

  /** Checks the session, then replaces the presented token by the next one in the same step. */
  async refresh({ id, user, presented, next, device, address }: RefreshRequest): Promise<RefreshOutcome> {
    const { entrance, existing } = this.#deps;
    const ledger = existing();
    const family = ledger?.families.get(id);
    if (!ledger || !family || family.user !== user) return { outcome: "unknown" };
    const judgment = await entrance.judge({ session: sessionOf(family) }, null, Date.now());
    if (judgment.outcome !== "ok" && judgment.outcome !== "second_factor_missing") return judgment;
    const policy = await entrance.policy(Date.now());
    const now = Date.now();
    const outcome = ledger.families.renew(id, presented, next, { device, address }, now);
    if (outcome === "renewed")
      return { outcome, terms: termsOf(family, policy, now), joined: ledger.families.joined.of(id, now) };
    if (outcome === "spent") await this.#end(ledger, [id], now);
    return { outcome };
  }

  /**
   * Joins another account's session to one of the user's. Returns the claims of its next tokens, or the reason why it
   * cannot be joined.
   */
  async join(session: { id: string; user: string }, other: JoinedSession): Promise<JoinOutcome> {
    const ledger = this.#deps.existing();
    const family = ledger?.families.get(session.id);
    if (!ledger || !family || family.user !== session.user || !(await this.#isGood(family))) return { outcome: "over" };
    const policy = await this.#deps.entrance.policy(Date.now());
    const now = Date.now();
    if (!ledger.families.joined.join(session.id, other, now)) return { outcome: "too_many" };
    return {
      outcome: "joined",
      terms: termsOf(family, policy, now),
      joined: ledger.families.joined.of(session.id, now),
    };
  }

  /** Checks whether a session is still valid when a session that is joined to it is used or renewed. */
  async goesOn(session: Session, how: "used" | "renewed"): Promise<boolean> {
    const { outcome } = await this.#deps.entrance.judge({ session }, null, Date.now());
    if (outcome !== "ok" && outcome !== "second_factor_missing") return false;
    const families = this.#deps.existing()?.families;
    if (how === "renewed") families?.renewed(session.id, Date.now());
    else families?.seen(session.id, Date.now());
    return true;
  }

  /** Returns the user's valid sessions, the latest sign-in first. */
  async list(user: string): Promise<OwnSession[]> {
    const families = this.#deps.existing()?.families.of(user) ?? [];
    const good = await Promise.all(families.map((family) => this.#isGood(family)));
    return families
      .filter((_, i) => good[i])
      .map(({ id, device, address, begunAt, seenAt }) => ({ id, device, address, begunAt, seenAt }));
  }

  /** Ends a session of the user; false if there is no such session. */
  async end(user: string, id: string): Promise<boolean> {
    const ledger = this.#deps.existing();
    const family = ledger?.families.get(id);
    if (!ledger || !family || family.user !== user || !(await this.#isGood(family))) return false;
    await this.#end(ledger, [id], Date.now());
    return true;
  }

  async setSecondFactor(user: string, sessions: string[] | "all", shown: boolean): Promise<void> {
    const families = this.#deps.existing()?.families;
    for (const { id } of families?.of(user) ?? [])
      if (sessions === "all" || sessions.includes(id)) families?.setSecondFactor(id, shown);
    await this.#deps.ended();
  }

  /** Ends sessions, and the sessions of other accounts that are joined to them. */
  async #end(ledger: SessionLedger, ids: string[], now: number): Promise<void> {
    if (ids.length === 0) return;
    const { ended, expectEnds, endElsewhere } = this.#deps;
    const isJoined = ids.some((id) => ledger.families.joined.of(id, now).length > 0);
    if (isJoined) await expectEnds();
    for (const id of ids) ledger.end(id, now);
    await ended();
    if (isJoined) await endElsewhere();
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
