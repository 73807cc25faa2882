import { callerViewOf } from "../../kernel/caller-view.ts";
import { isUseDue } from "../../kernel/db/last-use.ts";
import type { ApiKeyRow, LookUps, UserRow } from "../../kernel/db/look-ups.ts";
import type {
  Credential,
  KeyTerms,
  OperatorCredential,
  OperatorTerms,
  Reader,
  Session,
} from "../../kernel/http/credential.ts";
import type { Authority } from "../../kernel/scopes.ts";
import { isAllowedFrom } from "../allowed-addresses.ts";
import { DEFAULT_SIGN_IN_POLICY, mayGoOn, type SignInPolicy } from "../sign-in-policy/policy.ts";
import { type AuthorityWithCallerView, authorityOfKey, authorityOfUser } from "./authority.ts";
import { OperatorTokens } from "./operator-tokens.ts";
import { RequestRate } from "./request-rate.ts";
import type { SessionFamily } from "./session-families.ts";
import { beganAfter, type SessionLedger, type ValidAfter } from "./session-ledger.ts";
import { StatusCache } from "./status-cache.ts";

/** The result of checking a credential. */
export type Judgment =
  | (Bearer & { outcome: "ok" })
  /** The account requires a second factor that the session lacks, so its user may only enroll. */
  | (Bearer & { outcome: "second_factor_missing" })
  /** The identity provider's user has never been a member, or was removed. */
  | { outcome: "newcomer" | "removed" }
  | { outcome: "unknown" | "revoked" | "address_not_allowed" | "account_closed" | "account_unknown" };

/** The holder of a valid credential. */
interface Bearer {
  subject: string;
  /** The API key's name, or the user's name or email address. */
  name: string;
  authority: Authority;
  /** Identifies the authority and its limits: it differs if one of them differs. */
  view: string;
  /** The terms of an API key; null for a session. */
  keyTerms: KeyTerms | null;
  /** The terms of an operator's token; null for any other credential. */
  operatorTerms: OperatorTerms | null;
}

interface RateLimited {
  outcome: "rate_limited";
  by: "key" | "user" | "account";
  retryAfterMs: number;
}

/** Whether a request is admitted with a credential. */
type Admitted = Judgment | RateLimited;

/** Whether a request is admitted, and the current version of the account's configuration. */
export type Entry =
  | (Extract<Admitted, { outcome: "ok" }> & { version: string | null })
  | Exclude<Admitted, { outcome: "ok" }>;

interface KeyStatus {
  keyId: string;
  terms: KeyTerms;
  revoked: boolean;
  accountClosed: boolean;
  /** When the key expires, ms; null if it never does. */
  expiresAt: number | null;
  authority: Authority;
  allowedAddresses: readonly string[] | null;
  callerView: string;
}

interface UserStatus {
  account: "open" | "disabled" | "unknown";
  member: (AuthorityWithCallerView & Pick<UserRow, "source" | "name">) | null;
  /** Whether a user of another identity provider was removed. */
  removed: boolean;
  validAfter: ValidAfter;
  policy: SignInPolicy;
}

/** The limit of a console user, requests per minute. */
const USER_RATE_LIMIT = 1_200;
/** An account's limit of requests per minute, as a multiple of a key's. */
const KEYS_AN_ACCOUNT = 10;

interface Needs {
  account: string;
  lookUps: LookUps;
  /** The stored sessions; null if no session has begun or ended yet. */
  sessions: () => SessionLedger | null;
  /** Whether users need a second factor regardless of the account's policy. */
  secondFactorRequired: boolean;
  /** The limit of a key, requests per minute; null if rates are not limited. */
  keyLimit: number | null;
}

