import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ModelFailed } from "../../../src/conversation/runtime/models/model.ts";
import { afterFailure } from "../../../src/conversation/runtime/turns/going-on.ts";

const failures = fc
  .record({
    retryAfterMs: fc.option(fc.integer({ min: 0, max: 60_000 })),
    wasRefused: fc.boolean(),
    kind: fc.constantFrom("permanent", "busy", "other"),
  })
  .map(({ retryAfterMs, wasRefused, kind }) => {
    return new ModelFailed("no", retryAfterMs, wasRefused, kind === "permanent", null, kind === "busy");
  });
const failed = fc.record({
  error: fc.oneof(failures, fc.constant(new Error("a mistake"))),
  count: fc.integer({ min: 1, max: 10 }),
  sinceMs: fc.integer({ min: 0, max: 20_000 }),
  hasFallback: fc.boolean(),
  hasBegun: fc.boolean(),
});

describe("what follows a model's failure", () => {
  it("a failure does not lead to the second model if there is none or the answer has begun", () => {
    fc.assert(
      fc.property(failed, (failure) => {
        if (failure.hasFallback && !failure.hasBegun) return;
        expect(afterFailure(failure).next).not.toBe("fallback");
      }),
    );
  });

  it("a failure leads to the second model after at most one short wait", () => {
    fc.assert(
      fc.property(failed, (failure) => {
        const { error, count } = failure;
        const isShort = error instanceof ModelFailed && error.isBusy && (error.retryAfterMs ?? 0) <= 2_000;
        const { next } = afterFailure(Object.assign({}, failure, { hasFallback: true, hasBegun: false }));
        expect(next === "fallback").toBe(count > 1 || !isShort);
      }),
    );
  });

  it("a model that refused for good or failed for eight seconds is not requested again", () => {
    fc.assert(
      fc.property(failed, (failure) => {
        const { error, sinceMs } = failure;
        if (!(error instanceof ModelFailed && error.isPermanent) && sinceMs <= 8_000) return;
        expect(afterFailure(failure).next).not.toBe("retry");
      }),
    );
  });
});
