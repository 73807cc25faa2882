#!/usr/bin/env node
/**
 * `switchboard-runtime-check <ws url>`: checks a voice runtime against docs/runtime.md with simulated calls. Exits with
 * 1 if a check failed, with 2 if the check could not begin.
 */
import { checkRuntime } from "./check.ts";
import { Misuse, planOf, USAGE } from "./plan.ts";
import { type Check, Report } from "./report.ts";

const MARKS = { ok: "ok     ", FAILED: "FAILED ", advice: "advice " } as const;
const line = ({ verdict, name, detail }: Check) => `${MARKS[verdict]} ${name}${detail === "" ? "" : `: ${detail}`}`;

try {
  const parsed = planOf(process.argv.slice(2), process.env);
  if (parsed === null) {
    console.log(USAGE);
    process.exit(0);
  }
  const { plan, asJson } = parsed;
  const report = new Report(asJson ? undefined : (check) => console.log(line(check)));
  await checkRuntime(plan, report);
  const { checks, failed } = report;
  const count = (verdict: Check["verdict"]) => checks.filter((check) => check.verdict === verdict).length;
  if (asJson) console.log(JSON.stringify({ ok: !failed, url: plan.url, speaks: plan.speaks, checks }, null, 2));
  else console.log(`\n${count("ok")} ok, ${count("FAILED")} failed, ${count("advice")} advice`);
  process.exit(failed ? 1 : 0);
} catch (error) {
  if (error instanceof Misuse) console.error(`${error.message}\n\n${USAGE}`);
  else console.error(`switchboard-runtime-check: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(2);
}
