import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { removeOldFiles } from "../../../src/dev/build-console.ts";

const HOUR_S = 3_600;

it("a build removes files that no build has written for a day, but none that an open page may request", async () => {
  const assets = await mkdtemp(join(tmpdir(), "switchboard-assets-"));
  onTestFinished(() => rm(assets, { recursive: true }));
  const folder = join(assets, "console/assets");
  await mkdir(folder, { recursive: true });
  for (const [name, ageHours] of [
    ["new.js", 0],
    ["yesterday.js", 23],
    ["old.js", 25],
    ["old.css", 1_000],
  ] as const) {
    await writeFile(join(folder, name), "");
    const written = Date.now() / 1_000 - ageHours * HOUR_S;
    await utimes(join(folder, name), written, written);
  }
  await removeOldFiles(assets);
  expect((await readdir(folder)).sort()).toEqual(["new.js", "yesterday.js"]);
});
