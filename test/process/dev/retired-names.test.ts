import { describe, expect, it } from "vitest";
import { retiredNames } from "../../../src/dev/lint/retired-names.ts";

describe("the lint of retired names", () => {
  it.each([
    ["const isDone = lookingAgain(handle);", "retryOnReferenceViolation"],
    ["/** Forgets a person. */", "erase"],
    ["// The cache must forget it.", "invalidate"],
    ["function readTalkerToken() {}", "party"],
    ["for (const one of talkers) close(one);", "party"],
    ["const rowKeepers = [];", "owner"],
    ["const PAST_PAYER = 1;", "consumer"],
    ["const standing = row.status;", "accountStatus"],
    ["return callView(row);", "project"],
    ["interface CallView {}", "project"],
    ["/** The caller's view at admission. */", "caller view"],
    ["const cells = byPlace(row);", "position"],
    ['serve(app, harmless("it only reads"));', "idempotent"],
    ["const MACHINE_NOTED = 1;", "recorded"],
    ["passes(1_000);", "advance"],
    ["// One pass does ten steps.", "round"],
    ['it("the meter forgets a person", () => {', "erase"],
  ])("the lint refuses %s and names a replacement", (line, instead) => {
    expect(retiredNames("a.ts", `\n${line}`)).toEqual([expect.stringMatching(new RegExp(`^a\\.ts:2: .*${instead}`))]);
  });

  it("refuses a retired name in a file's path", () => {
    expect(retiredNames("src/account/account-standing.ts", "")).toEqual([
      'src/account/account-standing.ts: "standing" is retired; write accountStatus, status or access',
    ]);
  });

  it("accepts a retired word in quotes, where customers read it", () => {
    expect(retiredNames("a.ts", 'const summary = "Makes one harmless request there, as noted.";')).toEqual([]);
  });

  it("accepts a word that only contains a retired one", () => {
    const line =
      "// the outstanding calls of a stalker, denoted by nobody in the callerViewOf, with a forgotten password";
    expect(retiredNames("a.ts", line)).toEqual([]);
  });
});
