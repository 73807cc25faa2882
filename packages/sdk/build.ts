/** Builds the package: one minified module for every runtime, and its types. */
import { execFileSync } from "node:child_process";
import { copyFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";

const HERE = import.meta.dirname;
const DIST = join(HERE, "dist");
/** A relative import in a declaration file. */
const SOURCE = /(["'])(\.\.?\/[^"']+?)(?:\.d)?\.ts\1/g;

await rm(DIST, { recursive: true, force: true });
await build({
  entryPoints: [join(HERE, "src/index.ts")],
  outdir: DIST,
  bundle: true,
  minify: true,
  keepNames: false,
  platform: "neutral",
  // The parser of event streams is bundled, so that users need not install another package.
  mainFields: ["module", "main"],
  target: "es2022",
  logLevel: "warning",
});
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
const emit = ["--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--stripInternal"];
execFileSync(process.execPath, [tsc, "-p", join(HERE, "tsconfig.build.json"), ...emit, "--outDir", DIST], {
  stdio: "inherit",
});
await copyFile(join(HERE, "src/schema.d.ts"), join(DIST, "schema.d.ts"));
for (const file of await readdir(DIST, { recursive: true })) {
  if (!file.endsWith(".d.ts")) continue;
  const text = await readFile(join(DIST, file), "utf8");
  await writeFile(join(DIST, file), text.replace(SOURCE, "$1$2.js$1"));
}
