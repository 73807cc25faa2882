import type { agentVersions } from "../../kernel/db/schema/index.ts";
import { playbookMarkdown } from "../playbooks/markdown.ts";
import { projectTool } from "../tools/effect.ts";
import type { AgentContent } from "./content.ts";
import { contextOfContent } from "./left-out.ts";

type Row = Pick<
  typeof agentVersions.$inferSelect,
  "number" | "hash" | "note" | "created_at" | "published_at" | "published_by"
>;

/** Returns a version in the form that lists show. */
export function projectVersion({ number, hash, note, created_at, published_at, published_by }: Row, live: boolean) {
  return { number, hash, note, created_at, published_at, published_by, live };
}

export function projectContent(content: AgentContent) {
  const { fields, tools, playbooks, faqs, documents } = content;
  const { left_out } = contextOfContent(content);
  return Object.assign({}, fields, {
    left_out,
    tools: tools.map(({ id, enabled, config, body }) => Object.assign(projectTool(body), { id, enabled, config })),
    playbooks: playbooks.map(({ id, body }) => Object.assign({}, body, { id, content: playbookMarkdown(body) })),
    faqs: faqs.map(({ id, body }) => Object.assign({}, body, { id })),
    knowledge: documents.map(({ id, body, mode }) => ({
      document_id: id,
      title: body.title,
      sha256: body.sha256,
      text_sha256: body.text_sha256,
      mode,
    })),
  });
}
