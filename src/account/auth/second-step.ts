import type { Context } from "hono";
import { z } from "zod";
import { accountGate } from "../../kernel/durable/objects.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { ApiError } from "../../kernel/http/errors.ts";
import { countFailure, refuseBlocked } from "../../kernel/http/failures.ts";
import { lookUps, openStore } from "../../kernel/http/stores.ts";
import { signToken, verifyToken } from "../../kernel/secrets/tokens.ts";
import { MINUTE_MS } from "../../kernel/time.ts";
import { noteFailedSignIn, noteSignIn } from "../attempts/session-log.ts";
import { SignInAttempts } from "../attempts/sign-in-attempts.ts";
import { spendCode } from "../second-factor/factor.ts";
import { isSetUp, wrongCode } from "../second-factor/prove.ts";
import { beginSession } from "./console-session.ts";

/** How long a code is accepted after the password, ms. */
const TICKET_LIFETIME_MS = 5 * MINUTE_MS;

const ticketClaims = z.object({
  sub: z.string(),
  account: z.string(),
  jti: z.string(),
  /** When the session begins, ms. */
  begun_at: z.number(),
  exp: z.number(),
});

/** Creates the error that asks for a code of the second factor, and contains the ticket to send with the code. */
export async function secondFactorRequired(
  c: Context<AppEnv>,
  user: { id: string; account: string },
  begun_at: number,
): Promise<ApiError> {
  const claims = { sub: user.id, account: user.account, jti: crypto.randomUUID(), begun_at };
  const lifetimeS = TICKET_LIFETIME_MS / 1000;
  const ticket = await signToken(c.env.SIGNING_KEYS, "sign-in-ticket", claims, lifetimeS, c.get("now"));
  const error = new ApiError(401, "second_factor_required", "a code of your second factor is required");
  error.extensions = { ticket };
  return error;
}

/**
 * Finishes a sign-in with a code of the second factor.
 * @throws ApiError 401 if the code is wrong, or the ticket is spent, expired or has no tries left; 403, 429
 */
export async function signInWithCode(c: Context<AppEnv>, sent: { ticket: string; code: string }) {
  refuseBlocked(c, "authentication");
  const verified = await verifyToken(c.env.SIGNING_KEYS, "sign-in-ticket", sent.ticket, c.get("now"));
  const claims = ticketClaims.safeParse(verified).data;
  if (!claims) {
    await countFailure(c, "authentication");
    throw signInAgain();
  }
  const { sub: id, account: name, jti, begun_at: begunAt, exp } = claims;
  const ticket = { id: jti, expiresAt: exp * 1000 };
  const found = await lookUps(c).loginOf(name, id);
  if (!found?.user) throw signInAgain();
  const { account, user, factor } = found;
  // The password that was given in the first step has been replaced.
  if (user.sessions_valid_after !== null && begunAt < Date.parse(user.sessions_valid_after)) throw signInAgain();
  const attempts = await SignInAttempts.of(c, name, user.email);
  await attempts.begin();
  if (!(await accountGate(c.env, name).tryTicket(ticket))) throw signInAgain();
  const store = openStore(c, name, { actor: `console:${id}`, request_id: c.get("requestId") });
  const context = { env: c.env, store, now: c.get("now") };
  const isRight = isSetUp(factor) && (await spendCode(context, factor, sent.code));
  await attempts.end(isRight ? "right" : "wrong");
  if (!isRight) {
    await noteFailedSignIn(c, name, user);
    throw wrongCode(401);
  }
  if (account.disabled_at !== null) throw new ApiError(403, "account_closed", "the account is disabled");
  const session = await beginSession(c, { account, user }, { begunAt, secondFactor: true }, ticket);
  if (!session) throw signInAgain();
  await noteSignIn(c, name, id);
  return session;
}

const signInAgain = () =>
  new ApiError(401, "ticket_invalid", "this sign-in has expired, or too many codes were tried: sign in again");
