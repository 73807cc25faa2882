import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Manifest } from "vite";
import { describe, expect, it } from "vitest";

const DIST = join(import.meta.dirname, "../../../dist");
/** The budget of a screen's first load in script, gzipped. */
const MOST_BYTES = 150_000;

const manifest: Manifest = JSON.parse(await readFile(join(DIST, "console-manifest.json"), "utf8"));

/** The files that are loaded for these parts: each with what it imports, and so on. */
function filesFor(parts: string[]): Set<string> {
  const files = new Set<string>();
  const load = (part: string) => {
    const { file, imports = [] } = manifest[part] ?? expect.fail(`no part ${part} in the manifest`);
    if (files.has(file)) return;
    files.add(file);
    for (const each of imports) load(each);
  };
  for (const part of parts) load(part);
  return files;
}

async function gzippedBytes(files: Iterable<string>): Promise<number> {
  let sum = 0;
  for (const file of files) sum += gzipSync(await readFile(join(DIST, "assets/console", file)), { level: 9 }).length;
  return sum;
}

/** The entry, and the parts that it loads by their routes. */
const entry = Object.keys(manifest).find((part) => manifest[part]?.isEntry) ?? "";
const screens = Object.keys(manifest).filter((part) => manifest[part]?.isDynamicEntry);
const overview = screens.filter((part) => part === "screens/overview/overview.tsx");

describe("the script that a first load needs", () => {
  it("is printed for the screen after the sign-in", () => {
    expect(overview).toHaveLength(1);
  });

  it.each([entry, ...overview])("is 150 KB gzipped at most: %s", async (part) => {
    const files = filesFor([entry, part]);
    const bytes = await gzippedBytes(files);
    console.log(`${part}: ${(bytes / 1000).toFixed(1)} KB gzipped in ${files.size} files`);
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
  });
});
