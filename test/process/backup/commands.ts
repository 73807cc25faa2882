import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const ROOT = join(import.meta.dirname, "../../..");
const QUICK_SCRYPT = join(import.meta.dirname, "quick-scrypt.mjs");

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a script of `src/dev` to its end in a separate process without a terminal, as cron does. */
export async function runCommand(
  script: string,
  args: string[],
  env: Record<string, string> = {},
  kill?: AbortSignal,
): Promise<Outcome> {
  const child = spawn(process.execPath, ["--import", QUICK_SCRYPT, join(ROOT, "src/dev", script), ...args], {
    cwd: ROOT,
    env: Object.assign({}, process.env, env),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 180_000,
    killSignal: "SIGKILL",
  });
  kill?.addEventListener("abort", () => child.kill("SIGKILL"), { once: true });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code: code ?? -1, stdout, stderr };
}
