import type { Context } from "hono";
import { OPERATOR_ACCOUNT } from "../../kernel/db/schema/index.ts";
import { accountGate } from "../../kernel/durable/objects.ts";
import type { Admit, AppEnv, ConsoleSession, OfAgents, Principal } from "../../kernel/http/context.ts";
import type { Credential, OperatorCredential, Session } from "../../kernel/http/credential.ts";
import { ApiError, badToken, challenge, invalid, notFound, tooMany } from "../../kernel/http/errors.ts";
import { countFailure, refuseBlocked } from "../../kernel/http/failures.ts";
import { addressOf, countAddress } from "../../kernel/http/rate-limits.ts";
import { requireScopes, requireScopesIfNamed } from "../../kernel/http/require-scopes.ts";
import { isWithin, type Scope } from "../../kernel/scopes.ts";
import { ACCOUNT_NAME, parseApiKey, parseOperatorToken } from "../../kernel/secrets/api-key.ts";
import { sha256Hex } from "../../kernel/secrets/hashing.ts";
import { VerifiedTokens } from "../../kernel/secrets/verified-tokens.ts";
import type { Entry } from "../gate/entrance.ts";
import { type ConsoleClaims, verifyConsoleToken } from "./console-token.ts";
import { isAccount } from "./existing-accounts.ts";
import { join, noMember } from "./oidc-members.ts";
import { assertTokenMay } from "./operator-terms.ts";
import type { Person } from "./person.ts";

/** The maximum length of a console token, characters. Tokens of this service and of identity providers are shorter. */
const MAX_CONSOLE_TOKEN_CHARS = 8192;

type SessionClaims = ConsoleClaims & { session: string };

/** The account of an API key, and the key's SHA-256. */
interface KeyClaims {
  account: string;
  key: string;
}

const apiKeys = new VerifiedTokens<KeyClaims>();
/** SHA-256 hashes of operators' tokens. */
const operatorTokens = new VerifiedTokens<string>();
const consoleTokens = new VerifiedTokens<SessionClaims>();

/** Admits requests with a key or console token of an account, within its rate; public endpoints admit everyone. */
export const admit: Admit = async (c, door) => {
  const { access, scope, scopeIfNamed, ofAgents, limit, withoutSecondFactor = false } = door;
  if (access === "public") {
    if (limit) await countAddress(c);
    return;
  }
  const { principal, name, version } = await authenticate(c, withoutSecondFactor);
  if (access !== "session" && (principal.account === OPERATOR_ACCOUNT) !== (access === "operator")) {
    throw new ApiError(403, "forbidden", access === "operator" ? "only operators may do this" : RESERVED);
  }
  if (access === "server" && principal.kind !== "api_key") {
    throw new ApiError(401, "api_key_required", "this requires an API key (sk_live_…)", challenge);
  }
  if (principal.operatorTerms !== null) assertTokenMay(principal.operatorTerms, door, c.req.param("account"));
  else if (["console", "session", "operator"].includes(access) && principal.kind !== "console") {
    throw new ApiError(403, "console_required", "this requires a console sign-in; an API key is not enough");
  }
  requireScopes(principal, scope);
  requireScopesIfNamed(principal, scopeIfNamed);
  if (principal.agentIds !== null) assertOfAgents(principal.agentIds, ofAgents, c.req.param("id")?.toLowerCase());
  c.set("principal", principal);
  c.set("author", { actor: `${principal.kind}:${principal.subject}`, name, request_id: c.get("requestId") });
  c.set("catalogueVersion", version);
};

/** Refuses a key that is limited to other agents than these. @throws ApiError 403, 404 */
function assertOfAgents(agentIds: readonly string[], ofAgents: OfAgents | undefined, id = ""): void {
  if (ofAgents === undefined)
    throw new ApiError(
      403,
      "agent_not_allowed",
      "this API key is limited to agents, and this operation is not about one of them",
    );
  if (ofAgents === "path" && !isWithin(agentIds, id)) throw notFound("agent");
}

/**
 * Admits a request with an API key that has these scopes, within the key's rate. Returns its principal. @throws
 * ApiError
 */
export async function admitKey(c: Context<AppEnv>, key: string, scope: readonly Scope[]): Promise<Principal> {
  const { principal } = await authenticateKey(c, key);
  if (principal.account === OPERATOR_ACCOUNT) throw new ApiError(403, "forbidden", RESERVED);
  requireScopes(principal, scope);
  return principal;
}

interface Admitted {
  principal: Principal;
  /** The principal's name, for the audit log. */
  name: string;
  /** Configuration version, as reported by the gate. */
  version: string | null;
}

