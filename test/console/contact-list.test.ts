import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OutcomesOverTime } from "../../src/browser/console/screens/campaigns/live/outcomes-over-time.ts";

describe("outcomes over time", () => {
  it("counts each end of a call once, however long the campaign lasts", () => {
    const ends = fc.array(fc.record({ ms: fc.nat(3 * 86_400_000), isAnswered: fc.boolean() }), { maxLength: 200 });
    fc.assert(
      fc.property(ends, (calls) => {
        const outcomes = new OutcomesOverTime();
        for (const { ms, isAnswered } of calls)
          outcomes.add({
            seq: 1,
            campaign_id: "",
            contact_id: "",
            position: 1,
            phone_number: "",
            status: isAnswered ? "completed" : "failed",
            previous_status: "connected",
            attempt: 1,
            call_id: null,
            reason: null,
            at: new Date(1_795_000_000_000 + ms).toISOString(),
          });
        const stretches = outcomes.stretches();
        const sum = (kind: "answered" | "failed") => stretches.reduce((all, stretch) => all + stretch[kind], 0);
        expect(sum("answered")).toBe(calls.filter(({ isAnswered }) => isAnswered).length);
        expect(sum("failed")).toBe(calls.filter(({ isAnswered }) => !isAnswered).length);
        expect(stretches.length).toBeLessThanOrEqual(122);
      }),
    );
  });
});
