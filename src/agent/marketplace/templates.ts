import { sha256Hex } from "../../kernel/secrets/hashing.ts";
import { CATALOG } from "../catalog/index.ts";
import type { ShippedTemplate } from "../catalog/types.ts";
import type { TemplateRecord } from "./contract.ts";

const published = [...CATALOG.templates].sort((a, b) => inOrder(a.name, b.name));
const playbooks = new Map(CATALOG.playbooks.map((playbook) => [playbook.name, playbook]));
const tools = new Map(CATALOG.tools.map((tool) => [tool.name, tool]));

/** Returns the templates of a category whose name or description contains the text, ignoring case. */
export function findTemplates(category: string | undefined, search: string | undefined): ShippedTemplate[] {
  const text = search?.toLowerCase() ?? "";
  return published.filter(
    (template) =>
      (category === undefined || template.category === category) &&
      (template.name.toLowerCase().includes(text) || template.description.toLowerCase().includes(text)),
  );
}

export function templateById(id: string): ShippedTemplate | undefined {
  return published.find((template) => template.id === id.toLowerCase());
}

/** Returns the categories that have templates, with the number of templates in each. */
export function templateCategories(): { category: string; count: number }[] {
  const groups = Map.groupBy(published, ({ category }) => category);
  return [...groups]
    .map(([category, { length: count }]) => ({ category, count }))
    .sort((a, b) => inOrder(a.category, b.category));
}

/** Returns the full record of a template with the items it names and its counts. */
export async function templateRecord(template: ShippedTemplate): Promise<TemplateRecord> {
  const [playbookList, toolList] = await Promise.all([
    Promise.all(
      template.playbooks
        .flatMap((name) => playbooks.get(name) ?? [])
        .map(async (playbook) => ({
          ...playbook,
          playbook_id: await shippedId("playbook", playbook.name),
        })),
    ),
    Promise.all(
      template.tools
        .flatMap((name) => tools.get(name) ?? [])
        .map(async (tool) => ({ ...tool, id: await shippedId("tool", tool.name) })),
    ),
  ]);
  return {
    ...template,
    kb_count: template.knowledge_items.length,
    tool_count: toolList.length,
    playbooks: playbookList,
    tools: toolList,
    tests: template.tests.map(({ name }) => name),
  };
}

/**
 * Returns the id of a shipped item, independent of any account. It is derived from the name, so it never changes (RFC
 * 9562, version 8).
 */
async function shippedId(kind: "playbook" | "tool", name: string): Promise<string> {
  const hex = await sha256Hex(`switchboard/${kind}/${name}`);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Compares ASCII names. An Intl.Collator would delay the start of each isolate by milliseconds. */
function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
