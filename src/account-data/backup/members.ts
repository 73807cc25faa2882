import { accountDatabase } from "../../kernel/durable/account-stores.ts";
import { mayGrant, type Role } from "../../kernel/scopes.ts";
import { signText, verifyText } from "../../kernel/secrets/tokens.ts";
import { Vault } from "../../kernel/secrets/vault.ts";
import { type CopiedMember, readMembersOf, writeMembers } from "./member-copy.ts";

/** A member in a backup, without credentials. */
export interface Member {
  id: string;
  role: Role;
}

/** The members in a backup, and the account to which they belong. */
interface Members {
  name: string;
  created_at: string;
  members?: Member[] | undefined;
  members_signature?: string | undefined;
}

const PURPOSE = "backup-members";

/** Returns the members of an account with this deployment's signature over them. */
export async function membersOf(
  { DB, SIGNING_KEYS }: Pick<Env, "DB" | "SIGNING_KEYS">,
  { name, created_at }: { name: string; created_at: string },
): Promise<Required<Pick<Members, "members" | "members_signature">>> {
  const members = (await readMembersOf(DB, { name, created_at })).map(({ id, role }) => ({ id, role }));
  const members_signature = await signText(SIGNING_KEYS, PURPOSE, signedText({ name, created_at, members }));
  return { members, members_signature };
}

function signedText({ name, created_at, members = [] }: Members): string {
  return JSON.stringify([name, created_at, ...members.map(({ id, role }) => [id, role])]);
}

/**
 * Restores the members of the backup who are still members of the source account in this deployment. Nobody gets more
 * permissions than both the backup and the source account give them. Without this deployment's signature no member is
 * restored, because a forged file could name any account and copy its members' passwords.
 */
export async function bringMembers(
  { env }: { env: Env },
  { account, backup }: { account: string; backup: string },
  { name, created_at, members = [], members_signature = "" }: Members,
): Promise<void> {
  if (name === account || members.length === 0) return;
  const isOurs = await verifyText(
    env.SIGNING_KEYS,
    PURPOSE,
    signedText({ name, created_at, members }),
    members_signature,
  );
  if (!isOurs) return;
  const then = new Map(members.map(({ id, role }) => [id, role]));
  const still = (await readMembersOf(env.DB, { name, created_at })).flatMap((member): CopiedMember[] => {
    const role = then.get(member.id);
    return role === undefined ? [] : [Object.assign({}, member, { role: lesser(member.role, role) })];
  });
  if (still.length === 0) return;
  const statements = await writeMembers(new Vault(env.ENCRYPTION_KEYS), still, { from: name, to: account, backup });
  await accountDatabase(env, account).configure({ statements, tables: ["users", "second_factors"], added: [] });
}

function lesser(one: Role, other: Role): Role {
  if (mayGrant(one, other)) return other;
  return mayGrant(other, one) ? one : "viewer";
}
