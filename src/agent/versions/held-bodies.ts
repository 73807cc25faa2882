import { type SQL, sql } from "drizzle-orm";
import { versionBodies } from "../../kernel/db/schema/index.ts";

/** The tables that say what an agent has. */
const LINKS = ["agent_tools", "agent_playbooks", "agent_faqs"] as const;

/** `SELECT` of the hashes that attachments are held at; `where` speaks of `agent_id`. */
export function heldHashes(account: string, where: SQL = sql`true`): SQL {
  const of = (links: string) =>
    sql`SELECT body_hash FROM ${sql.raw(links)} WHERE account = ${account} AND body_hash IS NOT NULL AND ${where}`;
  return sql.join(LINKS.map(of), sql` UNION ALL `);
}

/** The condition that a body has one of these hashes. */
export function bodiesAt(hashes: SQL): SQL {
  return sql`${versionBodies.hash} IN (${hashes})`;
}

/** A row as it is held: with the fields of the body in place of its own, where it has one. */
export function asHeld<R extends object>(
  row: R,
  hash: string | null,
  bodies: ReadonlyMap<string, Record<string, unknown>>,
): R {
  const body = hash === null ? undefined : bodies.get(hash);
  if (body === undefined) return row;
  const held = Object.entries(body).filter(([field]) => field in row);
  return Object.assign({}, row, Object.fromEntries(held));
}

/** Bodies by their hashes. */
export function byHash(rows: (typeof versionBodies.$inferSelect)[]): Map<string, Record<string, unknown>> {
  return new Map(rows.map(({ hash, body }) => [hash, body]));
}
