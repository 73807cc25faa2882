import { join, resolve } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");
export const WRANGLER_CONFIG = join(ROOT, "wrangler.toml");
/** What a deployment sets beside wrangler.toml; it is no part of the release. */
export const DEPLOYMENT_FILE = join(ROOT, "deployment.toml");
export const DEV_VARS = join(ROOT, ".dev.vars");
/** What is built. */
export const DIST = join(ROOT, "dist");
/** The static files that are served beside the Worker. */
export const ASSETS = join(DIST, "assets");
/** The main module of the Worker as `npm start` serves it. */
export const WORKER = join(DIST, "worker/worker.js");
/** Where the state of the local service lives; wrangler's own `--local` commands use the same default. */
export const STATE_DIR = resolve(process.env.STATE_DIR || join(ROOT, ".wrangler/state"));
/** The plain text of the demo account's API key, so that a restart prints the same one. */
export const DEMO_KEY = join(STATE_DIR, "demo-api-key");
