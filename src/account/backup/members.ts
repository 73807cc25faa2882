import { type CopiedMember, readMembersOf, writeMembers } from "../../kernel/db/member-copy.ts";
import { accountDatabase } from "../../kernel/durable/account-stores.ts";
import { mayGrant, type Role } from "../../kernel/scopes.ts";
import { Vault } from "../../kernel/secrets/vault.ts";

/** A member as a backup has one: nothing to sign in with. */
export interface Member {
  id: string;
  role: Role;
}

export async function membersOf({ DB }: Pick<Env, "DB">, account: string): Promise<Member[]> {
  return (await readMembersOf(DB, { name: account, created_at: null })).map(({ id, role }) => ({ id, role }));
}

/**
 * Makes those members of the backup members of the restored account who are still members of the account that it was
 * taken of, here; anywhere else nobody is. Nobody may do more than both the backup and that account say.
 */
export async function bringMembers(
  { env }: { env: Env },
  { account, backup }: { account: string; backup: string },
  { name, created_at, members = [] }: { name: string; created_at: string; members?: Member[] | undefined },
): Promise<void> {
  if (name === account || members.length === 0) return;
  const then = new Map(members.map(({ id, role }) => [id, role]));
  const still = (await readMembersOf(env.DB, { name, created_at })).flatMap((member): CopiedMember[] => {
    const role = then.get(member.id);
    return role === undefined ? [] : [Object.assign({}, member, { role: lesser(member.role, role) })];
  });
  if (still.length === 0) return;
  const statements = await writeMembers(new Vault(env.ENCRYPTION_KEYS), still, { from: name, to: account, backup });
  await accountDatabase(env, account).configure({ statements, tables: ["users", "second_factors"] });
}

function lesser(one: Role, other: Role): Role {
  if (mayGrant(one, other)) return other;
  return mayGrant(other, one) ? one : "viewer";
}
