// Prints the tests that failed, and those that passed only when they were run again: somebody has to mend both.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const [results = ""] = process.argv.slice(2);
const { testResults } = JSON.parse(readFileSync(results, "utf8"));
const [failed, flaky] = [[], []];

for (const { name, status, message, assertionResults } of testResults) {
  const file = relative(".", name);
  const [before, unsteady] = [failed.length, assertionResults.filter((test) => test.failureMessages.length > 0)];
  for (const test of unsteady) {
    const [why] = test.failureMessages[0].split("\n", 1);
    (test.status === "failed" ? failed : flaky).push(`${file}: ${test.fullName}\n  ${why}`);
  }
  if (status === "failed" && failed.length === before) failed.push(`${file}: ${message}`);
}

if (failed.length > 0) console.log(["\n== tests that failed", ...failed].join("\n"));
if (flaky.length > 0) console.log(["\n== tests that passed only when run again", ...flaky].join("\n"));
