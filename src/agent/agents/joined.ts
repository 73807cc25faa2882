import { asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type AccountStore, type Read, subject, type Write } from "../../kernel/db/account-store.ts";
import type { ChangeEntry } from "../../kernel/db/audited.ts";
import { all } from "../../kernel/db/conditions.ts";
import {
  agentDocuments,
  agentFaqs,
  agentPlaybooks,
  agents,
  agentTools,
  documents,
  faqs,
  integrationInstalls,
  playbooks,
  tools,
  versionBodies,
} from "../../kernel/db/schema/index.ts";
import { inTurn, isAmong, MOST_READ_BYTES, piecesOf } from "../../kernel/db/wide-rows.ts";
import { notFound } from "../../kernel/http/errors.ts";
import type { InServiceRead } from "../../kernel/http/in-service.ts";
import { agentBytes, heldBytes, textsOf } from "../attached-texts.ts";
import type { Installed } from "../integrations/readiness.ts";
import { statesOf } from "../knowledge/states.ts";
import { type RuntimeSettings, readinessOfTool } from "../tools/readiness.ts";
import { asHeld, bodiesAt, byHash, heldHashes } from "../versions/held-bodies.ts";
import { inOrder } from "./attachment-order.ts";
import { contextOf } from "./context.ts";

type AgentRow = typeof agents.$inferSelect;
type Tool = Pick<typeof tools.$inferSelect, "name" | "display_name" | "implementation_type" | "implementation_config">;

/** The maximum number of attachments of a kind that are read at once for a list of agents. */
const MOST_LINKS = 20_000;

interface AgentPage {
  where?: SQL;
  orderBy?: SQL[];
}

export interface AgentReader {
  env: RuntimeSettings & Pick<Env, "KNOWLEDGE_BASE">;
  store: AccountStore;
  inService: InServiceRead;
}

/**
 * Returns the reads that show agents with their attachments, for one round trip. The tables are read separately, so
 * that each FAQ, playbook and tool is read once however many agents use it; `join` combines them. If `isRead` is given,
 * the rows with long texts are only read if it holds, and only so many attachments.
 */
function agentReads({ store, inService }: Omit<AgentReader, "env">, { isRead, ...page }: AgentPage & { isRead?: SQL }) {
  const ids = page.where && sql`SELECT id FROM agents WHERE account = ${store.account} AND ${page.where}`;
  const chosen = ids && sql`(${ids})`;
  const of = <T extends typeof agentFaqs | typeof agentPlaybooks | typeof agentTools | typeof agentDocuments>(
    links: T,
  ) => (chosen ? inArray(links.agent_id, chosen) : undefined);
  const linked = (
    links: "agent_faqs" | "agent_playbooks" | "agent_tools" | "agent_documents",
    column: "faq_id" | "playbook_id" | "tool_name" | "document_id",
  ) =>
    sql`(SELECT ${sql.raw(column)} FROM ${sql.raw(links)} WHERE account = ${store.account}${chosen ? sql` AND agent_id IN ${chosen}` : sql``})`;
  const areHeldFew = sql`${heldBytes(store.account)} <= ${MOST_READ_BYTES}`;
  const few = isRead ? { limit: MOST_LINKS } : {};
  return [
    store.select(agents, Object.assign({}, page, { where: all(isRead, page.where) })),
    store.select(agentFaqs, {
      ...few,
      where: of(agentFaqs),
      orderBy: [asc(agentFaqs.agent_id), ...inOrder.faqs],
    }),
    store.select(faqs, { where: all(isRead, inArray(faqs.id, linked("agent_faqs", "faq_id"))) }),
    store.select(agentPlaybooks, {
      ...few,
      where: of(agentPlaybooks),
      orderBy: [asc(agentPlaybooks.agent_id), ...inOrder.playbooks],
    }),
    store.select(playbooks, { where: all(isRead, inArray(playbooks.id, linked("agent_playbooks", "playbook_id"))) }),
    store.select(agentTools, {
      ...few,
      where: of(agentTools),
      columns: ["agent_id", "tool_name", "enabled", "body_hash"],
      orderBy: [asc(agentTools.agent_id), ...inOrder.tools],
    }),
    store.select(tools, {
      where: all(isRead, inArray(tools.name, linked("agent_tools", "tool_name"))),
      columns: ["name", "display_name", "implementation_type", "implementation_config"],
    }),
    installReads(store),
    store.select(versionBodies, {
      where: all(
        isRead,
        isRead && areHeldFew,
        bodiesAt(heldHashes(store.account, chosen ? sql`agent_id IN ${chosen}` : undefined)),
      ),
    }),
    inService(ids),
    store.select(agentDocuments, {
      ...few,
      where: of(agentDocuments),
      orderBy: [asc(agentDocuments.agent_id), ...inOrder.documents],
    }),
    store.select(documents, {
      where: inArray(documents.id, linked("agent_documents", "document_id")),
      columns: ["id", "title"],
    }),
  ] as const;
}

