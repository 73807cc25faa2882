import { asc, eq, sql } from "drizzle-orm";
import type { AccountStore, Write } from "../../kernel/db/account-store.ts";
import { agentDocuments, agentFaqs, agentPlaybooks, agentTools } from "../../kernel/db/schema/index.ts";
import { invalidField } from "../../kernel/http/errors.ts";

const { tool_name } = agentTools;
const { playbook_id } = agentPlaybooks;
const { faq_id } = agentFaqs;

/** The order of an agent's attachments: by position, then tools by name and the others by when they were attached. */
export const inOrder = {
  tools: [asc(agentTools.position), asc(tool_name)],
  playbooks: [asc(agentPlaybooks.position), asc(agentPlaybooks.created_at), asc(playbook_id)],
  faqs: [asc(agentFaqs.position), asc(agentFaqs.created_at), asc(faq_id)],
  documents: [asc(agentDocuments.created_at), asc(agentDocuments.document_id)],
};

/** The names that order each kind: the names of tools, and the ids of playbooks and FAQs. */
type Names = Record<"tools" | "playbooks" | "faqs", string[]>;
/** The first attachments of each kind. An omitted kind keeps its order. */
type Order = { [K in keyof Names]?: Names[K] | undefined };

export function attachedReads(store: AccountStore, agentId: string) {
  return [
    store.select(agentTools, { where: eq(agentTools.agent_id, agentId), columns: ["tool_name"] }),
    store.select(agentPlaybooks, { where: eq(agentPlaybooks.agent_id, agentId), columns: ["playbook_id"] }),
    store.select(agentFaqs, { where: eq(agentFaqs.agent_id, agentId), columns: ["faq_id"] }),
  ] as const;
}

/** Checks that everything named is attached. @throws ApiError 400 that names the first missing one */
export function assertAttached(order: Order, attached: Names): void {
  for (const kind of ["tools", "playbooks", "faqs"] as const) {
    const index = order[kind]?.findIndex((name) => !attached[kind].includes(name)) ?? -1;
    if (index < 0) continue;
    const message = `the agent does not have ${order[kind]?.[index]}`;
    throw invalidField(`${kind}.${index}`, "not_attached", message, message);
  }
}

/** Returns writes that give the named attachments their positions and clear those of all others of the same kind. */
export function orderWrites(store: AccountStore, agentId: string, { tools, playbooks, faqs }: Order): Write<unknown>[] {
  const positionsIn = (names: string[], name: typeof tool_name | typeof playbook_id | typeof faq_id) => ({
    position: sql`coalesce((SELECT key - ${names.length} FROM json_each(${JSON.stringify(names)}) WHERE value = ${name}), 0)`,
  });
  return [
    tools && store.update(agentTools, positionsIn(tools, tool_name), eq(agentTools.agent_id, agentId)),
    playbooks &&
      store.update(agentPlaybooks, positionsIn(playbooks, playbook_id), eq(agentPlaybooks.agent_id, agentId)),
    faqs && store.update(agentFaqs, positionsIn(faqs, faq_id), eq(agentFaqs.agent_id, agentId)),
  ].filter((write) => write !== undefined);
}
