import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  afterQuiet,
  LOST_MS,
  type Quiet,
  SILENCE_MS,
  VISITOR_SILENCE_MS,
} from "../../../src/conversation/runtime/turns/waiting.ts";

const CALL: Quiet = {
  kind: "call",
  started_at: 0,
  max_duration_s: 600,
  quiet_since: null,
  prompted: false,
  lost_at: null,
};

describe("a conversation in which nothing happens", () => {
  it("prompts the caller once, then ends", () => {
    const quiet = { ...CALL, quiet_since: 1_000 };
    expect(afterQuiet(quiet, 1_000 + SILENCE_MS - 1)).toEqual({ next: "wait", until: 1_000 + SILENCE_MS });
    expect(afterQuiet(quiet, 1_000 + SILENCE_MS)).toEqual({ next: "ask" });
    expect(afterQuiet({ ...quiet, prompted: true }, 1_000 + SILENCE_MS)).toEqual({ next: "end", reason: "silence" });
  });

  it("continues while the caller or agent speaks, up to the maximum duration", () => {
    expect(afterQuiet(CALL, 599_999)).toEqual({ next: "wait", until: 600_000 });
    expect(afterQuiet(CALL, 600_000)).toEqual({ next: "end", reason: "max_duration" });
  });

  it("does not prompt visitors and allows them a long silence", () => {
    const quiet: Quiet = { ...CALL, kind: "widget", max_duration_s: 7_200, quiet_since: 0 };
    expect(afterQuiet(quiet, SILENCE_MS).next).toBe("wait");
    expect(afterQuiet(quiet, VISITOR_SILENCE_MS)).toEqual({ next: "end", reason: "silence" });
  });

  it("waits for a broken socket to reconnect", () => {
    const lost = { ...CALL, lost_at: 5_000, quiet_since: 0 };
    expect(afterQuiet(lost, 5_000 + LOST_MS - 1).next).toBe("wait");
    expect(afterQuiet(lost, 5_000 + LOST_MS)).toEqual({ next: "end", reason: "disconnected" });
  });

  it("never waits for a time in the past, and ends by the maximum duration", () => {
    const time = fc.integer({ min: 0, max: 1_000_000 });
    const quiet = fc.record({
      kind: fc.constantFrom("call" as const, "widget" as const),
      started_at: time,
      max_duration_s: fc.integer({ min: 1, max: 1_000 }),
      quiet_since: fc.option(time),
      prompted: fc.boolean(),
      lost_at: fc.option(time),
    });
    fc.assert(
      fc.property(quiet, time, (state, now) => {
        const decision = afterQuiet(state, now);
        if (decision.next === "wait") expect(decision.until).toBeGreaterThan(now);
        if (now >= state.started_at + state.max_duration_s * 1000) expect(decision.next).toBe("end");
      }),
    );
  });
});
