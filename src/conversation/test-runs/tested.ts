import type { AccountStore } from "../../kernel/db/account-store.ts";
import { canonicalJson } from "../../kernel/http/canonical-json.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { sha256Hex } from "../../kernel/secrets/hashing.ts";
import { type AgentFound, agentReads } from "../runtime/session/snapshot-reads.ts";
import type { RunPlan } from "./plan.ts";

/** The content that a run tests, as it was read. */
export type Tested = AgentFound;

/** The content of the version that a run tests; null where the agent or the version is gone. */
export async function testedContent(store: AccountStore, { agent_id }: RunPlan): Promise<Tested | null> {
  const found = await store.read(...agentReads(store, { agent_id }));
  const [, agent] = found;
  return agent ? found : null;
}

/** The version that a run is to test. @throws ApiError 404 */
export async function versionToTest(
  store: AccountStore,
  { agent_id }: { agent_id: string; version: number | null; now: number },
): Promise<{ number: number; hash: string }> {
  const found = await store.read(...agentReads(store, { agent_id }));
  if (!found[1]) throw notFound("agent");
  return { number: 1, hash: await sha256Hex(canonicalJson(JSON.parse(JSON.stringify(found)))) };
}
