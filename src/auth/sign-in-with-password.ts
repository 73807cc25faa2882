import type { z } from "zod";
import type { LookUps } from "../db/look-ups.ts";
import type { Bindings } from "../http/context.ts";
import { ApiError } from "../http/errors.ts";
import { countRequest } from "../http/rate-limits.ts";
import { verifyPassword } from "../secrets/hashing.ts";
import { CONSOLE_TOKEN_LIFETIME_S, issueConsoleToken } from "./console-token.ts";
import { embeddedLogin } from "./embedded-login.ts";
import type { session } from "./session.ts";

interface Context {
  env: Bindings;
  lookUps: LookUps;
  now: number;
}

/** Signs a user of the embedded provider in. @throws ApiError 401, 403, 404 where another provider is configured, 429 */
export async function signInWithPassword(
  { env, lookUps, now }: Context,
  sent: { account: string; email: string; password: string },
): Promise<z.output<typeof session>> {
  if (!embeddedLogin(env)) throw new ApiError(404, "not_found", "sign in at the configured identity provider");
  const email = sent.email.toLowerCase();
  // Passwords tried from many addresses are tried against one user.
  await countRequest(env, "LOGIN_RATE", `${sent.account}/${email}`, "for this user");
  const found = await lookUps.login(sent.account, email);
  if (!(await verifyPassword(sent.password, found?.user?.password_hash)) || !found?.user) {
    throw new ApiError(401, "login_failed", "account, email or password is wrong");
  }
  const { account, user } = found;
  if (account.disabled_at !== null) throw new ApiError(403, "account_closed", "account is disabled");
  return {
    access_token: await issueConsoleToken(env, { ...user, account: account.name }, now),
    token_type: "Bearer",
    expires_in: CONSOLE_TOKEN_LIFETIME_S,
    account: account.name,
    user,
  };
}
