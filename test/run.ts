/**
 * Runs the tests in two processes of vitest, side by side: one mostly computes (the API in workerd), the other often
 * waits, and within one process vitest runs one project after the other. Arguments go to a single process:
 * `npm test -- --project workerd test/agent`.
 */
import { spawn } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DIST, ROOT } from "../src/dev/paths.ts";

/** How many files run at once: in all more than a machine's two processors, because tests over sockets mostly wait. */
const PROCESSES = [
  { projects: ["workerd"], maxWorkers: 2 },
  { projects: ["process", "browser", "console"], maxWorkers: 3 },
];
const PARTS = join(DIST, "test-results");
const WHOLE = join(DIST, "test-results.json");

/** What vitest's JSON reporter writes, as far as two of them become one here. */
interface Results {
  success: boolean;
  startTime: number;
  testResults: unknown[];
}

const chosen = process.argv.slice(2);
process.exitCode = chosen.length > 0 ? await vitest(chosen, WHOLE, "inherit") : await all();

async function all(): Promise<number> {
  await rm(WHOLE, { force: true });
  await rm(PARTS, { recursive: true, force: true });
  await mkdir(PARTS, { recursive: true });
  const parts = PROCESSES.map(({ projects: [first = ""] }) => join(PARTS, `${first}.json`));
  const codes = await Promise.all(
    PROCESSES.map(({ projects, maxWorkers }, n) => {
      const options = [...projects.map((project) => `--project=${project}`), `--maxWorkers=${maxWorkers}`];
      return vitest(options, parts[n] ?? WHOLE, "pipe");
    }),
  );
  const results = await Promise.all(
    parts.map(async (part): Promise<Results> => JSON.parse(await readFile(part, "utf8"))),
  );
  await writeFile(WHOLE, JSON.stringify(results.reduce(joined)));
  return Math.max(...codes);
}

/** Runs vitest; gives its exit code. Where two share a terminal, each prints line by line, without a live summary. */
function vitest(options: string[], results: string, stdout: "inherit" | "pipe"): Promise<number> {
  const colors = process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
  const running = spawn("vitest", ["run", "--config", "test/vitest.config.ts", ...options], {
    cwd: ROOT,
    env: Object.assign({}, process.env, stdout === "pipe" ? colors : {}, { TEST_RESULTS: results }),
    stdio: ["ignore", stdout, "inherit"],
  });
  running.stdout?.pipe(process.stdout, { end: false });
  return new Promise((resolve, reject) => {
    running.once("error", reject);
    running.once("close", (code) => resolve(code ?? 1));
  });
}

/** The results of two processes as those of one: counts are added, lists joined. */
function joined(one: Results, other: Results): Results {
  const counts = Object.entries(other).filter(([name]) => name.startsWith("num"));
  const sums = counts.map(([name, count]) => [name, Number(count) + Number(Reflect.get(one, name) ?? 0)]);
  return Object.assign({}, other, Object.fromEntries(sums), {
    success: one.success && other.success,
    startTime: Math.min(one.startTime, other.startTime),
    testResults: [...one.testResults, ...other.testResults],
  });
}
