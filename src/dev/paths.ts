import { join, resolve } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");
export const WRANGLER_CONFIG = join(ROOT, "wrangler.toml");
/** The settings of a deployment beside wrangler.toml; not part of the release. */
export const DEPLOYMENT_FILE = join(ROOT, "deployment.toml");
export const DEV_VARS = join(ROOT, ".dev.vars");
export const DIST = join(ROOT, "dist");
/** The static files that are served beside the Worker. */
export const ASSETS = join(DIST, "assets");
/** The main module of the Worker as `npm start` serves it. */
export const WORKER = join(DIST, "worker/worker.js");
/** The state of the local service; wrangler's own `--local` commands use the same default. */
export const STATE_DIR = resolve(process.env.STATE_DIR || join(ROOT, ".wrangler/state"));
/** The demo account's API key in plain text, so that a restart prints the same one. */
export const DEMO_KEY = join(STATE_DIR, "demo-api-key");