async function authenticate(c: Context<AppEnv>, withoutSecondFactor: boolean): Promise<Admitted> {
  const header = c.req.header("authorization");
  if (header === undefined)
    throw new ApiError(
      401,
      "token_missing",
      "the Authorization header is missing: send Bearer with an API key or a console token",
      challenge,
    );
  const [, token] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (token?.startsWith("sk_live_")) return authenticateKey(c, token);
  if (token?.startsWith("op_live_")) return authenticateOperatorToken(c, token);
  if (token && /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(token)) return authenticateConsole(c, token, withoutSecondFactor);
  throw invalid("malformed token: expected Bearer with an API key or a console token", "malformed_token");
}

async function authenticateKey(c: Context<AppEnv>, token: string): Promise<Admitted> {
  const now = c.get("now");
  const cached = apiKeys.get(token, now);
  const claims = cached ?? (await readKey(c, token));
  const { account, key } = claims;
  const { subject, name, version, authority, view: callerView, keyTerms } = await enter(c, account, { key });
  if (cached === undefined) apiKeys.put(token, claims, now);
  const requestedAccount = c.req.header("x-account-id");
  if (requestedAccount !== undefined && requestedAccount !== account) throw otherAccount();
  return {
    principal: Object.assign(
      { kind: "api_key" as const, account, subject, callerView, key, keyTerms, operatorTerms: null, session: null },
      authority,
    ),
    name,
    version,
  };
}

/** Returns the claims of a well-formed API key. @throws ApiError */
async function readKey(c: Context<AppEnv>, token: string): Promise<KeyClaims> {
  const parsed = parseApiKey(token);
  if (parsed.shape === "malformed")
    throw invalid("malformed token: it begins like an API key, but is not a whole one", "malformed_token");
  refuseBlocked(c, "authentication");
  if (!parsed.genuine) throw await failed(c);
  return { account: parsed.account, key: await sha256Hex(token) };
}

async function authenticateOperatorToken(c: Context<AppEnv>, token: string): Promise<Admitted> {
  const now = c.get("now");
  const cached = operatorTokens.get(token, now);
  const operatorToken = cached ?? (await readOperatorToken(c, token));
  const account = OPERATOR_ACCOUNT;
  const {
    subject,
    name,
    version,
    authority,
    view: callerView,
    operatorTerms,
  } = await enter(c, account, { operatorToken });
  if (cached === undefined) operatorTokens.put(token, operatorToken, now);
  if ((c.req.header("x-account-id") ?? account) !== account) throw otherAccount();
  const kind = "operator_token" as const;
  const principal = { kind, account, subject, callerView, key: null, keyTerms: null, operatorTerms, session: null };
  return { principal: Object.assign(principal, authority), name, version };
}

/** Returns the SHA-256 of a well-formed operator's token. @throws ApiError */
async function readOperatorToken(c: Context<AppEnv>, token: string): Promise<string> {
  const parsed = parseOperatorToken(token);
  if (parsed === null)
    throw invalid("malformed token: it begins like an operator token, but is not a whole one", "malformed_token");
  refuseBlocked(c, "authentication");
  if (!parsed.genuine) throw await failed(c);
  return sha256Hex(token);
}

async function authenticateConsole(c: Context<AppEnv>, token: string, withoutSecondFactor: boolean): Promise<Admitted> {
  const now = c.get("now");
  const cached = consoleTokens.get(token, now);
  if (cached === undefined) refuseBlocked(c, "authentication");
  const claims = cached ?? (await verifySession(c, token));
  if (!claims) throw await failed(c);
  if (claims.expiresAt <= now) throw badToken();
  const account = c.req.header("x-account-id");
  if (account === undefined)
    throw invalid("the X-Account-ID header is required with a console token", "account_required");
  if (!ACCOUNT_NAME.test(account)) throw invalid("the X-Account-ID header is not an account name", "invalid_account");
  if (!claims.accounts.includes(account)) throw otherAccount();
  const { person } = claims;
  const { own, session } = sessionIn(claims, account);
  const entering = enter(c, account, { session: own }, { withoutSecondFactor, person });
  const [{ subject, name, version, authority, view: callerView }] = await Promise.all([
    entering,
    assertHomeGoesOn(c, claims, account),
  ]);
  if (cached === undefined) consoleTokens.put(token, claims, now);
  return {
    principal: Object.assign(
      {
        kind: "console" as const,
        account,
        subject,
        callerView,
        key: null,
        keyTerms: null,
        operatorTerms: null,
        session,
      },
      authority,
    ),
    name,
    version,
  };
}

