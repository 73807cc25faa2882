import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { waitingNow } from "../../src/browser/console/screens/campaigns/board/waiting-now.ts";

const few = fc.nat({ max: 50 });
const waiting = fc.record({ schedule: few, window: few, retry: few, cap: few, ready: few, do_not_call: few });
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, count) => all + count, 0);

describe("the reasons why contacts wait", () => {
  it("add up to the number waiting now, whenever the plan was made", () => {
    fc.assert(
      fc.property(waiting, fc.nat({ max: 400 }), (plan, pending) => {
        const now = waitingNow(plan, pending);
        expect(sum(now)).toBe(pending);
        expect(Math.min(...Object.values(now))).toBeGreaterThanOrEqual(0);
        if (sum(plan) === pending) expect(now).toEqual(plan);
      }),
    );
  });

  it("exclude contacts being called, and include those to be retried", () => {
    const plan = { schedule: 0, window: 4, retry: 1, cap: 2, ready: 3, do_not_call: 1 };
    expect(waitingNow(plan, 7)).toEqual({ ...plan, ready: 0, cap: 1 });
    expect(waitingNow(plan, 13)).toEqual({ ...plan, retry: 3 });
  });
});
