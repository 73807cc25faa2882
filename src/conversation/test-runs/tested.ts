import type { AgentContent } from "../../agent/versions/content.ts";
import { foundAgent } from "../../agent/versions/content-reads.ts";
import { findAgent } from "../../agent/versions/find-version.ts";
import { manifestOf } from "../../agent/versions/manifest.ts";
import { isFresh, knownVersion, noteUse, useVersion } from "../../agent/versions/record-version.ts";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { type AgentFound, agentReads, contentFound } from "../runtime/session/snapshot-reads.ts";
import type { RunPlan } from "./plan.ts";

/** What a run tests: the content of a version, and what was read with it. */
export interface Tested {
  content: AgentContent;
  found: AgentFound;
}

/** The content of the version that a run tests, whole; or which of both is gone. */
export async function testedContent(
  store: AccountStore,
  { agent_id, version }: Pick<RunPlan, "agent_id" | "version">,
): Promise<Tested | "agent_deleted" | "version_gone"> {
  const found = await store.read(...agentReads(store, { agent_id }, version));
  const agent = foundAgent(contentFound(found));
  if (!agent) return "agent_deleted";
  const content = agent.versions.get(version)?.content;
  return content ? { content, found } : "version_gone";
}

interface ToTest {
  agent_id: string;
  /** Null for the agent as it is now. */
  version: number | null;
  created_by: string;
  /** ms */
  now: number;
  /** Refuses a content that the caller may not test so. */
  assertMayTest(content: AgentContent): void;
}

/**
 * The version that a run is to test, whose use this is: the one of the number, or what is saved, which becomes one with
 * that. @throws ApiError 404, and whatever `assertMayTest` throws
 */
export async function versionToTest(
  store: AccountStore,
  { agent_id, version, created_by, now, assertMayTest }: ToTest,
): Promise<{ number: number; hash: string; llm_model: string }> {
  const found = await findAgent(store, agent_id, version === null ? [] : [version]);
  if (version !== null) {
    const tested = found.versions.get(version);
    if (!tested) throw notFound("agent version");
    assertMayTest(tested.content);
    if (!isFresh(tested.row, now)) await noteUse(store, { agent_id, number: version }, now);
    const { number, hash } = tested.row;
    return { number, hash, llm_model: tested.content.fields.llm_model };
  }
  assertMayTest(found.draft);
  const manifest = await manifestOf(found.draft);
  const { hash } = manifest;
  const number = knownVersion(found, hash, now) ?? (await useVersion({ store, created_by, now }, agent_id, manifest));
  if (number === null) throw notFound("agent");
  return { number, hash, llm_model: found.draft.fields.llm_model };
}
