import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { ensureBuilt } from "../../../src/dev/builds.ts";
import { bundleWorker, DEV_WORKER } from "../../../src/dev/bundle.ts";
import { hashOf } from "../../../src/dev/hash-of.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The built main modules of the Worker: as `npm start` serves it, and as it is deployed. */
    worker: string;
    deployedWorker: string;
  }
}

const ROOT = join(import.meta.dirname, "../../..");
const SOURCES = ["src", "docs", "package-lock.json", "wrangler.toml"].map((path) => join(ROOT, path));

/** Builds the Worker once for all services that tests start. Otherwise each of them would build it. */
export default async function setup(project: TestProject): Promise<void> {
  await ensureBuilt("assets");
  const sources = await hashOf(SOURCES);
  project.provide("worker", await built("dist/tested", sources, DEV_WORKER));
  project.provide("deployedWorker", await built("dist/tested-as-deployed", sources));
}

/** Builds the main module from these sources, or returns it if another project of the same run has built it. */
async function built(folder: string, sources: string, main?: string): Promise<string> {
  const outdir = join(ROOT, folder);
  const note = `${outdir}.json`;
  const cached = await readFile(note, "utf8").then(JSON.parse, () => ({}));
  if (cached.sources === sources) return cached.script;
  const script = await bundleWorker({ ...(main !== undefined && { main }), outdir });
  await writeFile(note, JSON.stringify({ sources, script }));
  return script;
}
