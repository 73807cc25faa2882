import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { users } from "../kernel/db/schema/index.ts";
import type { Principal } from "../kernel/http/context.ts";
import { ApiError } from "../kernel/http/errors.ts";
import { mayGrant, ROLES, type Role, SCOPE_WORDS, scopesOf } from "../kernel/scopes.ts";

/** What each role permits, for the reference. */
export const ROLE_WORDS: Record<Role, string> = {
  owner: "everything, including making owners",
  admin: "everything except making owners",
  builder: "build and connect agents, and listen to conversations",
  operator: "place calls and run campaigns, and listen to conversations",
  analyst: "listen to conversations",
  viewer: SCOPE_WORDS.read,
};

/** Returns the roles that a member with this role may assign, change or remove; none without the scope `manage`. */
export function rolesWithin(own: Role | null): Role[] {
  if (own === null || !scopesOf(own).includes("manage")) return [];
  return ROLES.filter((role) => mayGrant(own, role));
}

/** @throws ApiError 403 if the caller may not assign the role */
export function assertMayGrant({ role: own }: Principal, role: Role): void {
  if (!rolesWithin(own).includes(role)) throw exceedsOwn(`you cannot grant the role ${role}`);
}

export const exceedsOwn = (message: string) => new ApiError(403, "exceeds_own", message);

/** Returns the condition that the role in the column is one that the caller may assign, change or remove. */
export function isWithin({ role }: Principal, column: SQLiteColumn): SQL {
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(rolesWithin(role))}))`;
}

/** Returns the condition that the caller still has the role that they had when the request was admitted. */
export function callerIsStill({ account, subject, role }: Principal): SQL {
  return sql`EXISTS (SELECT 1 FROM users me WHERE me.account = ${account} AND me.id = ${subject} AND me.role = ${role})`;
}

const GRANTORS = JSON.stringify(
  Object.fromEntries(ROLES.map((role) => [role, ROLES.filter((own) => rolesWithin(own).includes(role))])),
);

/** Returns the condition that the member in the column `id` exists and may assign the role in the column `role`. */
export function mayStillGrant(account: string, id: SQLiteColumn, role: SQLiteColumn): SQL {
  const grantors = sql`SELECT value FROM json_each(${GRANTORS}, '$.' || ${role})`;
  return sql`EXISTS (SELECT 1 FROM users grantor WHERE grantor.account = ${account} AND grantor.id = ${id} AND grantor.role IN (${grantors}))`;
}

interface SignInWays {
  password: boolean;
  oidc: boolean;
}

/** Returns the condition that another owner can still sign in, or that this member is not an owner. */
export function leavesAnOwner(account: string, ways: SignInWays): SQL {
  const { source, password_hash } = users;
  const is = canSignIn(ways, sql`${source}`, sql`${password_hash}`);
  const other = canSignIn(ways, sql`other.source`, sql`other.password_hash`);
  return sql`(NOT (${users.role} = 'owner' AND ${is}) OR EXISTS (SELECT 1 FROM users other WHERE other.account = ${account} AND other.id <> ${users.id} AND other.role = 'owner' AND ${other}))`;
}

/** Returns the condition that there is an owner who can sign in. */
export function hasOwner(account: string, ways: SignInWays): SQL {
  const is = canSignIn(ways, sql`owner.source`, sql`owner.password_hash`);
  return sql`EXISTS (SELECT 1 FROM users owner WHERE owner.account = ${account} AND owner.role = 'owner' AND ${is})`;
}

function canSignIn({ password, oidc }: SignInWays, source: SQL, hash: SQL): SQL {
  return sql`((${password ? 1 : 0} AND ${source} = 'password' AND ${hash} <> '') OR (${oidc ? 1 : 0} AND ${source} = 'oidc'))`;
}
