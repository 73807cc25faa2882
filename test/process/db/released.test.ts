import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { VERSION as PROGRAM_VERSION } from "../../../packages/cli/src/program.ts";
import { changedSinceRelease, releasedHashes, schemaHashes } from "../../../src/dev/api-changes/schema.ts";
import { ROOT } from "../../../src/dev/paths.ts";
import { VERSION } from "../../../src/kernel/http/openapi.ts";

const RELEASED = { "D1/0000.sql": "a", "METER/first": "b", "METER/second": "c" };

it("released migrations and steps are unchanged", async () => {
  const [released, now] = await Promise.all([releasedHashes(), schemaHashes()]);
  expect(Object.keys(released)).toContain("D1/0000_release_0_3.sql");
  expect(changedSinceRelease(released, now)).toEqual([]);
});

it("all packages have the version of the API, and its document is stored", async () => {
  const packages = (await readdir(join(ROOT, "packages"))).map((name) => `packages/${name}/package.json`);
  const versions = ["package.json", ...packages].map(async (file) => {
    return JSON.parse(await readFile(join(ROOT, file), "utf8")).version;
  });
  expect(new Set([...(await Promise.all(versions)), PROGRAM_VERSION])).toEqual(new Set([VERSION]));
  expect(await readdir(join(ROOT, "docs/releases"))).toContain(`openapi-${VERSION}.json`);
});

it.each<[string, Record<string, string>, string[]]>([
  ["what is new at the end", { ...RELEASED, "METER/third": "d", "D1/0001.sql": "e", "OTHER/first": "f" }, []],
  ["another text", { ...RELEASED, "METER/first": "x" }, ["METER/first"]],
  [
    "a step before it",
    { "D1/0000.sql": "a", "METER/new": "d", "METER/first": "b", "METER/second": "c" },
    ["METER/first", "METER/second"],
  ],
  ["a step that was removed", { "D1/0000.sql": "a", "METER/first": "b" }, ["METER/second"]],
])("the check names released steps by %s", (_, now, changed) => {
  expect(changedSinceRelease(RELEASED, now)).toEqual(changed);
});
