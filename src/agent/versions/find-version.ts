import { eq } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { agents, agentVersions } from "../../kernel/db/schema/index.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { contentReads, type FoundAgent, foundAgent, isPublished } from "./content-reads.ts";
import { PUBLISHED_COLUMNS } from "./in-force.ts";
import { notPublished } from "./taken.ts";

/**
 * Returns the agent with its draft, the version in force, and the versions with these numbers (or the one published
 * last), in one round trip. @throws ApiError 404
 */
export async function findAgent(
  store: AccountStore,
  id: string,
  also: readonly number[] | "published" = [],
): Promise<FoundAgent> {
  const found = foundAgent(await store.read(...contentReads(store, id, also)));
  if (!found) throw notFound("agent");
  return found;
}

export function versionRead(store: AccountStore, agent_id: string, number: number) {
  const isIt = all(eq(agentVersions.agent_id, agent_id), eq(agentVersions.number, number));
  return store.first(agentVersions, { where: isIt, columns: ["number"] });
}

/**
 * Checks, in one round trip, that the agent has this version and it can be used.
 * @throws ApiError 404, 409 `not_published`
 */
export async function assertVersion(store: AccountStore, agent_id: string, version: "live" | number): Promise<void> {
  const [agent, row] = await store.read(
    store.first(agents, { where: eq(agents.id, agent_id), columns: [...PUBLISHED_COLUMNS] }),
    versionRead(store, agent_id, version === "live" ? 0 : version),
  );
  if (!agent) throw notFound("agent");
  if (version === "live" && !isPublished(agent)) throw notPublished();
  if (version !== "live" && !row) throw notFound("agent version");
}
