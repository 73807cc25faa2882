import { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "../http/context.ts";
import { serve } from "../http/endpoint.ts";
import { ApiError, invalid } from "../http/errors.ts";
import { countRequest } from "../http/rate-limits.ts";
import { ACCOUNT_NAME } from "../secrets/api-key.ts";
import { verifyPassword } from "../secrets/hashing.ts";
import { publicKeySet } from "../secrets/tokens.ts";
import { CONSOLE_TOKEN_LIFETIME_S, issueConsoleToken } from "./console-token.ts";
import * as contract from "./embedded-contract.ts";
import { embeddedLogin } from "./embedded-login.ts";

/** The embedded identity provider: sign-in with a password, and what a sign-in form and runtimes need to know. */
export const embeddedIdentity = new OpenAPIHono<AppEnv>();

serve(embeddedIdentity, contract.listPublicAccounts, async ({ c }) => ({
  accounts: await c.get("lookUps").listed(),
}));

serve(embeddedIdentity, contract.validateAccount, async ({ c, params: { account } }) => {
  if (!ACCOUNT_NAME.test(account)) throw invalid("not an account name", "invalid_account");
  const row = await c.get("lookUps").account(account);
  return { account, valid: row !== undefined && row.disabled_at === null };
});

serve(embeddedIdentity, contract.login, async ({ c, env, body, now }) => {
  if (!embeddedLogin(env)) throw new ApiError(404, "not_found", "sign in at the configured identity provider");
  const email = body.email.toLowerCase();
  // Passwords tried from many addresses are tried against one user.
  await countRequest(env, "LOGIN_RATE", `${body.account}/${email}`, "for this user");
  const found = await c.get("lookUps").login(body.account, email);
  if (!(await verifyPassword(body.password, found?.user?.password_hash)) || !found?.user) {
    throw new ApiError(401, "login_failed", "account, email or password is wrong");
  }
  const { account, user } = found;
  if (account.disabled_at !== null) throw new ApiError(403, "account_closed", "account is disabled");
  return {
    access_token: await issueConsoleToken(env, { ...user, account: account.name }, now),
    token_type: "Bearer" as const,
    expires_in: CONSOLE_TOKEN_LIFETIME_S,
    account: account.name,
    user,
  };
});

serve(embeddedIdentity, contract.jwks, async ({ c, env }) => {
  c.header("cache-control", "public, max-age=300");
  return (await publicKeySet(env.SIGNING_KEYS)) as { keys: Record<string, unknown>[] };
});
