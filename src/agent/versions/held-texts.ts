import { sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { versionBodies } from "../../kernel/db/schema/index.ts";
import { isHeld } from "./record-version.ts";

/**
 * Returns the SHA-256 of each text of these documents that must be kept: a version of an agent with the versioning
 * `manual` refers to it, and is in force or pinned by a campaign.
 */
export async function heldTexts(store: AccountStore, documents: readonly string[]): Promise<Set<string>> {
  if (documents.length === 0) return new Set();
  const { account } = store;
  const isManual = sql`EXISTS (SELECT 1 FROM agents WHERE account = ${account} AND id = v.agent_id AND versioning = 'manual')`;
  const hashes = sql`SELECT value ->> 'hash' FROM agent_versions AS v, json_each(items)
    WHERE v.account = ${account} AND value ->> 'kind' = 'document'
    AND value ->> 'id' IN (SELECT value FROM json_each(${JSON.stringify(documents)})) AND ${isManual} AND ${isHeld(account)}`;
  const [bodies] = await store.read(
    store.select(versionBodies, { where: sql`${versionBodies.hash} IN (${hashes})`, columns: ["body"] }),
  );
  return new Set(bodies.flatMap(({ body }) => (typeof body.text_sha256 === "string" ? [body.text_sha256] : [])));
}
