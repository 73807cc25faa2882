import type { Context } from "hono";
import { OPERATOR_ACCOUNT } from "../../kernel/db/schema/index.ts";
import { accountGate } from "../../kernel/durable/objects.ts";
import type { AppEnv, ConsoleSession } from "../../kernel/http/context.ts";
import { ApiError, badToken, conflict, invalidField } from "../../kernel/http/errors.ts";
import { countFailure, refuseBlocked } from "../../kernel/http/failures.ts";
import { lookUps, openStore } from "../../kernel/http/stores.ts";
import { MINUTE_MS } from "../../kernel/time.ts";
import { accountsOf } from "../auth/console-session.ts";
import { issueSessionToken, verifyConsoleToken } from "../auth/console-token.ts";
import type { JoinedSession } from "../gate/joined-sessions.ts";

/** How long after its sign-in a session can be joined to another one, ms. */
const FRESH_MS = 10 * MINUTE_MS;

/**
 * Joins another account's session, proven by its token, to the caller's. Whoever holds both has signed in to both.
 * @throws ApiError 400, 401, 403, 409, 429
 */
export async function joinMemberships(c: Context<AppEnv>, otherToken: string) {
  const { account, subject, session } = c.get("principal");
  if (!session?.embedded)
    throw new ApiError(403, "external_identity", "your identity provider says which accounts you may open");
  const home = homeOf(session, { account, user: subject });
  const other = await readOther(c, otherToken);
  if (other.account === home.account) throw badOther("belongs to this account");
  if ([home.account, other.account].includes(OPERATOR_ACCOUNT))
    throw new ApiError(403, "forbidden", `sessions of ${OPERATOR_ACCOUNT} cannot be joined`);
  const answer = await accountGate(c.env, home.account).joinSession({ id: home.id, user: home.user }, other);
  if (answer.outcome === "too_many")
    throw conflict("too_many_joined", "too many accounts are joined to this session: sign out first");
  if (answer.outcome !== "joined") throw badToken();
  const { account: row, user } = await lookUps(c).sessionUser(home.account, home.user);
  if (!row || !user) throw badToken();
  await Promise.all([note(c, home, other), note(c, other, home)]);
  const terms = Object.assign({ id: home.id }, answer.terms);
  const owner = { id: user.id, email: user.email, account: home.account };
  return {
    access_token: await issueSessionToken(c.env, owner, terms, answer.joined, c.get("now")),
    token_type: "Bearer" as const,
    expires_in: answer.terms.tokenLifetimeS,
    account,
    accounts: [row, ...(await accountsOf(c, answer.joined))],
  };
}

interface Member {
  account: string;
  user: string;
}

/** Returns the session that is renewed. The request may be in an account that is joined to it. */
function homeOf(session: ConsoleSession, member: Member): Member & { id: string } {
  if (session.home === member.account) return Object.assign({ id: session.id }, member);
  const home = session.elsewhere.find(({ account }) => account === session.home);
  if (!home) throw badToken();
  return home;
}

/** Returns the session of the other token. @throws ApiError 400, 429 */
async function readOther(c: Context<AppEnv>, token: string): Promise<JoinedSession> {
  refuseBlocked(c, "authentication");
  const claims = await verifyConsoleToken(c.env, token, c.get("now"));
  const [account] = claims?.accounts ?? [];
  const id = claims?.sessionId ?? null;
  if (!claims?.embedded || id === null || account === undefined) {
    await countFailure(c, "authentication");
    throw badOther("is invalid");
  }
  const { sub: user, issuedAt, sessionEndsAt: endsAt } = claims;
  // A stolen token must not be extended to the end of its session.
  if (c.get("now") - issuedAt > FRESH_MS)
    throw badOther("belongs to an earlier sign-in: sign in to that account again");
  const goesOn = await accountGate(c.env, account).sessionGoesOn({ id, user, embedded: true, issuedAt }, "used");
  if (!goesOn) throw badOther("belongs to a session that has ended");
  return { account, id, user, begunAt: issuedAt, endsAt };
}

/** Records in a member's account which other account they joined. */
function note(c: Context<AppEnv>, { account, user }: Member, other: Member): Promise<void> {
  const store = openStore(c, account, { actor: `console:${user}`, request_id: c.get("requestId") });
  return store.note({ action: "join_membership", resource: "account", resource_id: other.account });
}

const badOther = (why: string) => invalidField("access_token", "token_invalid", why);
