import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../paths.ts";

/** Runs wrangler to its end, and returns its output and its machine-readable results. */
export type Wrangler = (args: string[]) => Promise<WranglerRun>;
export interface WranglerRun {
  ok: boolean;
  output: string;
  /** The version that an upload created. */
  versionId: string | null;
}

/** Returns a function that runs the installed wrangler in an account, without prompts. */
export function wranglerIn(accountId: string, env: NodeJS.ProcessEnv): Wrangler {
  return async (args) => {
    const folder = await mkdtemp(join(tmpdir(), "switchboard-deploy-"));
    const notes = join(folder, "notes.ndjson");
    const quiet = { CI: "1", WRANGLER_SEND_METRICS: "false", WRANGLER_HIDE_BANNER: "true", FORCE_COLOR: "0" };
    const child = spawn(process.execPath, [join(ROOT, "node_modules/wrangler/bin/wrangler.js"), ...args], {
      cwd: ROOT,
      env: { ...env, ...quiet, CLOUDFLARE_ACCOUNT_ID: accountId, WRANGLER_OUTPUT_FILE_PATH: notes },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (output += String(part)));
    try {
      const code = await new Promise<number | null>((done, fail) => child.once("close", done).once("error", fail));
      const notesText = await readFile(notes, "utf8").catch(() => "");
      return { ok: code === 0, output, versionId: /"version_id":"([^"]+)"/.exec(notesText)?.[1] ?? null };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

/** Returns the headers for Cloudflare, with the environment's token or that of `wrangler login`. @throws Error with a sentence */
export async function credentials(env: NodeJS.ProcessEnv): Promise<Record<string, string>> {
  if (env.CLOUDFLARE_API_TOKEN) return bearer(env.CLOUDFLARE_API_TOKEN);
  const { ok, output } = await wranglerIn("", env)(["auth", "token", "--json"]);
  const found = ok ? /\{[\s\S]*\}/.exec(output) : null;
  if (!found)
    throw new Error("you are not signed in to Cloudflare; run npx wrangler login, or set CLOUDFLARE_API_TOKEN");
  const { token, key, email } = JSON.parse(found[0]) as { token?: string; key?: string; email?: string };
  return token ? bearer(token) : { "x-auth-key": key ?? "", "x-auth-email": email ?? "" };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
