import { type SQL, sql } from "drizzle-orm";
import { versionBodies } from "../../kernel/db/schema/index.ts";

/** The tables of an agent's attachments. */
const LINKS = ["agent_tools", "agent_playbooks", "agent_faqs"] as const;

/** Returns a `SELECT` of the hashes of restored attachments' bodies; `where` may refer to `agent_id`. */
export function heldHashes(account: string, where: SQL = sql`true`): SQL {
  const of = (links: string) =>
    sql`SELECT body_hash FROM ${sql.raw(links)} WHERE account = ${account} AND body_hash IS NOT NULL AND ${where}`;
  return sql.join(LINKS.map(of), sql` UNION ALL `);
}

export function bodiesAt(hashes: SQL): SQL {
  return sql`${versionBodies.hash} IN (${hashes})`;
}

/** Replaces the row's fields with those of the attachment's stored body, if it has one. */
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

export function byHash(rows: (typeof versionBodies.$inferSelect)[]): Map<string, Record<string, unknown>> {
  return new Map(rows.map(({ hash, body }) => [hash, body]));
}
