import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Context } from "hono";
import { v7 as uuidv7 } from "uuid";
import { subject } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { invitations, users } from "../../kernel/db/schema/index.ts";
import { accountGate } from "../../kernel/durable/objects.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { ApiError, conflict, notFound } from "../../kernel/http/errors.ts";
import { countFailure, refuseBlocked } from "../../kernel/http/failures.ts";
import { openStore } from "../../kernel/http/stores.ts";
import { hashPassword } from "../../kernel/secrets/passwords.ts";
import { noteSignIn } from "../attempts/session-log.ts";
import { SignInAttempts } from "../attempts/sign-in-attempts.ts";
import { beginSession } from "../auth/console-session.ts";
import { embeddedLogin } from "../auth/embedded-login.ts";
import { readToken } from "../auth/link-tokens.ts";
import { assertStrong } from "../auth/password-rule.ts";
import { mayStillGrant } from "../roles.ts";

/** Returns who invites whom to which account, by the invitation's token. @throws ApiError 403, 404, 429 */
export async function describeInvitation(c: Context<AppEnv>, token: string) {
  const { account, display_name, invitation, inviter } = await find(c, token);
  const { email, role, expires_at } = invitation;
  return { account, account_name: display_name, email, role, invited_by: inviter.name || inviter.email, expires_at };
}

/**
 * Makes the invited address a member and signs them in. Of several concurrent uses only one succeeds.
 * @throws ApiError 400, 403, 404, 409, 429
 */
export async function acceptInvitation(
  c: Context<AppEnv>,
  token: string,
  { name, password }: { name: string; password: string },
) {
  if (!embeddedLogin(c.env))
    throw new ApiError(404, "not_found", "passwords are not accepted here: sign in with the identity provider");
  const { account, display_name, invitation, isOpen } = await find(c, token);
  const { email } = invitation;
  assertStrong(password, { account, email }, "password");
  const password_hash = await hashPassword(password, c.env.PASSWORD_PEPPER);
  // By the gate's clock the session begins before its user exists, so that anything that ends it comes later.
  const chance = await accountGate(c.env, account).trySignIn(null);
  const now = c.get("now");
  const id = uuidv7({ msecs: now });
  const store = openStore(c, account, { actor: `console:${id}`, request_id: c.get("requestId") });
  const isMember = sql`EXISTS (SELECT 1 FROM users other WHERE other.account = ${account} AND other.email = ${email} AND other.source = 'password')`;
  const values = {
    id,
    email: invitations.email,
    name: sql`${name}`,
    password_hash,
    source: "password",
    role: invitations.role,
    sessions_valid_after: sql`NULL`,
    created_at: new Date(now).toISOString(),
  };
  const [, , user, member] = await store.write(
    { action: "accept_invitation", resource: "user", resource_id: id },
    subject(store.insertSelected(users, invitations, all(isOpen, sql`NOT ${isMember}`), values)),
    store.delete(invitations, all(eq(invitations.id, invitation.id), isMember)),
    store.first(users, { where: eq(users.id, id) }),
    store.first(users, { where: all(eq(users.email, email), eq(users.source, "password")), columns: ["id"] }),
  );
  if (!user)
    throw member ? conflict("already_member", "this address already belongs to a member: sign in") : noInvitation();
  await (await SignInAttempts.of(c, account, email)).proved();
  await noteSignIn(c, account, id);
  const begunAt = chance.outcome === "try" ? chance.at : now;
  const who = { account: { name: account, display_name }, user };
  const session = await beginSession(c, who, { begunAt, secondFactor: false });
  if (!session) throw noInvitation();
  return session;
}

/**
 * Returns the open invitation with this token, and the condition that it is still open. @throws ApiError 403, 404, 429
 */
async function find(c: Context<AppEnv>, token: string) {
  refuseBlocked(c, "authentication");
  const { account, hash } = await readToken(c, token);
  const found = account === null ? undefined : await look(c, account, hash);
  if (!found) {
    await countFailure(c, "authentication");
    throw noInvitation();
  }
  if (found.accountStatus !== "open") throw new ApiError(403, "account_closed", "the account is disabled");
  return found;
}

async function look(c: Context<AppEnv>, account: string, hash: string) {
  const store = openStore(c, account, { actor: "system:invitation", request_id: c.get("requestId") });
  const isOpen = isGood(account, hash, new Date(c.get("now")).toISOString());
  const ofInviter = sql`${users.id} = (SELECT ${invitations.invited_by} FROM ${invitations} WHERE ${invitations.account} = ${account} AND ${isOpen})`;
  const [invitation, inviter, profile] = await store.read(
    store.first(invitations, { where: isOpen }),
    store.first(users, { where: ofInviter, columns: ["name", "email"] }),
    store.profile(),
  );
  const { accountStatus, display_name } = profile;
  return invitation && inviter && { account, display_name, accountStatus, invitation, inviter, isOpen };
}

/**
 * Returns the condition that the invitation has this token, has not expired, and its sender may still assign its role.
 */
function isGood(account: string, hash: string, now: string): SQL {
  const { invited_by, role, expires_at } = invitations;
  return all(and(eq(invitations.hash, hash), gt(expires_at, now)), mayStillGrant(account, invited_by, role));
}

const noInvitation = () => notFound("invitation");
