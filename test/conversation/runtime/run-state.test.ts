import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isFinal, nextState, type RunEvent, type RunState } from "../../../src/conversation/runtime/tools/run-state.ts";

const EVENTS: RunEvent[] = ["started", "refused", "succeeded", "failed", "unanswered", "lost"];
const effects = fc.constantFrom("read" as const, "write" as const);

describe("the states of a tool run", () => {
  it("change in one direction, end once, and are unknown only for a write that was under way", () => {
    fc.assert(
      fc.property(effects, fc.array(fc.constantFrom(...EVENTS), { maxLength: 10 }), (effect, events) => {
        let state: RunState = "asked";
        let hasStarted = false;
        for (const event of events) {
          const next = nextState(state, event, effect);
          if (isFinal(state)) expect(next).toBeNull();
          if (next === null) continue;
          if (next === "running") hasStarted = true;
          expect(next).not.toBe("asked");
          if (next === "ok") expect([hasStarted, event]).toEqual([true, "succeeded"]);
          if (next === "unknown") expect([hasStarted, effect]).toEqual([true, "write"]);
          // A write that may have happened is never reported as failed.
          if (hasStarted && effect === "write" && (event === "lost" || event === "unanswered"))
            expect(next).toBe("unknown");
          state = next;
        }
      }),
    );
  });
});
