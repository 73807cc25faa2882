/**
 * `npm test [-- options and paths of vitest]`: runs the tests in workerd beside all others. Both wait much of their time,
 * for alarms, processes and pages, and each uses the processors while the other waits.
 */
import { spawn } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DIST, ROOT } from "../src/dev/paths.ts";

const RESULTS = join(DIST, "test-results.json");
const VITEST = join(ROOT, "node_modules/vitest/vitest.mjs");

/** Projects that run in one vitest, and how many of their files run at once on two processors. */
const LANES = [
  { projects: ["workerd"], workers: 3 },
  { projects: ["browser", "console", "process"], workers: 4 },
];

/** The part of vitest's JSON report that a run adds up. */
interface Report {
  startTime: number;
  numTotalTests: number;
  numPassedTests: number;
  numFailedTests: number;
  numFailedTestSuites: number;
  testResults: unknown[];
}

/** Runs the projects and returns their report, or null if vitest ended without one. */
async function run({ projects, workers }: (typeof LANES)[number], options: string[]): Promise<Report | null> {
  const report = join(DIST, `test-results-${projects[0]}.json`);
  await rm(report, { force: true });
  const vitest = spawn(
    process.execPath,
    [
      ...[VITEST, "run", "--config", "test/vitest.config.ts", "--passWithNoTests", `--maxWorkers=${workers}`],
      ...projects.map((project) => `--project=${project}`),
      ...["--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...options],
    ],
    { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] },
  );
  // Whole lines, because two processes write to one terminal.
  for (const [stream, print] of [
    [vitest.stdout, console.log],
    [vitest.stderr, console.error],
  ] as const)
    createInterface({ input: stream }).on("line", (line) => print(line));
  const code = await new Promise<number | null>((resolve, reject) => {
    vitest.once("close", resolve);
    vitest.once("error", reject);
  });
  if (code !== 0) process.exitCode = 1;
  return readFile(report, "utf8").then(JSON.parse, () => null);
}

await rm(RESULTS, { force: true });
const [first, ...others] = await Promise.all(LANES.map((lane) => run(lane, process.argv.slice(2))));
if (!first || others.includes(null)) {
  console.error("vitest ended without a report");
  process.exitCode = 1;
} else {
  for (const other of others) {
    if (!other) continue;
    first.startTime = Math.min(first.startTime, other.startTime);
    for (const count of ["numTotalTests", "numPassedTests", "numFailedTests", "numFailedTestSuites"] as const)
      first[count] += other[count];
    first.testResults.push(...other.testResults);
  }
  await writeFile(RESULTS, JSON.stringify(first));
  console.log(`${first.numPassedTests} of ${first.numTotalTests} tests passed`);
  if (first.testResults.length === 0) process.exitCode = 1;
}
