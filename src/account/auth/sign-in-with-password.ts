import { and, eq } from "drizzle-orm";
import type { Context } from "hono";
import type { z } from "zod";
import type { UserRow } from "../../kernel/db/look-ups.ts";
import { users } from "../../kernel/db/schema/index.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { ApiError } from "../../kernel/http/errors.ts";
import { countFailure, refuseBlocked } from "../../kernel/http/failures.ts";
import { lookUps, openStore } from "../../kernel/http/stores.ts";
import { hashPassword, verifyPassword } from "../../kernel/secrets/passwords.ts";
import { noteFailedSignIn, noteSignIn } from "../attempts/session-log.ts";
import { isRight, SignInAttempts } from "../attempts/sign-in-attempts.ts";
import { isSetUp } from "../second-factor/prove.ts";
import { beginSession } from "./console-session.ts";
import { embeddedLogin } from "./embedded-login.ts";
import { isAccount } from "./existing-accounts.ts";
import { secondFactorRequired } from "./second-step.ts";
import type { session } from "./session.ts";

/** Signs in a user of the embedded provider. @throws ApiError 401, 403, 404 if another provider is configured, 429 */
export async function signInWithPassword(
  c: Context<AppEnv>,
  sent: { account: string; email: string; password: string },
): Promise<z.output<typeof session>> {
  if (!embeddedLogin(c.env))
    throw new ApiError(404, "not_found", "passwords are not accepted here: sign in with the identity provider");
  const email = sent.email.toLowerCase();
  if (!(await isAccount(c, sent.account))) throw await ofNoAccount(c, sent.password);
  const attempts = await SignInAttempts.of(c, sent.account, email);
  const began = await attempts.begin();
  // The user is looked up after the attempt began, so that a later password change ends the session.
  const found = await lookUps(c).login(sent.account, email);
  const verdict = await attempts.judge(sent.password, found?.user?.password_hash);
  const passwordMatches = found?.user !== undefined && isRight(verdict);
  const waitsForCode = passwordMatches && isSetUp(found.factor);
  await attempts.end(waitsForCode ? "half" : passwordMatches ? "right" : "wrong");
  if (!found?.user || !passwordMatches) {
    await noteFailedSignIn(c, sent.account, found?.user ?? { email });
    throw wrong();
  }
  const { account, user } = found;
  if (account.disabled_at !== null) {
    await noteFailedSignIn(c, account.name, user);
    throw new ApiError(403, "account_closed", "the account is disabled");
  }
  if (verdict === "outdated") await hashAnew(c, account.name, user, sent.password);
  const validAfter = user.sessions_valid_after === null ? 0 : Date.parse(user.sessions_valid_after);
  const begunAt = Math.max(began, validAfter);
  if (waitsForCode) throw await secondFactorRequired(c, user, begunAt);
  await noteSignIn(c, account.name, user.id);
  const begun = await beginSession(c, { account, user }, { begunAt, secondFactor: false });
  if (!begun) throw wrong();
  return begun;
}

/**
 * Refuses a sign-in to an unknown account. There is no gate, so failures are counted by address. It takes as long as
 * with an account, so that the timing does not reveal which accounts exist.
 */
async function ofNoAccount(c: Context<AppEnv>, password: string): Promise<ApiError> {
  refuseBlocked(c, "authentication");
  await verifyPassword(password, undefined);
  await countFailure(c, "authentication");
  return wrong();
}

/** Hashes the password again with the current parameters, unless it has changed in the meantime. */
async function hashAnew(c: Context<AppEnv>, account: string, user: UserRow, password: string): Promise<void> {
  const store = openStore(c, account, { actor: "system:sign-in", request_id: c.get("requestId") });
  const password_hash = await hashPassword(password, c.env.PASSWORD_PEPPER);
  const isUser = and(eq(users.id, user.id), eq(users.password_hash, user.password_hash));
  if (isUser) await store.record(store.update(users, { password_hash }, isUser));
}

const wrong = () => new ApiError(401, "login_failed", "account, email or password is wrong");
