import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { hashOf } from "../../../src/dev/hash-of.ts";

it("the hash changes if a file is added, removed, moved or changed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "switchboard-hash-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = (name: string) => join(folder, name);
  await mkdir(file("deep"));
  await mkdir(file("node_modules"));
  await writeFile(file("a.ts"), "one");
  await writeFile(file("deep/b.ts"), "two");
  const seen = [await hashOf([folder])];
  const changes = [
    () => writeFile(file("a.ts"), "once"),
    () => writeFile(file("c.ts"), ""),
    () => rename(file("deep/b.ts"), file("deep/d.ts")),
    () => rm(file("c.ts")),
  ];
  for (const change of changes) {
    await change();
    seen.push(await hashOf([folder]));
  }
  expect(new Set(seen).size).toBe(1 + changes.length);
  await writeFile(file("node_modules/e.ts"), "installed");
  expect(await hashOf([folder])).toBe(seen.at(-1));
});
