import { describe, expect, it } from "vitest";
import { doneOf } from "../../src/browser/console/screens/campaigns/live/state.ts";
import { formatAhead, formatRelative } from "../../src/browser/console/texts/format.ts";

const NOW = Date.parse("2026-11-28T12:00:00Z");
const inSeconds = (seconds: number) => new Date(NOW + seconds * 1_000).toISOString();

describe("a future time", () => {
  it('a near future time is "in less than a minute", not now', () => {
    for (const seconds of [59, 20, 1, 0, -3])
      expect(formatAhead(inSeconds(seconds), NOW)).toBe("in less than a minute");
  });

  it("a future time is formatted like any other from a minute on", () => {
    for (const seconds of [60, 200, 9_000]) {
      expect(formatAhead(inSeconds(seconds), NOW)).toBe(formatRelative(inSeconds(seconds), NOW));
    }
  });
});

describe("completed contacts", () => {
  it("don't include canceled ones, who weren't called", () => {
    expect(doneOf(Object.assign({ completed: 60, failed: 36 }, { cancelled: 304 }))).toBe(96);
  });
});
