import { describe, expect, it } from "vitest";
import { doneOf } from "../../src/browser/console/screens/campaigns/live/state.ts";
import { formatAhead, formatRelative } from "../../src/browser/console/texts/format.ts";

const NOW = Date.parse("2026-11-28T12:00:00Z");
const inSeconds = (seconds: number) => new Date(NOW + seconds * 1_000).toISOString();

describe("a moment that is ahead", () => {
  it("is in less than a minute where it is near, not now", () => {
    for (const seconds of [59, 20, 1, 0, -3])
      expect(formatAhead(inSeconds(seconds), NOW)).toBe("in less than a minute");
  });

  it("is written as every other time from a minute on", () => {
    for (const seconds of [60, 200, 9_000]) {
      expect(formatAhead(inSeconds(seconds), NOW)).toBe(formatRelative(inSeconds(seconds), NOW));
    }
  });
});

describe("contacts that are done", () => {
  it("leave out those who were canceled, whom nobody called", () => {
    expect(doneOf(Object.assign({ completed: 60, failed: 36 }, { cancelled: 304 }))).toBe(96);
  });
});
