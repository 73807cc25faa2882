import { access, glob, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";
import { renderMarkdown } from "../../../src/dev/guides/markdown.ts";
import { readPages } from "../../../src/dev/guides/pages.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** The documents that people read in the repository. */
const DOCUMENTS = ["*.md", "docs/**/*.md", "examples/*/*.md", "packages/*/*.md"];
/** Matches a file or folder of the source in backticks, without a line number or a placeholder. */
const SOURCE = /`((?:src|test|docs|examples|packages|migrations|\.ci|\.github)\/[\w./-]+)`/g;

const exists = (path: string) =>
  access(join(ROOT, path)).then(
    () => true,
    () => false,
  );

const sources = new Map<string, string>();
for await (const file of glob(DOCUMENTS, { cwd: ROOT })) sources.set(file, await readFile(join(ROOT, file), "utf8"));

/** Returns a document without its blocks of code, which may contain links of other sites. */
const prose = (source: string) => source.replace(/^```[\s\S]*?^```$/gm, "");

it("the documents link only to files and sections that exist", async () => {
  expect(sources.size).toBeGreaterThan(30);
  const broken: string[] = [];
  for (const [file, source] of sources) {
    for (const [, href = ""] of prose(source).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(https?:|mailto:|\/)/.test(href)) continue;
      const [path = "", section] = href.split("#");
      const target = path === "" ? file : relative(ROOT, join(ROOT, dirname(file), path));
      const text = sources.get(target);
      const found = section === undefined || text === undefined || sectionsOf(text).includes(section);
      if (!(await exists(target)) || !found) broken.push(`${file}: ${href}`);
    }
  }
  expect(broken).toEqual([]);
});

it("the documents name only source files that exist", async () => {
  const missing: string[] = [];
  for (const [file, source] of sources) {
    // The change log describes the past.
    if (file === "CHANGELOG.md") continue;
    for (const [, path = ""] of prose(source).matchAll(SOURCE)) {
      if (!(await exists(path))) missing.push(`${file}: ${path}`);
    }
  }
  expect(missing).toEqual([]);
});

it("the index of decisions lists every decision", async () => {
  const index = sources.get("docs/decisions/README.md") ?? "";
  const pages = [...sources.keys()].filter((file) => /^docs\/decisions\/(?!README)/.test(file));
  expect(pages.filter((file) => !index.includes(`(${file.slice("docs/decisions/".length)})`))).toEqual([]);
});

it("the site contains no pages for contributors", async () => {
  const pages = await readPages(join(ROOT, "docs"));
  expect(pages.filter(({ path }) => /^\/docs\/(decisions|glossary|spec)/.test(path))).toEqual([]);
  const { html } = renderMarkdown("[why](decisions/isolation.md), [how](../SECURITY.md), [keys](members-and-keys.md)");
  expect(html).toBe('<p>why, how, <a href="members-and-keys">keys</a></p>\n');
});

function sectionsOf(source: string): string[] {
  return [...renderMarkdown(source).html.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id);
}
