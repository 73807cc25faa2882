/** Compares our bundle with that of `wrangler deploy --outdir <folder>`; fails if `npm start` would serve something else. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleWorker } from "./bundle.ts";

const [deployed = ""] = process.argv.slice(2);
const outdir = await mkdtemp(join(tmpdir(), "switchboard-bundle-"));
try {
  await bundleWorker({ outdir });
  // Source maps name their folder, and wrangler adds a README.
  const modules = async (folder: string) => (await readdir(folder)).filter((name) => !/\.(map|md)$/.test(name)).sort();
  const [ours, theirs] = await Promise.all([modules(outdir), modules(deployed)]);
  const same = await Promise.all(
    theirs.map(async (name) => (await readFile(join(outdir, name))).equals(await readFile(join(deployed, name)))),
  ).catch(() => [false]);
  if (ours.join() !== theirs.join() || same.includes(false)) {
    console.error("src/dev/bundle.ts and wrangler build different bundles; compare their options");
    process.exitCode = 1;
  }
} finally {
  await rm(outdir, { recursive: true });
}