/** Returns the session that the token opens in the account: the token's own, or one joined to it. */
function sessionIn(claims: SessionClaims, account: string): { own: Session; session: ConsoleSession } {
  const { embedded, accounts, joined, sub } = claims;
  const [home = account] = accounts;
  const all = accounts.map((name) => {
    const other = joined.find((one) => one.account === name);
    if (other)
      return { account: name, id: other.id, user: other.user, issuedAt: other.begunAt, expiresAt: other.endsAt };
    return { account: name, id: claims.session, user: sub, issuedAt: claims.issuedAt, expiresAt: claims.sessionEndsAt };
  });
  const { id, user, issuedAt, expiresAt } = all.find((one) => one.account === account) ?? missing();
  const elsewhere = all.filter((one) => one.account !== account);
  return {
    own: { id, user, embedded, issuedAt },
    session: { id, embedded, issuedAt, expiresAt, elsewhere, home: embedded ? home : account },
  };
}

/** Checks that the session to which a joined session belongs is still valid. @throws ApiError 401 */
async function assertHomeGoesOn(c: Context<AppEnv>, claims: SessionClaims, account: string): Promise<void> {
  if (!claims.joined.some((one) => one.account === account)) return;
  const [home = ""] = claims.accounts;
  const session = { id: claims.session, user: claims.sub, embedded: claims.embedded, issuedAt: claims.issuedAt };
  if (!(await accountGate(c.env, home).sessionGoesOn(session, "used"))) throw badToken();
}

/** Returns the claims and the session of a console token; null if it is invalid. */
async function verifySession(c: Context<AppEnv>, token: string): Promise<SessionClaims | null> {
  if (token.length > MAX_CONSOLE_TOKEN_CHARS) return null;
  const claims = await verifyConsoleToken(c.env, token, c.get("now"));
  return claims && Object.assign(claims, { session: claims.sessionId ?? (await sessionOf(token)) });
}

/**
 * Returns the session id of a valid token without one: a hash of the signed content. The signature is not hashed,
 * because its several encodings would give a session that was ended another id.
 */
function sessionOf(token: string): Promise<string> {
  return sha256Hex(token.slice(0, token.lastIndexOf(".")));
}

/** Counts an attempt with an invalid credential. @throws ApiError 429 if its address has reached the limit */
async function failed(c: Context<AppEnv>): Promise<ApiError> {
  await countFailure(c, "authentication");
  return badToken();
}

/** Asks the account's gate whether to admit the request. This is the request's only hop. @throws ApiError */
export async function enter(
  c: Context<AppEnv>,
  account: string,
  credential: Credential | OperatorCredential,
  { withoutSecondFactor = false, person = null }: { withoutSecondFactor?: boolean; person?: Person | null } = {},
): Promise<Omit<Extract<Entry, { outcome: "ok" }>, "outcome">> {
  const entry = (await isAccount(c, account))
    ? await accountGate(c.env, account).enter(credential, addressOf(c))
    : ({ outcome: "session" in credential ? "account_unknown" : "unknown" } as const);
  switch (entry.outcome) {
    case "ok":
      return entry;
    case "unknown":
      // A token of an ended session was genuine, so it does not count as a guess.
      throw "session" in credential ? badToken() : await failed(c);
    case "second_factor_missing":
      // The response must not be cached, because a caller without a second factor may see almost nothing.
      if (withoutSecondFactor) return Object.assign(entry, { version: null });
      throw new ApiError(403, "second_factor_missing", "this account requires a second factor: set one up first");
    case "newcomer":
      // Only a member's first request needs more than one hop.
      if (!person) throw badToken();
      await join(c, account, person);
      return enter(c, account, credential);
    case "removed":
      throw noMember();
    case "revoked":
      throw new ApiError(403, "key_revoked", "this API key was disabled, was deleted or has expired: use another one");
    case "address_not_allowed":
      throw new ApiError(
        403,
        "address_not_allowed",
        `this ${"key" in credential ? "API key" : "token"} is not allowed from this address`,
      );
    case "account_closed":
      throw new ApiError(403, "account_closed", "the account is disabled");
    case "account_unknown":
      throw new ApiError(403, "account_closed", "the account does not exist");
    case "rate_limited":
      throw tooMany("rate_limited", `too many requests ${RATED[entry.by]}`, entry.retryAfterMs);
  }
}

const RESERVED = `the account ${OPERATOR_ACCOUNT} is reserved for operators`;
const RATED = { key: "with this key", user: "by this user", account: "of this account" };
const missing = () => {
  throw otherAccount();
};
const otherAccount = () => new ApiError(403, "account_mismatch", "the token is not for this account");
