import { type KnownDocument, knownDocuments } from "../../agent/knowledge/known-documents.ts";
import type { NamedPair } from "../../agent/models/model-pair.ts";
import type { AgentContent } from "../../agent/versions/content.ts";
import { foundAgent } from "../../agent/versions/content-reads.ts";
import { findAgent } from "../../agent/versions/find-version.ts";
import { manifestOf } from "../../agent/versions/manifest.ts";
import { narrowerTool } from "../../agent/versions/narrower.ts";
import { isFresh, knownVersion, noteUse, useVersion } from "../../agent/versions/record-version.ts";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { type AgentFound, agentReads, contentFound, documentsWanted } from "../runtime/session/snapshot-reads.ts";
import type { RunPlan } from "./plan.ts";

/** What a run tests: a version's content, and what was read with it. */
export interface Tested {
  content: AgentContent;
  found: AgentFound;
  documents: KnownDocument[];
}

/**
 * Returns the complete content of the version that a run tests, or whether the agent or the version was deleted. The
 * tools that may actually run are limited to the version in force, as in conversations with other versions.
 */
export async function testedContent(
  { env, store, now }: { env: Pick<Env, "KNOWLEDGE_BASE">; store: AccountStore; now: number },
  { agent_id, version, is_saved, allow_tools }: Pick<RunPlan, "agent_id" | "version" | "is_saved" | "allow_tools">,
): Promise<Tested | "agent_deleted" | "version_gone"> {
  const found = await store.read(...agentReads(store, { agent_id }, version));
  const agent = foundAgent(contentFound(found));
  if (!agent) return "agent_deleted";
  const content = agent.versions.get(version)?.content;
  if (!content) return "version_gone";
  const wanted = documentsWanted(content, found, now);
  const documents = await knownDocuments({ env, account: store.account }, wanted);
  if (is_saved || allow_tools.length === 0) return { content, found, documents };
  const inForce = agent.inForce?.content ?? agent.draft;
  const tools = content.tools.map((tool) => {
    const other = allow_tools.includes(tool.body.name) && inForce.tools.find(({ id }) => id === tool.id);
    return other ? Object.assign({}, tool, { body: narrowerTool(tool.body, other.body) }) : tool;
  });
  return { content: Object.assign({}, content, { tools }), found, documents };
}

/** The version of an agent to test, and who requests it. */
interface ToTest {
  agent_id: string;
  /** Null for the draft. */
  version: number | null;
  created_by: string;
  /** Milliseconds. */
  now: number;
  /** Throws if the caller may not test the content. */
  mayTest(content: AgentContent): void;
}

/**
 * Returns the version that a run tests, and records its use: the one with the number, or the draft, which becomes a
 * version. @throws ApiError 403, 404
 */
export async function versionToTest(
  store: AccountStore,
  { agent_id, version, created_by, now, mayTest }: ToTest,
): Promise<{ number: number; hash: string } & NamedPair> {
  const found = await findAgent(store, agent_id, version === null ? [] : [version]);
  if (version !== null) {
    const stored = found.versions.get(version);
    if (!stored) throw notFound("agent version");
    mayTest(stored.content);
    if (!isFresh(stored.row, now)) await noteUse(store, { agent_id, number: version }, now);
    const { number, hash } = stored.row;
    return Object.assign({ number, hash }, modelsOf(stored.content));
  }
  mayTest(found.draft);
  const manifest = await manifestOf(found.draft);
  const { hash } = manifest;
  const number = knownVersion(found, hash, now) ?? (await useVersion({ store, created_by, now }, agent_id, manifest));
  if (number === null) throw notFound("agent");
  return Object.assign({ number, hash }, modelsOf(found.draft));
}

/** Returns the models of a version. Older versions have no fallback model. */
function modelsOf({ fields: { llm_model, fallback_model = null } }: AgentContent): NamedPair {
  return { llm_model, fallback_model };
}
