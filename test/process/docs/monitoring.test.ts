import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { renderMarkdown } from "../../../src/dev/guides/markdown.ts";

const DOCS = join(import.meta.dirname, "../../../docs");
const read = (name: string) => readFile(join(DOCS, name), "utf8");

const EXPOSITION = join(import.meta.dirname, "../../../src/account/metrics/exposition.ts");

it.each(["monitoring/alerts.yaml", "monitoring/dashboard.json", "observing.md"])(
  "%s names only metrics that the service exposes",
  async (name) => {
    const source = await readFile(EXPOSITION, "utf8");
    const isExposed = (metric: string) =>
      source.includes(`"${metric.slice("switchboard_".length).replace(/_total$/, "")}"`);
    const named = [...(await read(name)).matchAll(/\bswitchboard_[a-z_]+/g)].map(([metric]) => metric);
    expect(named.length).toBeGreaterThan(7);
    expect(named.filter((metric) => !isExposed(metric))).toEqual([]);
  },
);

it("every alert links to a section of a page", async () => {
  const alerts = await read("monitoring/alerts.yaml");
  const links = [...alerts.matchAll(/runbook: "([\w-]+)(?:#([\w-]+))?"/g)];
  expect(links).toHaveLength([...alerts.matchAll(/- alert:/g)].length);
  for (const [, page = "", section] of links) {
    const { html } = renderMarkdown(await read(`${page}.md`));
    if (section !== undefined) expect(html).toContain(` id="${section}"`);
  }
});
