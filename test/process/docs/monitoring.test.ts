import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { exposition } from "../../../src/account/metrics/exposition.ts";
import { renderMarkdown } from "../../../src/dev/guides/markdown.ts";

const DOCS = join(import.meta.dirname, "../../../docs");
const read = (name: string) => readFile(join(DOCS, name), "utf8");

/** Every metric that the service exposes: a family is announced even if it has no samples. */
const EXPOSED = new Set(
  [
    ...exposition({
      accounts: 0,
      objects: [],
      today: {
        calls: 0,
        answered: 0,
        conversations: 0,
        talk_ms: 0,
        input_tokens: 0,
        output_tokens: 0,
        tool_runs: 0,
        model_errors: 0,
      },
    }).matchAll(/^# TYPE (\S+)/gm),
  ].map(([, name = ""]) => name),
);

it.each(["monitoring/alerts.yaml", "monitoring/dashboard.json", "observing.md"])(
  "%s names only metrics that the service exposes",
  async (name) => {
    const named = [...(await read(name)).matchAll(/\bswitchboard_[a-z_]+/g)].map(([metric]) => metric);
    expect(named.length).toBeGreaterThan(7);
    expect(named.filter((metric) => !EXPOSED.has(metric))).toEqual([]);
  },
);

it("every alert leads to a section of a page", async () => {
  const alerts = await read("monitoring/alerts.yaml");
  const links = [...alerts.matchAll(/runbook: "([\w-]+)(?:#([\w-]+))?"/g)];
  expect(links).toHaveLength([...alerts.matchAll(/- alert:/g)].length);
  for (const [, page = "", section] of links) {
    const { html } = renderMarkdown(await read(`${page}.md`));
    if (section !== undefined) expect(html).toContain(` id="${section}"`);
  }
});
