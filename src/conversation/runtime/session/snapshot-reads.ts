import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { asRead } from "../../../agent/agents/context.ts";
import { disclosureOf } from "../../../agent/disclosure/disclosure.ts";
import { integrationNamed } from "../../../agent/integrations/fields.ts";
import { charsOf, type DocumentsWanted, type KnownDocument } from "../../../agent/knowledge/known-documents.ts";
import { MODEL_INTEGRATIONS } from "../../../agent/models/model-keys.ts";
import { PURE_TOOLS } from "../../../agent/tools/built-in-names.ts";
import type { BindingParty } from "../../../agent/tools/run/bind.ts";
import type { AgentContent } from "../../../agent/versions/content.ts";
import { type ContentFound, contentReads, documentRowsOf } from "../../../agent/versions/content-reads.ts";
import { contextOfContent } from "../../../agent/versions/left-out.ts";
import type { Wanted } from "../../../agent/versions/taken.ts";
import type { AccountStore, Read } from "../../../kernel/db/account-store.ts";
import { agentPrompts, callSettings, integrationInstalls, NO_DISCLOSURE } from "../../../kernel/db/schema/index.ts";
import type { SessionIdentity } from "../../../kernel/http/context.ts";
import { pureTools } from "../built-in/pure-tools.ts";
import type { SessionSnapshot } from "./session.ts";
import { type Install, toolsOf } from "./session-tools.ts";

type Rows<T> = { [K in keyof T]: T[K] extends Read<infer R> ? R : never };
/** The results of `agentReads`. */
export type AgentFound = Rows<ReturnType<typeof agentReads>>;

/** Returns the reads of every session in one batch: its account and its complete agent. */
export function agentReads(store: AccountStore, { agent_id }: Pick<SessionIdentity, "agent_id">, wanted: Wanted) {
  const pin = typeof wanted === "number" ? wanted : null;
  return [
    store.profile(),
    store.select(integrationInstalls),
    store.first(agentPrompts, {
      where: and(eq(agentPrompts.agent_id, agent_id), isPromptOf(store, agent_id, pin)),
      columns: ["id"],
      orderBy: [desc(agentPrompts.version)],
    }),
    store.first(callSettings, { columns: ["recording_announcement", "disclosure"] }),
    ...contentReads(store, agent_id, pin === null ? [] : [pin]),
  ] as const;
}

/** Returns the condition that a prompt belongs to the version with this number; for null, to the version in force. */
function isPromptOf({ account }: AccountStore, agent_id: string, pin: number | null): SQL {
  const published = sql`(SELECT published_version FROM agents WHERE account = ${account} AND id = ${agent_id} AND versioning = 'manual')`;
  const text = sql`(SELECT fields ->> '$.system_prompt' FROM agent_versions WHERE account = ${account} AND agent_id = ${agent_id} AND number = ${pin ?? published})`;
  return sql`${text} IS NOT NULL AND ${agentPrompts.system_prompt} = ${text}`;
}

/** Returns the part of the results that is about the agent itself. */
export function contentFound([, , , , ...found]: AgentFound): ContentFound {
  return found;
}

/** Returns the documents of a version, with the facts that determine whether they are visible. */
export function documentsWanted({ documents }: AgentContent, found: AgentFound, now: number): DocumentsWanted {
  const [{ timezone }] = found;
  return { items: documents, rows: documentRowsOf(contentFound(found)), timezone, now };
}

/**
 * Returns an agent's knowledge and tools as its runtime receives them, in the agent's order: the texts that fit, and
 * the tools that are ready.
 */
export function knowledgeOf(
  content: AgentContent,
  [, installs, , , , , toolRows]: AgentFound,
  { party, documents }: { party: BindingParty; documents: readonly KnownDocument[] },
) {
  const { faqs, playbooks, left_out } = contextOfContent(content, charsOf(documents));
  const existing = new Set(toolRows.map(({ id }) => id));
  // An account's own tool with the name of a built-in one is never used.
  const enabled = content.tools.filter((tool) => tool.enabled && !PURE_TOOLS.includes(tool.body.name));
  const gone = enabled.filter(({ id }) => !existing.has(id));
  const offered = toolsOf(
    enabled.flatMap(({ id, body }) => (existing.has(id) ? [body] : [])),
    installs,
    party,
  );
  const shownFaqs = faqs.map(({ name, title, summary, content: answer }) => ({
    name,
    title,
    summary,
    content: answer,
  }));
  const shownPlaybooks = playbooks
    .map(asRead)
    .map(({ name, display_name, content: steps }) => ({ name, display_name, content: steps }));
  return {
    faqs: shownFaqs,
    playbooks: shownPlaybooks,
    left_out,
    tools: [...offered.tools, ...pureTools(content)],
    unavailable_tools: [
      ...offered.unavailable_tools,
      ...gone.map(({ body }) => ({ name: body.name, reason: "the tool was deleted" })),
    ],
  };
}

/**
 * Returns the disclosure, in the agent's language, before a conversation that is not a call; null for none. The agent's
 * present setting applies.
 */
export function disclosureOutsideCalls(found: AgentFound, language: string): SessionSnapshot["disclosure"] {
  const [{ display_name: account_name }, , , settings, agent] = found;
  const beginning = { agent: agent?.disclosure ?? "account", onCall: false, language, account_name };
  const disclosure = disclosureOf(settings?.disclosure ?? NO_DISCLOSURE, beginning);
  return disclosure && Object.assign({ spoken: false }, disclosure);
}

/** Returns the account's installs of model providers and of the agent's voice, by the catalogue's ids. */
export function makerInstalls([, installs]: AgentFound, voiceProvider: string | null): Record<string, Install> {
  const voice = voiceProvider === null ? undefined : integrationNamed(voiceProvider)?.id;
  const found = installs.filter(
    ({ id, installed_at }) => (id === voice || MODEL_INTEGRATIONS.includes(id)) && installed_at !== null,
  );
  return Object.fromEntries(found.map((install) => [install.id, install]));
}
