import { execFile } from "node:child_process";
import { access, mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../../..");

/**
 * Stands for the previous release: the oldest state of the source with today's classes of objects. Anything older, such
 * as 0.2.0, cannot serve beside this one: a release with new classes deploys at once.
 */
const COMMIT = "e7f26e3729f685cf4854a515f5cfea9812f84b75";

/** The main module of the release before, built from the history; null if the clone has no history. */
export async function releaseBefore(): Promise<string | null> {
  const folder = join(ROOT, "dist/release-before", COMMIT);
  const script = join(folder, "dist/built/index.js");
  if (await isThere(script)) return script;
  if (
    !(await run("git", ["cat-file", "-e", `${COMMIT}^{commit}`], { cwd: ROOT }).then(
      () => true,
      () => false,
    ))
  )
    return null;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await run("sh", ["-c", 'git archive "$1" | tar -x -C "$2"', "sh", COMMIT, folder], { cwd: ROOT });
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
