/**
 * `npm run check`: lint, wings and types. Each check is a process of one thread, as many at once as there are processors:
 * a compiler with several threads does much of its work once in each. The output of each is printed when it has ended.
 */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import pMap from "p-map";
import { ROOT } from "../paths.ts";

/** The programs that are typed apart, because other globals are there; the longest first. */
const PROGRAMS = [
  "src/dev/lint",
  "test/process/carriers",
  "src/dev",
  "src/browser/console",
  "packages/cli",
  "packages/sdk",
  "packages/runtime-check",
  "src/browser/widget",
];

const CHECKS = [
  ["biome", "check", "."],
  ...PROGRAMS.map((program) => ["tsc", "--singleThreaded", "--project", program]),
  ["node", "src/dev/lint/wings.ts"],
  ["node", "src/dev/lint/spec.ts"],
  ["node", "src/dev/lint/retired-names.ts"],
];

// The checks below type what it generates.
const generated = await check(["node", "src/dev/api-types/index.ts"]);
const passed = await pMap(CHECKS, check, { concurrency: availableParallelism() });
process.exitCode = generated && passed.every(Boolean) ? 0 : 1;

/** Runs this command; gives whether it succeeded. */
async function check([command = "", ...options]: string[]): Promise<boolean> {
  const began = performance.now();
  const running = spawn(command, options, { cwd: ROOT, env: Object.assign({}, process.env, { FORCE_COLOR: "0" }) });
  const chunks: Buffer[] = [];
  for (const stream of [running.stdout, running.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    running.once("close", resolve);
    running.once("error", reject);
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const verdict = code === 0 ? "ok" : "FAILED";
  console.log(`${verdict} ${[command, ...options].join(" ")} (${seconds} s)\n${Buffer.concat(chunks)}`.trimEnd());
  return code === 0;
}
