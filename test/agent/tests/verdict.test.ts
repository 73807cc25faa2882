import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countsOf, MAX_REPEAT, verdictOf } from "../../../src/agent/tests/verdict.ts";
import type { ResultState } from "../../../src/kernel/db/schema/index.ts";

const property = { seed: Number((env as unknown as { PROPERTY_SEED: string }).PROPERTY_SEED), numRuns: 500 };

const repetitions = fc
  .integer({ min: 1, max: MAX_REPEAT })
  .chain((repeat) => fc.record({ repeat: fc.constant(repeat), min_passes: fc.integer({ min: 1, max: repeat }) }));
const counts = fc.record({ passed: fc.nat(MAX_REPEAT), failed: fc.nat(MAX_REPEAT), model_failed: fc.nat(MAX_REPEAT) });

describe("the verdict on a repeated test", () => {
  it.each<[passed: number, failed: number, model_failed: number, ResultState]>([
    [2, 1, 0, "passed"],
    [1, 2, 0, "failed"],
    [0, 3, 0, "failed"],
    [2, 0, 1, "model_failed"],
    [0, 2, 1, "model_failed"],
    [0, 0, 3, "model_failed"],
    // The run has more repetitions than the test.
    [7, 3, 0, "passed"],
    [6, 4, 0, "failed"],
    [3, 1, 6, "passed"],
    [2, 2, 6, "failed"],
  ])(
    "the verdict on a test that must pass 2 of 3, with %i passed, %i failed and %i without a model, is that",
    (passed, failed, model_failed, verdict) => {
      expect(verdictOf({ repeat: 3, min_passes: 2 }, { passed, failed, model_failed })).toBe(verdict);
    },
  );

  it("requires exactly `min_passes` of `repeat` conclusive repetitions", () => {
    fc.assert(
      fc.property(repetitions, fc.nat(MAX_REPEAT), fc.nat(MAX_REPEAT), (asked, some, model_failed) => {
        const passed = Math.min(some, asked.repeat);
        const verdict = verdictOf(asked, { passed, failed: asked.repeat - passed, model_failed });
        expect(verdict).toBe(passed >= asked.min_passes ? "passed" : "failed");
      }),
      property,
    );
  });

  it("a test that must always pass fails after any failure, however often it runs", () => {
    fc.assert(
      fc.property(repetitions, counts, ({ repeat }, found) => {
        const verdict = verdictOf({ repeat, min_passes: repeat }, found);
        if (verdict === "passed") expect(found.failed).toBe(0);
        if (found.failed === 0 && found.passed >= repeat) expect(verdict).toBe("passed");
      }),
      property,
    );
  });

  it("requires the same share of passes for any number of repetitions", () => {
    fc.assert(
      fc.property(repetitions, counts, (asked, found) => {
        if (verdictOf(asked, found) !== "passed") return;
        const share = found.passed / (found.passed + found.failed);
        expect(share).toBeGreaterThanOrEqual(asked.min_passes / asked.repeat - 1e-9);
        expect(found.passed).toBeGreaterThanOrEqual(asked.min_passes);
      }),
      property,
    );
  });

  it("does not depend on repetitions whose model failed", () => {
    fc.assert(
      fc.property(repetitions, counts, fc.nat(MAX_REPEAT), (asked, found, model_failed) => {
        expect(verdictOf(asked, { ...found, model_failed })).toBe(verdictOf(asked, found));
      }),
      property,
    );
  });

  it("counts every result once", () => {
    expect(countsOf(["passed", "model_failed", "passed", "failed"])).toEqual({ passed: 2, failed: 1, model_failed: 1 });
  });
});
