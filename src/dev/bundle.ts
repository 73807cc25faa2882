import { execFile } from "node:child_process";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./paths.ts";

const run = promisify(execFile);

/** The Worker as `npm start` serves it. */
export const DEV_WORKER = "src/dev/worker/worker.ts";

/**
 * Builds the Worker just as a deployment would, static files included, and gives the path of its main module; `main` is
 * built in its place where it is given.
 * @throws Error with the bundler's own words
 */
export async function bundleWorker({ main, outdir }: { main?: string; outdir?: string } = {}): Promise<string> {
  const folder = outdir ?? join(ROOT, "dist/worker");
  const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
  const env = { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false", WRANGLER_HIDE_BANNER: "true" };
  try {
    const entry = main === undefined ? [] : [main];
    await run(process.execPath, [wrangler, "deploy", ...entry, "--dry-run", "--outdir", folder], { cwd: ROOT, env });
  } catch (error) {
    const { stderr, stdout } = error as { stderr?: string; stdout?: string };
    throw new Error(`the Worker does not build\n${stderr || stdout || String(error)}`);
  }
  return join(folder, main === undefined ? "index.js" : basename(main).replace(/\.ts$/, ".js"));
}
