import { and, desc, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import type { AccountStore, Read } from "../../kernel/db/account-store.ts";
import {
  agentDocuments,
  agentFaqs,
  agentPlaybooks,
  agents,
  agentTools,
  agentVersions,
  documents,
  faqs,
  playbooks,
  tools,
  type VersionItem,
  versionBodies,
} from "../../kernel/db/schema/index.ts";
import { inOrder } from "../agents/attachment-order.ts";
import { toolsAsRead } from "./as-read.ts";
import {
  type AgentContent,
  type DocumentBody,
  documentBody,
  type FaqBody,
  faqBody,
  fieldsOf,
  type Item,
  type PlaybookBody,
  playbookBody,
  type ToolBody,
  type ToolItem,
  toolBody,
  withFields,
} from "./content.ts";
import { bodiesAt, heldHashes } from "./held-bodies.ts";

/** The number of recently used versions that are compared with an agent's content. */
const RECENT = 20;

type Rows<T> = { [K in keyof T]: T[K] extends Read<infer R> ? R : never };
export type ContentFound = Rows<ReturnType<typeof contentReads>>;
type AgentRow = typeof agents.$inferSelect;

/**
 * Returns the reads of a whole agent for one batch, so that all are from the same moment: the draft, the version in
 * force if it differs, the versions with the numbers `also` (or the last published one), and the recently used
 * versions.
 */
export function contentReads(store: AccountStore, agent_id: string, also: readonly number[] | "published" = []) {
  const isOwn = sql`account = ${store.account} AND agent_id = ${agent_id}`;
  const linked = (column: "faq_id" | "playbook_id" | "tool_name" | "document_id", links: string) =>
    sql`(SELECT ${sql.raw(column)} FROM ${sql.raw(links)} WHERE ${isOwn})`;
  const published = sql`(SELECT published_version FROM agents WHERE account = ${store.account} AND id = ${agent_id}${also === "published" ? sql`` : sql` AND versioning = 'manual'`})`;
  const numbers = sql`(SELECT ${published} UNION ALL SELECT value FROM json_each(${JSON.stringify(also === "published" ? [] : also)}))`;
  const items = (value: SQL, kind = sql``) =>
    sql`SELECT ${value} FROM agent_versions, json_each(items) WHERE ${isOwn} AND number IN ${numbers}${kind}`;
  return [
    store.first(agents, { where: eq(agents.id, agent_id) }),
    store.select(agentTools, { where: eq(agentTools.agent_id, agent_id), orderBy: inOrder.tools }),
    store.select(tools, {
      where: or(
        inArray(tools.name, linked("tool_name", "agent_tools")),
        inArray(tools.id, sql`(${items(sql`value ->> 'id'`, sql` AND value ->> 'kind' = 'tool'`)})`),
      ),
    }),
    store.select(agentPlaybooks, { where: eq(agentPlaybooks.agent_id, agent_id), orderBy: inOrder.playbooks }),
    store.select(playbooks, { where: inArray(playbooks.id, linked("playbook_id", "agent_playbooks")) }),
    store.select(agentFaqs, { where: eq(agentFaqs.agent_id, agent_id), orderBy: inOrder.faqs }),
    store.select(faqs, { where: inArray(faqs.id, linked("faq_id", "agent_faqs")) }),
    store.select(agentVersions, {
      where: and(eq(agentVersions.agent_id, agent_id), sql`${agentVersions.number} IN ${numbers}`),
    }),
    store.select(versionBodies, {
      where: bodiesAt(
        sql`${heldHashes(store.account, eq(sql`agent_id`, agent_id))} UNION ALL ${items(sql`value ->> 'hash'`)}`,
      ),
    }),
    store.select(agentVersions, {
      where: eq(agentVersions.agent_id, agent_id),
      columns: ["number", "hash", "used_at"],
      orderBy: [desc(agentVersions.used_at), desc(agentVersions.number)],
      limit: RECENT,
    }),
    store.select(agentDocuments, { where: eq(agentDocuments.agent_id, agent_id), orderBy: inOrder.documents }),
    store.select(documents, {
      where: or(
        inArray(documents.id, linked("document_id", "agent_documents")),
        inArray(documents.id, sql`(${items(sql`value ->> 'id'`, sql` AND value ->> 'kind' = 'document'`)})`),
      ),
    }),
  ] as const;
}

/** Returns the rows of the existing documents that the agent's contents name. */
export function documentRowsOf([, , , , , , , , , , , documentRows]: ContentFound): ContentFound[11] {
  return documentRows;
}

export interface FoundVersion {
  row: typeof agentVersions.$inferSelect;
  content: AgentContent;
}

/** An agent as it was read: the draft, the requested versions, and what conversations use. */
export interface FoundAgent {
  row: AgentRow;
  draft: AgentContent;
  versions: Map<number, FoundVersion>;
  /** The version in force; null if that is the draft, or if there is none (`isPublished`). */
  inForce: FoundVersion | null;
  /** The tools of the draft, in the form that `isAsRead` compares. */
  tools: string;
  /** The recently used versions, latest first. */
  recent: Pick<typeof agentVersions.$inferSelect, "number" | "hash" | "used_at">[];
}

/** Combines the results of `contentReads`; null if the account has no such agent. */
export function foundAgent(found: ContentFound): FoundAgent | null {
  const [row, toolLinks, toolRows, playbookLinks, playbookRows, faqLinks, faqRows, ...others] = found;
  const [versionRows, bodyRows, recent, documentLinks, documentRows] = others;
  if (!row) return null;
  const bodies = new Map(bodyRows.map(({ hash, body }) => [hash, body]));
  const byName = new Map(toolRows.map((tool) => [tool.name, tool]));
  const byId = <T extends { id: string }>(rows: T[]) => new Map(rows.map((one) => [one.id, one]));
  const [playbooksById, faqsById, documentsById] = [byId(playbookRows), byId(faqRows), byId(documentRows)];
  const held = <B>(hash: string | null, own: B) => ((hash === null ? null : bodies.get(hash)) ?? own) as B;
  const draft: AgentContent = {
    fields: fieldsOf(row),
    tools: toolLinks.flatMap(({ tool_name, enabled, config, body_hash }) => {
      const tool = byName.get(tool_name);
      return tool ? [{ id: tool.id, body: held<ToolBody>(body_hash, toolBody(tool)), enabled, config }] : [];
    }),
    playbooks: playbookLinks.flatMap(({ playbook_id, body_hash }) => {
      const playbook = playbooksById.get(playbook_id);
      return playbook ? [{ id: playbook.id, body: held<PlaybookBody>(body_hash, playbookBody(playbook)) }] : [];
    }),
    faqs: faqLinks.flatMap(({ faq_id, body_hash }) => {
      const faq = faqsById.get(faq_id);
      return faq ? [{ id: faq.id, body: held<FaqBody>(body_hash, faqBody(faq)) }] : [];
    }),
    documents: documentLinks.flatMap(({ document_id, mode }) => {
      const document = documentsById.get(document_id);
      return document ? [{ id: document.id, body: documentBody(document), mode, text: null }] : [];
    }),
  };
  const versions = new Map(
    versionRows.map((version) => {
      const fields = withFields(draft.fields, version.fields);
      // Under the versioning `auto`, refreshed text is live at once.
      const keepsTexts = row.versioning === "manual";
      return [version.number, { row: version, content: contentOf(fields, version.items, bodies, keepsTexts) }];
    }),
  );
  const inForce = row.versioning === "manual" ? (versions.get(row.published_version ?? 0) ?? null) : null;
  return { row, draft, versions, inForce, tools: toolsAsRead(toolLinks, toolRows), recent };
}

/** Returns a version's content, made from its items and their bodies. */
function contentOf(
  fields: AgentContent["fields"],
  items: VersionItem[],
  bodies: Map<string, Record<string, unknown>>,
  keepsTexts: boolean,
): AgentContent {
  const content: AgentContent = { fields, tools: [], playbooks: [], faqs: [], documents: [] };
  for (const { kind, id, hash, settings } of items) {
    const body = bodies.get(hash);
    if (!body) throw new Error(`a version refers to a body that is gone: ${hash}`);
    if (kind === "tool") {
      const { enabled, config } = settings && "config" in settings ? settings : { enabled: true, config: {} };
      content.tools.push({ id, body: body as ToolBody, enabled, config } satisfies ToolItem);
    } else if (kind === "playbook")
      content.playbooks.push({ id, body: body as PlaybookBody } satisfies Item<PlaybookBody>);
    else if (kind === "faq") content.faqs.push({ id, body: body as FaqBody });
    else {
      const mode = settings && "mode" in settings ? settings.mode : "auto";
      const document = body as DocumentBody;
      content.documents.push({ id, body: document, mode, text: keepsTexts ? document.text_sha256 : null });
    }
  }
  return content;
}

/** Checks whether conversations have a content to use. Only an agent with the versioning `manual` may have none. */
export function isPublished({
  versioning,
  published_version,
}: Pick<AgentRow, "versioning" | "published_version">): boolean {
  return versioning === "auto" || published_version !== null;
}