/** Decides on admission to an account: the status of its keys and users, and their request rates. */
export class Entrance {
  readonly #needs: Needs;
  readonly #keys = new StatusCache<KeyStatus | null>();
  readonly #operatorTokens: OperatorTokens;
  readonly #users = new StatusCache<UserStatus>();
  readonly #rates: { key: RequestRate; user: RequestRate; account: RequestRate } | null;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#operatorTokens = new OperatorTokens(needs.lookUps);
    const { keyLimit } = needs;
    this.#rates = keyLimit === null ? null : ratesOf(keyLimit);
  }

  /** Invalidates the cached status of keys and users, after any of them or the account changed. */
  invalidate(): void {
    this.#keys.invalidate();
    this.#users.invalidate();
    this.#operatorTokens.invalidate();
  }

  /**
   * Checks a credential that was presented from this address at `now` (ms). The address is null if it need not be
   * checked.
   */
  judge(credential: Credential | OperatorCredential, address: string | null, now: number): Promise<Judgment> {
    if ("key" in credential) return this.#judgeKey(credential.key, address, now);
    if ("operatorToken" in credential) return this.#judgeOperatorToken(credential.operatorToken, address, now);
    return this.#judgeSession(credential.session, now);
  }

  /**
   * Returns the authority of an admitted reader; null if the reader has lost access, or the authority has changed
   * since.
   */
  async authorityOfReader({ credential, until, view }: Reader, now: number): Promise<Authority | null> {
    if (until !== null && now >= until) return null;
    const judgment = await this.judge(credential, null, now);
    return judgment.outcome === "ok" && judgment.view === view ? judgment.authority : null;
  }

  async enter(credential: Credential | OperatorCredential, address: string, clock: () => number): Promise<Admitted> {
    const judgment = await this.judge(credential, address, clock());
    if (!("subject" in judgment)) return judgment;
    if ("session" in credential) this.#needs.sessions()?.families.seen(credential.session.id, clock());
    return this.count(credential, judgment.subject, clock()) ?? judgment;
  }

  /** Returns a member's authority, regardless of any session; null for a former member. */
  async authorityOfMember(user: string, now: number): Promise<Authority | null> {
    const { account, member } = await this.#user(user, now);
    return account === "open" ? (member?.authority ?? null) : null;
  }

  /** Returns the account's rules for sessions. */
  async policy(now: number): Promise<SignInPolicy> {
    return (await this.#user(null, now)).policy;
  }

  /** Returns which of these sessions have ended, by the account's rules or otherwise. */
  async endedOf(ids: string[], now: number): Promise<string[]> {
    const sessions = this.#needs.sessions();
    if (!sessions || ids.length === 0) return [];
    const policy = await this.policy(now);
    const isOver = (family: SessionFamily) => this.#sessionStatus(family, policy, now) !== "ok";
    return ids.filter((id) => {
      const family = sessions.families.get(id);
      return sessions.isEnded(id) || (family !== undefined && isOver(family));
    });
  }

  /** Counts a request of an admitted caller. Returns the refusal if a limit is exceeded. */
  count(credential: Credential | OperatorCredential, subject: string, now: number): RateLimited | null {
    if (!this.#rates) return null;
    const by = "session" in credential ? "user" : "key";
    const own = this.#rates[by].count(subject, now);
    if (own > 0) return { outcome: "rate_limited", by, retryAfterMs: own };
    const all = this.#rates.account.count("", now);
    return all > 0 ? { outcome: "rate_limited", by: "account", retryAfterMs: all } : null;
  }

  async #judgeKey(hash: string, address: string | null, now: number): Promise<Judgment> {
    const status = await this.#keys.get(hash, now, () => this.#lookUpKey(hash, now));
    if (!status || (status.expiresAt !== null && status.expiresAt <= now)) return { outcome: "unknown" };
    if (status.revoked) return { outcome: "revoked" };
    if (status.accountClosed) return { outcome: "account_closed" };
    const { keyId, authority, allowedAddresses, callerView: view, terms } = status;
    if (address !== null && !isAllowedFrom(allowedAddresses, address)) return { outcome: "address_not_allowed" };
    return { outcome: "ok", subject: keyId, name: terms.name, authority, view, keyTerms: terms, operatorTerms: null };
  }

  /** Checks an operator's token. Only the operators' own account has such tokens. */
  async #judgeOperatorToken(hash: string, address: string | null, now: number): Promise<Judgment> {
    const judged = await this.#operatorTokens.judge(hash, address, now);
    if (judged.outcome !== "ok") return judged;
    const authority = { role: null, scopes: [], agentIds: null };
    const view = callerViewOf(authority, judged.allowedAddresses);
    const { id: subject, name, terms: operatorTerms } = judged;
    return { outcome: "ok", subject, name, authority, view, keyTerms: null, operatorTerms };
  }

  async #judgeSession(session: Session, now: number): Promise<Judgment> {
    const { user, embedded } = session;
    const status = await this.#user(user, now);
    if (status.account !== "open") {
      return { outcome: status.account === "unknown" ? "account_unknown" : "account_closed" };
    }
    const { member, removed, validAfter, policy } = status;
    const sessions = this.#needs.sessions();
    const isGood = sessions?.isGood(session, validAfter) ?? beganAfter(session.issuedAt, validAfter);
    if (!isGood) return { outcome: "unknown" };
    if (member?.source !== (embedded ? "password" : "oidc")) {
      if (embedded) return { outcome: "unknown" };
      return { outcome: removed ? "removed" : "newcomer" };
    }
    const { authority, callerView: view, name } = member;
    // Another identity provider checks second factors itself.
    if (!embedded) return { outcome: "ok", subject: user, name, authority, view, keyTerms: null, operatorTerms: null };
    const outcome = this.#sessionStatus(sessions?.families.get(session.id), policy, now);
    return outcome === "unknown"
      ? { outcome }
      : { outcome, subject: user, name, authority, view, keyTerms: null, operatorTerms: null };
  }

  /**
   * Checks whether the policy permits a session to continue. A session without a family does not renew: it ends with
   * its token, and has no second factor.
   */
  #sessionStatus(
    family: SessionFamily | undefined,
    policy: SignInPolicy,
    now: number,
  ): "ok" | "unknown" | "second_factor_missing" {
    if (family && !mayGoOn({ begunAt: family.begunAt, usedAt: family.seenAt }, policy, now)) return "unknown";
    const isRequired = policy.require_second_factor || this.#needs.secondFactorRequired;
    return isRequired && family?.secondFactor !== true ? "second_factor_missing" : "ok";
  }

  /** Returns the status of the user and of the account. Without an id, the status is that of the account only. */
  #user(id: string | null, now: number): Promise<UserStatus> {
    return this.#users.get(id ?? "", now, () => this.#lookUpUser(id));
  }

  async #lookUpKey(hash: string, now: number): Promise<KeyStatus | null> {
    const { account: name, lookUps } = this.#needs;
    const found = await lookUps.findKey(name, hash);
    // The use is only recorded for a key that exists.
    const { key, account } = isUseToBeRecorded(found.key, now) ? await lookUps.useKey(name, hash, now) : found;
    if (!key || !account) return null;
    const { authority, callerView } = authorityOfKey(key);
    return {
      keyId: key.id,
      terms: { name: key.name, scopesNamed: key.scopes_named, unattended: key.unattended },
      revoked: key.disabled_at !== null,
      accountClosed: account.disabled_at !== null,
      expiresAt: timeOf(key.expires_at),
      authority,
      allowedAddresses: key.allowed_addresses,
      callerView,
    };
  }

  async #lookUpUser(id: string | null): Promise<UserStatus> {
    const { account, user, policy, removed } = await this.#needs.lookUps.sessionUser(this.#needs.account, id);
    return {
      account: account ? (account.disabled_at === null ? "open" : "disabled") : "unknown",
      member: user
        ? Object.assign(authorityOfUser(user), { source: user.source, name: user.name || user.email })
        : null,
      removed,
      validAfter: { account: timeOf(account?.sessions_valid_after), user: timeOf(user?.sessions_valid_after) },
      policy: policy ?? DEFAULT_SIGN_IN_POLICY,
    };
  }
}

/** Checks whether the key is valid and its last recorded use is more than a minute ago. */
function isUseToBeRecorded(key: ApiKeyRow | undefined, now: number): boolean {
  if (!key || key.disabled_at !== null) return false;
  return (timeOf(key.expires_at) ?? now + 1) > now && isUseDue(key.last_used_at, now);
}

function ratesOf(keyLimit: number) {
  return {
    key: new RequestRate(keyLimit),
    user: new RequestRate(USER_RATE_LIMIT),
    account: new RequestRate(keyLimit * KEYS_AN_ACCOUNT),
  };
}

function timeOf(at: string | null | undefined): number | null {
  return at == null ? null : Date.parse(at);
}