/** Returns a read of the installs, which determine which tools are ready. */
export function installReads(store: AccountStore): Read<Installed[]> {
  return store.select(integrationInstalls, { columns: ["id", "installed_at", "params", "secret_names"] });
}

type Rows<T> = { [K in keyof T]: T[K] extends Read<infer R> ? R : never };

/** Combines the results of `agentReads` into agents. */
function join({ env }: Pick<AgentReader, "env">, found: Rows<ReturnType<typeof agentReads>>) {
  const [rows, faqLinks, faqRows, playbookLinks, playbookRows, ...others] = found;
  const [toolLinks, toolRows, installs, bodyRows, inServiceOf, documentLinks, documentRows] = others;
  const documentsById = new Map(documentRows.map((document) => [document.id, document]));
  const documentsOf = group(documentLinks, ({ document_id, mode }) => {
    const document = documentsById.get(document_id);
    return document && { document_id, title: document.title, mode };
  });
  const bodies = byHash(bodyRows);
  const faqOf = byId(faqRows, ({ faq_id }: (typeof faqLinks)[number]) => faq_id, bodies);
  const playbookOf = byId(playbookRows, ({ playbook_id }: (typeof playbookLinks)[number]) => playbook_id, bodies);
  const faqsOf = group(faqLinks, faqOf);
  const playbooksOf = group(playbookLinks, playbookOf);
  const byName = new Map(toolRows.map((tool) => [tool.name, tool]));
  const states = new Map(toolRows.map((tool) => [tool.name, stateOf(tool, installs, env)]));
  const toolsOf = group(toolLinks, ({ tool_name, enabled, body_hash }) => {
    const [tool, state] = [byName.get(tool_name), states.get(tool_name)];
    if (!tool || !state) return undefined;
    const shown = body_hash === null ? state : stateOf(asHeld(tool, body_hash, bodies), installs, env);
    return { tool_name, enabled, ...shown };
  });
  return rows.map((row) => {
    const attached = { faqs: faqsOf.get(row.id) ?? [], playbooks: playbooksOf.get(row.id) ?? [] };
    const { left_out } = contextOf(attached);
    const tools = toolsOf.get(row.id) ?? [];
    const knowledge = documentsOf.get(row.id) ?? [];
    return Object.assign({}, row, attached, { left_out, tools, knowledge, in_service: inServiceOf(row.id) });
  });
}

async function withStatuses({ env, store }: AgentReader, agents: ReturnType<typeof join>) {
  const ids = agents.flatMap(({ knowledge }) => knowledge.map(({ document_id }) => document_id));
  const stateOf = await statesOf(env, store.account, ids);
  return agents.map((agent) => {
    const knowledge = agent.knowledge.map((document) =>
      Object.assign({}, document, { status: stateOf(document.document_id).status }),
    );
    return Object.assign(agent, { knowledge });
  });
}

/** Returns agents with their attachments, in one round trip, or two if any agent has documents. */
export async function joinedAgents(reader: AgentReader, page: AgentPage) {
  return withStatuses(reader, join(reader, await reader.store.read(...agentReads(reader, page))));
}

/**
 * Returns agents with their attachments as `joinedAgents` does. If their texts are too large to be read at once, they
 * come in pieces that are read one after the other.
 */
