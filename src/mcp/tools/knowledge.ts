import { z } from "zod";
import { id, limit, looking, type Tool } from "../tool.ts";

const passage = z.object({
  document_id: z.string().nullable(),
  faq_id: z.string().nullable(),
  playbook_id: z.string().nullable(),
  title: z.string(),
  heading: z.string(),
  text: z.string(),
});

const searchKnowledge = looking(
  {
    name: "search_knowledge",
    title: "Search what agents know",
    description:
      "Finds passages of the account's documents by words, best first; with an agent's id, what that agent finds in its documents, FAQs and playbooks.",
    scopes: ["read"],
    input: z.strictObject({
      query: z.string().min(1).max(300).describe("Words to look for, in any language."),
      agent_id: id("The agent whose knowledge is searched; left out for all documents.").optional(),
      limit: limit(20),
    }),
    output: z.object({ results: z.array(passage) }),
  },
  async ({ api }, { query, agent_id, limit: most }) =>
    api.send("POST", "/api/v1/knowledge/search", z.object({ results: z.array(passage) }), {
      body: { query, agent_id, limit: most },
    }),
);

export const knowledgeTools: readonly Tool[] = [searchKnowledge];
