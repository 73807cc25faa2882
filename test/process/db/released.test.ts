import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { changedSinceRelease, releasedHashes, schemaHashes } from "../../../src/dev/api-changes/schema.ts";

const RELEASED = { "D1/0000.sql": "a", "METER/first": "b", "METER/second": "c" };

it("a released migration or step is as it was released", async () => {
  const [released, now] = await Promise.all([releasedHashes(), schemaHashes()]);
  if (released !== "unreleased") return expect(changedSinceRelease(released, now)).toEqual([]);
  // From 0.3.0 on, docs/releases/schema.json holds the hashes, which npm run api-release writes.
  const { version } = JSON.parse(await readFile(join(import.meta.dirname, "../../../package.json"), "utf8"));
  expect(version.localeCompare("0.3.0", "en", { numeric: true })).toBeLessThan(0);
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
