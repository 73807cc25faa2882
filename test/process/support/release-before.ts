import { execFile } from "node:child_process";
import { access, mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../../..");

/** The tag of the first release that can serve beside its successors, because stored data is compatible from it on. */
const TAG = "v0.3.0";

/** Returns the main module of the previous release, built from the history; null if the clone does not contain it. */
export async function releaseBefore(): Promise<string | null> {
  const folder = join(ROOT, "dist/release-before", TAG);
  const script = join(folder, "dist/built/index.js");
  if (await isThere(script)) return script;
  if (
    !(await run("git", ["cat-file", "-e", `${TAG}^{commit}`], { cwd: ROOT }).then(
      () => true,
      () => false,
    ))
  )
    return null;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await run("sh", ["-c", 'git archive "$1" | tar -x -C "$2"', "sh", TAG, folder], { cwd: ROOT });
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const build =
    'const { bundleWorker } = await import("./src/dev/bundle.ts"); await bundleWorker({ outdir: "dist/built" });';
  await run(process.execPath, ["--input-type=module", "-e", build], { cwd: folder });
  return script;
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
