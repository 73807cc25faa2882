// Prints each failed test with the first line of its error.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const [results = ""] = process.argv.slice(2);
const { testResults } = JSON.parse(readFileSync(results, "utf8"));
const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
  const file = relative(".", name);
  const failed = assertionResults.filter((test) => test.status === "failed");
  // A file that cannot be loaded fails as a whole.
  if (failed.length === 0) return status === "failed" ? [`${file}: ${message}`] : [];
  return failed.map(({ fullName, failureMessages: [why = ""] }) => `${file}: ${fullName}\n  ${why.split("\n", 1)}`);
});

if (failures.length > 0) console.log(["\n== tests that failed", ...failures].join("\n"));
