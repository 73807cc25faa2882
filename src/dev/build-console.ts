/** Builds the console with Vite, and removes the files of earlier builds. */

import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";
import consoleBuild from "../browser/console/vite.config.ts";
import { DAY_MS } from "../kernel/time.ts";
import { ROOT } from "./paths.ts";

/** How long a file of an earlier build is kept for pages that are open, ms. */
const KEPT_MS = DAY_MS;

/**
 * The headers of the files whose names contain a hash; the page gets its headers from the Worker. Each file has a
 * policy, because a web worker follows the policy of its own file.
 */
const HEADERS = `/console/assets/*
  Cache-Control: public, max-age=31536000, immutable
  Content-Security-Policy: default-src 'none'; script-src 'self'; connect-src 'self'
  Cross-Origin-Resource-Policy: same-origin
  Referrer-Policy: no-referrer
  Strict-Transport-Security: max-age=31536000; includeSubDomains
  X-Content-Type-Options: nosniff
`;

/** Builds into the folder of static files, and returns the rules for the headers. */
export async function buildConsole(assets: string): Promise<string> {
  const outDir = join(assets, "console");
  const { build: how, ...where } = consoleBuild;
  // Tests and development servers set another value, which would select the libraries' slower development builds.
  process.env.NODE_ENV = "production";
  await build({ ...where, configFile: false, build: { ...how, outDir } });
  // The manifest lists which file loads which. Only tests of the size read it, not browsers.
  await rename(join(outDir, ".vite/manifest.json"), join(ROOT, "dist/console-manifest.json"));
  await rm(join(outDir, ".vite"), { recursive: true });
  return HEADERS;
}

/** Removes files that no build has written for a day, because each change of a file gives it a new name. */
export async function removeOldFiles(assets: string): Promise<void> {
  const folder = join(assets, "console/assets");
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    // A concurrent build may have removed it.
    const written = await stat(file).catch(() => null);
    if (written && Date.now() - written.mtimeMs > KEPT_MS) await rm(file, { force: true });
  }
}
