import { desc, eq } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { agentVersions } from "../../kernel/db/schema/index.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { contentReads, foundAgent } from "./content-reads.ts";
import { manifestOf } from "./manifest.ts";
import { projectVersion } from "./version-projection.ts";

/**
 * Returns the agent's versions, newest first, in one round trip. If the draft is live and not yet a version, it comes
 * first. @throws ApiError 404
 */
export async function listVersions(
  store: AccountStore,
  id: string,
  { limit, offset }: { limit: number; offset: number },
) {
  const where = eq(agentVersions.agent_id, id);
  const [total, rows, hashes, ...read] = await store.read(
    store.count(agentVersions, where),
    store.select(agentVersions, {
      where,
      columns: ["number", "hash", "note", "created_at", "published_at", "published_by"],
      orderBy: [desc(agentVersions.number)],
      limit: limit + 1,
      offset: Math.max(0, offset - 1),
    }),
    store.select(agentVersions, { where, columns: ["number", "hash"] }),
    ...contentReads(store, id),
  );
  const found = foundAgent(read);
  if (!found) throw notFound("agent");
  const { row, draft, inForce } = found;
  if (row.versioning === "manual") {
    const page = offset === 0 ? rows.slice(0, limit) : rows.slice(1);
    return { versions: page.map((version) => projectVersion(version, version.number === inForce?.row.number)), total };
  }
  const { hash } = await manifestOf(draft);
  const isUsed = hashes.some((version) => version.hash === hash);
  const shown = rows.map((version) => projectVersion(version, version.hash === hash));
  if (isUsed) return { versions: offset === 0 ? shown.slice(0, limit) : shown.slice(1), total };
  const unused = {
    number: null,
    hash,
    note: null,
    created_at: null,
    published_at: null,
    published_by: null,
    live: true,
  };
  return { versions: offset === 0 ? [unused, ...shown.slice(0, limit - 1)] : shown.slice(0, limit), total: total + 1 };
}
