import { asc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { auditLog, secondFactors, users } from "../../kernel/db/schema/index.ts";
import { accountGate } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";

/**
 * Returns the members of the account that meet the condition, by default all, sorted by email address in their API
 * form.
 */
export async function readMembers(env: Bindings, store: AccountStore, where: SQL = sql`true`) {
  const [[rows, factors, entries], seen] = await Promise.all([
    store.read(
      store.select(users, {
        where,
        columns: ["id", "email", "name", "role", "source"],
        orderBy: [asc(users.email), asc(users.id)],
      }),
      store.select(secondFactors, { where: isNotNull(secondFactors.secret), columns: ["id"] }),
      store.select(auditLog, { where: isLatestOf(store.account, where), columns: ["actor", "at"] }),
    ),
    accountGate(env, store.account).lastSeen(),
  ]);
  const withFactor = new Set(factors.map(({ id }) => id));
  const acted = new Map(entries.map(({ actor, at }) => [actor, Date.parse(at)]));
  return rows.map(({ id, email, name, role, source }) => {
    const last = Math.max(seen.get(id) ?? 0, acted.get(`console:${id}`) ?? 0);
    const last_seen_at = last === 0 ? null : new Date(last).toISOString();
    return { id, email, name, role, source, second_factor: withFactor.has(id), last_seen_at };
  });
}

export async function readMember(env: Bindings, store: AccountStore, id: string) {
  const [member] = await readMembers(env, store, eq(users.id, id));
  return member;
}

/**
 * Matches the latest audit entry of each of these members. Failed sign-ins are excluded, because other people may have
 * caused them.
 */
function isLatestOf(account: string, where: SQL): SQL {
  const latest = sql`SELECT own.id FROM audit_log own WHERE own.account = ${account} AND own.actor = 'console:' || ${users.id} AND own.action <> 'sign_in_failed' ORDER BY own.at DESC, own.id DESC LIMIT 1`;
  return sql`${auditLog.id} IN (SELECT (${latest}) FROM ${users} WHERE ${users.account} = ${account} AND ${where})`;
}