export async function listedAgents(reader: AgentReader, page: AgentPage) {
  const { store } = reader;
  const isRead = sql`${textsOf(store.account)} <= ${MOST_READ_BYTES}`;
  const [n, ...found] = await store.read(store.count(agents, page.where), ...agentReads(reader, { ...page, isRead }));
  const [rows, faqLinks, , playbookLinks, , toolLinks, , , bodies, , documentLinks] = found;
  const known = byHash(bodies);
  const isWhole =
    [faqLinks, playbookLinks, toolLinks, documentLinks].every(({ length }) => length < MOST_LINKS) &&
    [faqLinks, playbookLinks, toolLinks].flat().every(({ body_hash }) => body_hash === null || known.has(body_hash));
  if (n === 0 || (rows.length > 0 && isWhole)) return withStatuses(reader, join(reader, found));
  const [sizes] = await store.read(
    store.values(agents, { id: agents.id, bytes: agentBytes(store.account) }, page.where, page.orderBy),
  );
  return inTurn(piecesOf(sizes), (ids) =>
    joinedAgents(reader, Object.assign({}, page, { where: isAmong(agents.id, ids) })),
  );
}

/** Changes an agent and returns it as it is afterwards, in one round trip. @throws ApiError 404 */
export async function changeAgent(
  reader: AgentReader,
  entry: ChangeEntry,
  change: Write<unknown[]>,
  before?: Write<unknown>[],
) {
  return (await tryChange(reader, entry, change, before)).agent;
}

/**
 * Changes an agent after other writes of the same transaction. Returns whether a row changed and the agent as it is
 * afterwards, in one round trip. @throws ApiError 404
 */
export async function tryChange(
  reader: AgentReader,
  entry: ChangeEntry,
  change: Write<unknown[]>,
  before: Write<unknown>[] = [],
) {
  const reads = agentReads(reader, { where: eq(agents.id, entry.resource_id) });
  const [first = subject(change), ...rest] = [...before, subject(change)];
  const results = await reader.store.write(entry, first, ...rest, ...reads);
  const joined = join(reader, results.slice(1 + before.length) as unknown as Rows<typeof reads>);
  const [agent] = await withStatuses(reader, joined);
  if (!agent) throw notFound("agent");
  const changed = results[before.length] as unknown[];
  return { agent, isChanged: changed.length > 0 };
}

/** Returns one agent with its attachments. @throws ApiError 404 */
export async function joinedAgent(reader: AgentReader, id: string) {
  const [agent] = await joinedAgents(reader, { where: eq(agents.id, id) });
  if (!agent) throw notFound("agent");
  return agent;
}

/** Returns an agent's row without attachments. @throws ApiError 404 */
export async function agentRow(store: AccountStore, id: string): Promise<AgentRow> {
  const [row] = await store.read(store.first(agents, { where: eq(agents.id, id) }));
  if (!row) throw notFound("agent");
  return row;
}

/** Groups the rows that each agent is linked to, in the order of the links. */
function group<L extends { agent_id: string }, T>(links: L[], target: (link: L) => T | undefined) {
  const groups = new Map<string, T[]>();
  for (const link of links) {
    const found = target(link);
    if (found === undefined) continue;
    const of = groups.get(link.agent_id);
    if (of) of.push(found);
    else groups.set(link.agent_id, [found]);
  }
  return groups;
}

/** Returns a function that finds the row of a link, with the text that the agent uses. */
function byId<L extends { body_hash: string | null }, T extends { id: string }>(
  rows: T[],
  id: (link: L) => string,
  bodies: ReadonlyMap<string, Record<string, unknown>>,
) {
  const found = new Map(rows.map((row) => [row.id, row]));
  return (link: L) => {
    const row = found.get(id(link));
    return row && asHeld(row, link.body_hash, bodies);
  };
}

/** Returns a tool in the form in which an agent's tools are shown. */
function stateOf(tool: Tool, installs: Installed[], env: RuntimeSettings) {
  return { display_name: tool.display_name, ...readinessOfTool(tool, installs, env) };
}
