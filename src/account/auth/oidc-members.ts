import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Context } from "hono";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { invitations, removedMembers, users } from "../../kernel/db/schema/index.ts";
import type { AppEnv, Bindings } from "../../kernel/http/context.ts";
import { ApiError } from "../../kernel/http/errors.ts";
import { openStore } from "../../kernel/http/stores.ts";
import { hasOwner, mayStillGrant } from "../roles.ts";
import { consoleProvider } from "./console-provider.ts";
import { embeddedLogin } from "./embedded-login.ts";
import type { Person } from "./person.ts";

/**
 * Makes a person who signs in for the first time at the identity provider a member of the account: its owner if no
 * owner can sign in, otherwise with the role of an invitation or the default role. A removed member stays removed
 * unless invited again. The decision is part of the write, so that exactly one of two simultaneous first people becomes
 * the owner.
 */
export async function join(c: Context<AppEnv>, account: string, person: Person): Promise<void> {
  const { env } = c;
  const { id, email, name } = person;
  const store = storeOf(c, account, person);
  const created_at = new Date(c.get("now")).toISOString();
  const ways = { password: embeddedLogin(env), oidc: true };
  const isInvited = invitationOf(c, account, person);
  const invited = sql`SELECT ${invitations.role} FROM ${invitations} WHERE ${invitations.account} = ${account} AND ${isInvited}`;
  const role = sql`iif(${hasOwner(account, ways)}, coalesce((${invited}), ${defaultRole(env)}), 'owner')`;
  const isRemoved = sql`EXISTS (SELECT 1 FROM removed_members gone WHERE gone.account = ${account} AND gone.id = ${id} AND NOT EXISTS (${invited} AND ${invitations.created_at} > gone.removed_at))`;
  const isMember = sql`EXISTS (SELECT 1 FROM users me WHERE me.account = ${account} AND me.id = ${id})`;
  const row = { id, email, name, password_hash: "", role, source: "oidc" as const, created_at };
  await store.write(
    { action: "create", resource: "user", resource_id: id },
    store.insertIf(users, row, sql`NOT ${isRemoved}`),
    store.delete(invitations, all(isInvited, isMember)),
    store.delete(removedMembers, all(eq(removedMembers.id, id), isMember)),
  );
}

/**
 * Records a sign-in at the identity provider. A new person becomes a member; a member gets the name that the provider
 * now reports, and accepts an invitation if there is one. @throws ApiError 403 for a removed member
 */
export async function memberSignedIn(c: Context<AppEnv>, account: string, person: Person): Promise<void> {
  const { id, email, name } = person;
  const store = storeOf(c, account, person);
  const isUser = eq(users.id, id);
  const isInvited = invitationOf(c, account, person);
  const [user, invitation] = await store.read(
    store.first(users, { where: isUser }),
    store.first(invitations, { where: isInvited }),
  );
  if (!user) {
    await join(c, account, person);
    const [joined] = await store.read(store.first(users, { where: isUser, columns: ["id"] }));
    if (!joined) throw noMember();
    return;
  }
  if (invitation) await accept(store, id, isInvited);
  const named = { email: email || user.email, name: name || user.name };
  if (named.email === user.email && named.name === user.name) return;
  await store.record(store.update(users, named, isUser));
}

/** Gives a member the role of an invitation. An owner stays an owner. */
async function accept(store: AccountStore, id: string, isInvited: SQL): Promise<void> {
  const invited = sql`(SELECT ${invitations.role} FROM ${invitations} WHERE ${invitations.account} = ${store.account} AND ${isInvited})`;
  await store.write(
    { action: "accept_invitation", resource: "user", resource_id: id },
    store.update(
      users,
      { role: invited },
      all(eq(users.id, id), sql`${users.role} <> 'owner' AND ${invited} IS NOT NULL`),
    ),
    store.delete(invitations, isInvited),
  );
}

/**
 * Returns the condition that an invitation is for this person. It is only true if the provider has verified the email
 * address, and if this deployment does not accept invitations with a password.
 */
function invitationOf(c: Context<AppEnv>, account: string, { email, emailVerified }: Person): SQL {
  if (!emailVerified || embeddedLogin(c.env)) return sql`false`;
  const now = new Date(c.get("now")).toISOString();
  const isGood = sql`${invitations.expires_at} > ${now}`;
  return all(
    and(eq(invitations.email, email), isGood),
    mayStillGrant(account, invitations.invited_by, invitations.role),
  );
}

function defaultRole(env: Bindings): string {
  return consoleProvider(env)?.defaultRole ?? "viewer";
}

function storeOf(c: Context<AppEnv>, account: string, { id, name, email }: Person): AccountStore {
  return openStore(c, account, { actor: `console:${id}`, name: name || email, request_id: c.get("requestId") });
}

/** Creates the error for a removed member. */
export const noMember = () => new ApiError(403, "account_mismatch", "you are no longer a member of this account");
