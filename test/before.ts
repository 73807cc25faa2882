/** What `npm test` does first: says what is going to happen, and builds the static files that tests are served. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { ensureBuilt } from "../src/dev/builds.ts";
import { DIST } from "../src/dev/paths.ts";

const RESULTS = join(DIST, "test-results.json");

console.log(
  `Running all tests: ${[
    "workerd (the API, in the runtime it is deployed to)",
    "process (the service as npm start runs it)",
    "browser and console (in Chromium)",
  ].join(", ")}.\n${await duration()} CONTRIBUTING.md says how to run one test.`,
);
await ensureBuilt("assets");

/** How long it will take, by the last run of all projects on this machine. */
async function duration(): Promise<string> {
  try {
    const { startTime, testResults } = JSON.parse(await readFile(RESULTS, "utf8")) as {
      startTime: number;
      testResults: { name: string }[];
    };
    const isComplete = ["/test/process/", "/test/browser/console/", "/test/kernel/"].every((part) =>
      testResults.some(({ name }) => name.includes(part)),
    );
    const { mtimeMs } = await stat(RESULTS);
    if (isComplete) return `The last run took ${Math.ceil((mtimeMs - startTime) / 60_000)} minutes.`;
  } catch {
    // There was no run yet.
  }
  return "This takes about a quarter of an hour on two cores.";
}
