import { eq, ne, type SQL, sql } from "drizzle-orm";
import { type AccountStore, subject } from "../../kernel/db/account-store.ts";
import { changedColumns } from "../../kernel/db/audit-changes.ts";
import { all } from "../../kernel/db/conditions.ts";
import { apiKeys, invitations, passwordResets, removedMembers, users } from "../../kernel/db/schema/index.ts";
import type { Bindings, Principal } from "../../kernel/http/context.ts";
import { type ApiError, badToken, conflict, notFound } from "../../kernel/http/errors.ts";
import type { Role } from "../../kernel/scopes.ts";
import { nameForStrangers } from "../account-names.ts";
import { embeddedLogin } from "../auth/embedded-login.ts";
import { assertMayGrant, callerIsStill, exceedsOwn, isWithin, leavesAnOwner, rolesWithin } from "../roles.ts";

/** The caller and the account. */
export interface Context {
  env: Bindings;
  store: AccountStore;
  principal: Principal;
}

/**
 * Changes a member's role. Also ends the invitations and links that the member could no longer create.
 * @throws ApiError 403, 404, 409
 */
export async function changeRole(context: Context, id: string, role: Role): Promise<void> {
  const { store, principal } = context;
  assertMayGrant(principal, role);
  const where = all(
    mayBeChanged(context, id),
    ne(users.role, role),
    role === "owner" ? undefined : leavesOwner(context),
  );
  // These statements run before the change of the role, because their conditions read the same rows.
  const isDone = isThere(store.account, where);
  const results = await store.write(
    { action: "update", resource: "user", resource_id: id, changes: changedColumns(users, { role }) },
    // The creator of a reset link may not be allowed to change members with the new role.
    store.delete(passwordResets, all(eq(passwordResets.id, id), isDone)),
    ...endOfWhat(store, id, rolesWithin(role), isDone),
    subject(store.update(users, { role }, where)),
  );
  const changed = results[3];
  if (changed.length > 0) return;
  if ((await targetOf(context, id)).role !== role) throw lastOwner();
}

/** Removes a member and ends their sessions. @throws ApiError 403, 404, 409 */
export async function removeMember(context: Context, id: string, keys: "keep" | "disable", now: number): Promise<void> {
  const { store } = context;
  const at = new Date(now).toISOString();
  const where = all(mayBeChanged(context, id), leavesOwner(context));
  const theirKeys = all(eq(apiKeys.created_by, id), sql`${apiKeys.disabled_at} IS NULL`);
  const disabled = sql`(SELECT json_group_array(${apiKeys.name}) FROM ${apiKeys} WHERE ${apiKeys.account} = ${store.account} AND ${theirKeys})`;
  const changes = keys === "disable" ? { disabled_api_keys: { from: null, to: disabled } } : {};
  const results = await store.write(
    { action: "delete", resource: "user", resource_id: id, changes },
    store.insertSelected(
      removedMembers,
      users,
      all(where, eq(users.source, "oidc")),
      { id: users.id, email: users.email, removed_at: at },
      "keep",
    ),
    ...endOfWhat(store, id, [], isThere(store.account, where)),
    subject(store.delete(users, where)),
    // This runs after the audit entry, because the entry names the keys that are still enabled.
    store.update(apiKeys, { disabled_at: at }, keys === "disable" ? all(theirKeys, sql`changes() > 0`) : sql`false`),
  );
  const removed = results[3];
  if (removed.length > 0) return;
  await targetOf(context, id);
  throw lastOwner();
}

/** Returns the condition that a reset link may be created for the member. */
export function mayBeReset(context: Context, id: string): SQL {
  return all(mayBeChanged(context, id), eq(users.source, "password"));
}

/** Returns a member whom the caller may change, and the account's name for messages. @throws ApiError 403, 404 */
export async function targetOf({ store, principal }: Context, id: string) {
  const [target, mine, { display_name }] = await store.read(
    store.first(users, { where: eq(users.id, id) }),
    store.first(users, { where: eq(users.id, principal.subject) }),
    store.profile(),
  );
  // The caller was removed or got another role during the request.
  if (!mine) throw badToken();
  if (mine.role !== principal.role) throw exceedsOwn("your role has changed in the meantime; try again");
  if (!target) throw notFound("member");
  if (!rolesWithin(principal.role).includes(target.role))
    throw exceedsOwn("the member has rights that you do not have");
  return Object.assign(target, { account_name: nameForStrangers({ name: store.account, display_name }) });
}

/** Returns the condition that the account has a member matching `where`. */
function isThere(account: string, where: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.account} = ${account} AND ${where})`;
}

function mayBeChanged({ principal }: Context, id: string): SQL {
  return all(eq(users.id, id), isWithin(principal, users.role), callerIsStill(principal));
}

function leavesOwner({ env, store }: Context): SQL {
  return leavesAnOwner(store.account, { password: embeddedLogin(env), oidc: env.OIDC_ISSUER !== "" });
}

/**
 * Returns the statements that end the invitations and reset links that the member created for other roles than these,
 * if `when` holds.
 */
function endOfWhat(store: AccountStore, id: string, roles: Role[], when: SQL) {
  const within = sql`(SELECT value FROM json_each(${JSON.stringify(roles)}))`;
  const reset = sql`(SELECT role FROM users owner WHERE owner.account = ${store.account} AND owner.id = ${passwordResets.id})`;
  return [
    store.delete(invitations, all(eq(invitations.invited_by, id), sql`${invitations.role} NOT IN ${within}`, when)),
    store.delete(
      passwordResets,
      all(eq(passwordResets.created_by, `console:${id}`), sql`${reset} NOT IN ${within}`, when),
    ),
  ] as const;
}

function lastOwner(): ApiError {
  return conflict("last_owner", "the account needs an owner who can sign in: make another member an owner first");
}
