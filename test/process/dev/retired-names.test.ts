import { describe, expect, it } from "vitest";
import { retiredNames } from "../../../src/dev/lint/retired-names.ts";

describe("the lint of retired names", () => {
  it.each([
    ["const isDone = lookingAgain(handle);", "retryOnReferenceViolation"],
    ["/** Forgets a person. */", "erase"],
    ["function readTalkerToken() {}", "party"],
    ["return callView(row);", "project"],
    ["const cells = byPlace(row);", "position"],
    ['serve(app, harmless("it only reads"));', "idempotent"],
  ])("the lint refuses %s and names a replacement", (line, instead) => {
    expect(retiredNames("a.ts", `\n${line}`)).toEqual([expect.stringMatching(new RegExp(`^a\\.ts:2: .*${instead}`))]);
  });

  it("accepts a retired word in quotes, where customers read it", () => {
    expect(retiredNames("a.ts", 'const summary = "Makes one harmless request there, as noted.";')).toEqual([]);
  });

  it("accepts a word that only contains a retired one", () => {
    expect(
      retiredNames("a.ts", "// the outstanding calls of a stalker, denoted by nobody in the callerViewOf"),
    ).toEqual([]);
  });
});
