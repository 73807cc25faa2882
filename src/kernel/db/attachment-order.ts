import { asc } from "drizzle-orm";
import { agentFaqs, agentPlaybooks, agentTools } from "./schema/index.ts";

/** The order of what one agent has of each kind: by its place, then tools by name and all else as it was attached. */
export const inOrder = {
  tools: [asc(agentTools.position), asc(agentTools.tool_name)],
  playbooks: [asc(agentPlaybooks.position), asc(agentPlaybooks.created_at), asc(agentPlaybooks.playbook_id)],
  faqs: [asc(agentFaqs.position), asc(agentFaqs.created_at), asc(agentFaqs.faq_id)],
};
