import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Item, monthlyCost } from "../../../src/dev/deploy/cost.ts";

const ROOT = join(import.meta.dirname, "../../..");
const read = (path: string) => readFile(join(ROOT, path), "utf8");
/** Matches a constant and its file: `NAME = value` (`src/…`), or "in `src/…`" instead of the brackets. */
const CONSTANT = /`([A-Z_]+|cpu_ms) = ([\d_* ]+)`(?: \(| in )`([\w./-]+)`/g;

it("limits.md states constants as the code defines them", async () => {
  const named = [...(await read("docs/limits.md")).matchAll(CONSTANT)];
  expect(named.length).toBeGreaterThanOrEqual(14);
  for (const [, name, value, file = ""] of named)
    expect(await read(file), `${name} in ${file}`).toMatch(
      new RegExp(`\\b${name} = ${value?.replaceAll("*", "\\*")};?(\\n|$)`),
    );
});

it("limits.md derives its limits from the settings correctly", async () => {
  const settings = await read("wrangler.toml");
  for (const line of ['KEY_RATE_LIMIT = "6000"', 'LEDGER_SPLIT_BYTES = "5000000000"', 'crons = ["*/10 * * * *"]'])
    expect(settings).toContain(line);
  expect(settings.match(/^crons = /gm)).toHaveLength(1);
});

/** The rows of the table of costs, with the items that each adds up. */
const ROWS: [string, Item[]][] = [
  ["requests and CPU time of the Worker", ["workerRequests", "workerCpuMs"]],
  ["requests to objects", ["objectRequests"]],
  ["objects in memory (GB-s)", ["objectDuration"]],
  ["rows read and written", ["rowsRead", "rowsWritten"]],
  ["storage of objects, after 12 months", ["objectStorage"]],
  ["R2: operations", ["r2Writes", "r2Reads"]],
  ["R2: recordings (kept 90 days) and transcripts", ["r2Storage"]],
];

it("deploy.md states the cost of a month correctly", async () => {
  const lines = (await read("docs/deploy.md")).split("\n");
  const months = [1_000, 100_000, 10_000_000].map(monthlyCost);
  const figures = (label: string) =>
    lines
      .find((line) => line.startsWith(`| ${label} `))
      ?.split("|")
      .slice(2, -1)
      .map((cell) => Number(cell.replace(/[\s*,]/g, "")));
  for (const [label, items] of ROWS)
    expect(figures(label), label).toEqual(
      months.map((month) => Math.round(items.reduce((sum, item) => sum + month[item], 0))),
    );
  expect(figures("**together**")).toEqual(months.map(({ total }) => Math.round(total)));
});
