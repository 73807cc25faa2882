/** Lists the documents with their titles in the order of the navigation. */
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Document, renderMarkdown } from "./markdown.ts";

export interface Page extends Document {
  /** The path where it is served: the file's path without its extension. */
  path: string;
  /** Its section in the navigation; documents not named below come last, by name. */
  section: Section;
  /** The name below /docs/. */
  name: string;
  markdown: string;
}

export type Section = "Guides" | "In depth";

/** The order in which a newcomer reads them. */
const ORDER = [
  "guides/console-agent",
  "guides/console-widget",
  "guides/console-campaign",
  "guides/first-agent",
  "guides/first-call",
  "guides/campaign",
  "guides/widget",
  "guides/own-runtime",
  "guides/retrying",
  "guides/webhooks",
  "guides/assistant",
  "guides/cli",
  "guides/sdk",
  "sandbox",
  "scripted-agent",
  "tools",
  "widget",
  "widget-frames",
  "budgets",
  "versions",
  "events",
  "webhooks",
  "runtime",
  "carrier-streams",
  "runtime-check",
];

/** Documents for contributors, which the site does not serve. */
const FOR_CONTRIBUTORS = ["glossary", "spec"];

/** Reads every document of the folder and of its folder `guides`. */
export async function readPages(folder: string): Promise<Page[]> {
  const names = [
    ...(await markdownIn(folder)).filter((name) => !FOR_CONTRIBUTORS.includes(name)),
    ...(await markdownIn(join(folder, "guides"))).map((n) => `guides/${n}`),
  ];
  const pages = await Promise.all(
    names.map(async (name): Promise<Page> => {
      const markdown = await readFile(join(folder, `${name}.md`), "utf8");
      const document = renderMarkdown(markdown);
      return Object.assign(document, { path: `/docs/${name}`, section: sectionOf(name), name, markdown });
    }),
  );
  return pages.sort((a, b) => orderOf(a) - orderOf(b) || a.path.localeCompare(b.path));
}

async function markdownIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith(".md")).map((file) => basename(file, ".md"));
}

const sectionOf = (name: string): Section => (name.startsWith("guides/") ? "Guides" : "In depth");

function orderOf({ path }: Page): number {
  const index = ORDER.indexOf(path.slice("/docs/".length));
  return index === -1 ? ORDER.length : index;
}
