/** Builds the console with Vite, and clears away what earlier builds of it left. */

import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";
import consoleBuild from "../browser/console/vite.config.ts";
import { DAY_MS } from "../kernel/time.ts";
import { ROOT } from "./paths.ts";

/** How long a file is kept that no build writes any more, for pages that are open, ms. */
const KEPT_MS = DAY_MS;

/**
 * The headers of the files named by their content; the page gets its headers from the Worker. A web worker follows the
 * policy of its own file, so each file has one.
 */
const HEADERS = `/console/assets/*
  Cache-Control: public, max-age=31536000, immutable
  Content-Security-Policy: default-src 'none'; script-src 'self'; connect-src 'self'
  Cross-Origin-Resource-Policy: same-origin
  Referrer-Policy: no-referrer
  Strict-Transport-Security: max-age=31536000; includeSubDomains
  X-Content-Type-Options: nosniff
`;

/** Builds into the folder of the static files, and gives the rules of the headers. */
export async function buildConsole(assets: string): Promise<string> {
  const outDir = join(assets, "console");
  const { build: how, ...where } = consoleBuild;
  // Tests and development servers say otherwise, and would be given the libraries' slower builds for developers.
  process.env.NODE_ENV = "production";
  await build({ ...where, configFile: false, build: { ...how, outDir } });
  // Which file loads which: read by the tests of its size, and not used by browsers.
  await rename(join(outDir, ".vite/manifest.json"), join(ROOT, "dist/console-manifest.json"));
  await rm(join(outDir, ".vite"), { recursive: true });
  return HEADERS;
}

/** Removes what no build has written for a day, so that changed files do not pile up under their many names. */
export async function removeOldFiles(assets: string): Promise<void> {
  const folder = join(assets, "console/assets");
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    // Another build may have been faster.
    const written = await stat(file).catch(() => null);
    if (written && Date.now() - written.mtimeMs > KEPT_MS) await rm(file, { force: true });
  }
}
