/**
 * `npm run check`: runs lint, the wings' rules and the type checks as parallel processes of one thread each, because a
 * compiler with several threads repeats much work in each. Prints each output once its process has ended.
 */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import pMap from "p-map";
import { ROOT } from "../paths.ts";

/** Programs with other globals, which are type-checked separately. Those that take longest come first. */
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

// The checks below need its generated types.
const generated = await check(["node", "src/dev/api-types/index.ts"]);
const passed = await pMap(CHECKS, check, { concurrency: availableParallelism() });
process.exitCode = generated && passed.every(Boolean) ? 0 : 1;

/** Runs a command and returns whether it succeeded. */
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
