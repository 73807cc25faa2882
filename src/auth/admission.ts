import type { Context } from "hono";
import { AccountStore } from "../db/account-store.ts";
import { OperatorStore } from "../db/operator-store.ts";
import { accountGate } from "../durable/objects.ts";
import type { Admit, AppEnv, Principal } from "../http/context.ts";
import { ApiError, badToken, challenge, invalid, tooMany } from "../http/errors.ts";
import { countAddress, countRequest } from "../http/rate-limits.ts";
import { ACCOUNT_NAME, parseApiKey } from "../secrets/api-key.ts";
import { sha256Hex } from "../secrets/hashing.ts";
import { verifyConsoleToken } from "./console-token.ts";

/** The account of the platform's operators; no tenant. */
export const OPERATOR_ACCOUNT = "service-admin";
/** Longer than any console token of ours or of a provider, characters: more is refused unread. */
const MAX_CONSOLE_TOKEN_CHARS = 8192;

/** How every request is let in: by its key or token, into one account, at its rate. */
export const admit: Admit = async (c, { access, method, limit }) => {
  if (access === "public") {
    if (limit) await countAddress(c, limit);
    return;
  }
  const principal = await authenticate(c);
  if ((principal.account === OPERATOR_ACCOUNT) !== (access === "operator")) {
    throw new ApiError(403, "forbidden", access === "operator" ? "operators only" : `${OPERATOR_ACCOUNT} is reserved`);
  }
  if (access === "server" && principal.kind !== "api_key") {
    throw new ApiError(401, "api_key_required", "this needs an API key (sk_live_…)", challenge);
  }
  if ((access === "console" || access === "operator") && principal.kind !== "console") {
    throw new ApiError(403, "console_required", "this needs a console sign-in; an API key cannot do it");
  }
  const author = { actor: `${principal.kind}:${principal.subject}`, request_id: c.get("requestId") };
  c.set("principal", principal);
  c.set("author", author);
  if (access === "operator") {
    const operatorStore = new OperatorStore((c.env as Env).DB, author);
    if (principal.embedded && !(await operatorStore.hasUser(OPERATOR_ACCOUNT, principal.subject))) throw badToken();
    c.set("operatorStore", operatorStore);
    return;
  }
  // The gate has vouched for a key's account; a console user and its account are checked in the store's first round trip.
  const user = principal.embedded ? principal.subject : undefined;
  const store = new AccountStore((c.env as Env).DB, principal.account, author, principal.kind === "api_key", user);
  if (method !== "get") await store.clear();
  c.set("store", store);
};

async function authenticate(c: Context<AppEnv>): Promise<Principal> {
  const header = c.req.header("authorization");
  if (header === undefined) throw new ApiError(401, "token_missing", "authorization header is missing", challenge);
  const [, token] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (token?.startsWith("sk_live_")) return authenticateKey(c, token);
  if (token && /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(token)) return authenticateConsole(c, token);
  throw invalid("malformed token: expected Bearer with an API key or a console token", "malformed_token");
}

async function authenticateKey(c: Context<AppEnv>, token: string): Promise<Principal> {
  const parsed = parseApiKey(token);
  if (parsed.shape === "malformed") throw invalid("malformed token: not an API key", "malformed_token");
  if (!parsed.genuine) throw badToken();
  const { account } = parsed;
  const answer = await accountGate(c.env, account).admit(await sha256Hex(token));
  switch (answer.outcome) {
    case "unknown":
      throw badToken();
    case "revoked":
      throw new ApiError(403, "key_revoked", "this API key is revoked");
    case "account_closed":
      throw new ApiError(403, "account_closed", "account is disabled");
    case "rate_limited":
      throw tooMany("rate_limited", "too many requests with this key", answer.retryAfterMs);
  }
  const asked = c.req.header("x-account-id");
  if (asked !== undefined && asked !== account) throw otherAccount();
  return { kind: "api_key", account, subject: answer.keyId, embedded: false };
}

async function authenticateConsole(c: Context<AppEnv>, token: string): Promise<Principal> {
  if (token.length > MAX_CONSOLE_TOKEN_CHARS) throw badToken();
  const claims = await verifyConsoleToken(c.env, token, c.get("now"));
  if (!claims) throw badToken();
  const account = c.req.header("x-account-id");
  if (account === undefined) throw invalid("X-Account-ID header is required with a console token", "account_required");
  if (!ACCOUNT_NAME.test(account)) throw invalid("X-Account-ID is not an account name", "invalid_account");
  if (!claims.accounts.includes(account)) throw otherAccount();
  await countRequest(c.env, "CONSOLE_RATE", claims.sub, "by this user");
  return { kind: "console", account, subject: claims.sub, embedded: claims.embedded };
}

const otherAccount = () => new ApiError(403, "account_mismatch", "the token is not for this account");
