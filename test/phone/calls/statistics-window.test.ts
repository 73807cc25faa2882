import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { INTERVALS, MAX_BUCKETS, windowOf } from "../../../src/phone/calls/statistics-window.ts";

const HOUR_MS = 3_600_000;
const NOW = Date.parse("2026-11-21T09:30:00.000Z");
const LENGTH_MS = { minute: 60_000, hour: HOUR_MS, day: 24 * HOUR_MS };

describe("the window of statistics", () => {
  it("the statistics window consists of the fewest whole buckets that cover the requested time", () => {
    const requested = fc.record({
      since: fc.integer({ min: NOW - 400 * 24 * HOUR_MS, max: NOW }),
      length: fc.integer({ min: 1, max: 14 * 24 * HOUR_MS }),
      interval: fc.option(fc.constantFrom(...INTERVALS), { nil: undefined }),
    });
    fc.assert(
      fc.property(requested, ({ since, length, interval }) => {
        const iso = (ms: number) => new Date(ms).toISOString();
        const window = windowOf({ since: iso(since), until: iso(since + length), interval }, NOW);
        if ("field" in window) {
          // The default interval is never too fine.
          expect([window.field, interval === undefined]).toEqual(["interval", false]);
          return;
        }
        const step = LENGTH_MS[window.interval];
        const begins = window.buckets.map((at) => Date.parse(at));
        expect(begins.length).toBeLessThanOrEqual(MAX_BUCKETS);
        expect(begins.every((at, i) => at % step === 0 && at === (begins[0] ?? 0) + i * step)).toBe(true);
        const [first = 0, last = 0] = [begins[0], begins.at(-1)];
        expect([window.since, window.until]).toEqual([iso(first), iso(last + step)]);
        expect(first <= since && since < first + step).toBe(true);
        expect(last < since + length && since + length <= last + step).toBe(true);
      }),
    );
  });

  it.each([
    [3 * HOUR_MS, "minute"],
    [3 * HOUR_MS + 1, "hour"],
    [4 * 24 * HOUR_MS, "hour"],
    [4 * 24 * HOUR_MS + 1, "day"],
  ])("a statistics window of %i ms is counted by the %s if no interval is named", (length, interval) => {
    expect(windowOf({ since: new Date(NOW - length).toISOString() }, NOW)).toMatchObject({ interval });
  });

  it("the window of statistics is the last day by default", () => {
    expect(windowOf({}, NOW)).toMatchObject({ since: "2026-11-20T09:00:00.000Z", until: "2026-11-21T10:00:00.000Z" });
    const { since } = { since: undefined, ...windowOf({ until: "2026-11-01T12:00:00.000Z" }, NOW) };
    expect(since).toBe("2026-10-31T12:00:00.000Z");
  });
});
