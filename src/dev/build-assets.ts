/**
 * Gathers the static files served beside the Worker into dist/assets; wrangler runs it before every build. Each file is
 * put in place whole, so that a service that is serving them, or another build, never meets a missing or half one.
 * Where nothing they are made of has changed, they are left as they are.
 */
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hashOf } from "./hash-of.ts";
import { ROOT } from "./paths.ts";

/** What everything is made of. */
const SOURCES = ["src", "docs", "package-lock.json"];
/** Where it is noted of what the files that are there were made. */
const NOTE = join(ROOT, "dist/assets-made-of");

await mkdir(join(ROOT, "dist"), { recursive: true });
const sources = await hashOf(SOURCES.map((path) => join(ROOT, path)));
if (!(await isMadeOf(sources))) {
  // Whoever finds everything there need not even load what builds it.
  const { gatherAssets } = await import("./gather-assets.ts");
  await gatherAssets();
  await writeFile(NOTE, sources);
}

async function isMadeOf(wanted: string): Promise<boolean> {
  const [noted, headers] = await Promise.all([
    readFile(NOTE, "utf8").catch(() => ""),
    stat(join(ROOT, "dist/assets/_headers")).catch(() => null),
  ]);
  return noted === wanted && headers !== null;
}
