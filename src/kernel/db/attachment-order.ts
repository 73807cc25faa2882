import { asc } from "drizzle-orm";
import { agentFaqs, agentPlaybooks, agentTools } from "./schema/index.ts";

/**
 * The order of an agent's attachments of each kind: by position, then tools by name and the others by when they were
 * attached.
 */
export const inOrder = {
  tools: [asc(agentTools.position), asc(agentTools.tool_name)],
  playbooks: [asc(agentPlaybooks.position), asc(agentPlaybooks.created_at), asc(agentPlaybooks.playbook_id)],
  faqs: [asc(agentFaqs.position), asc(agentFaqs.created_at), asc(agentFaqs.faq_id)],
};
