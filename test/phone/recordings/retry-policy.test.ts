import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Outcome, pruneAt, retryDecision } from "../../../src/phone/recordings/retry-policy.ts";

const DAY = 86_400_000;
const MINUTES = 60_000;
const NOW = Date.parse("2026-11-21T09:30:00.000Z");

const outcome = fc.constantFrom<Outcome>("listed", "listed_before", "unfetched", "refused", "unlisted", "no_carrier");
const entry = fc.record({
  taken_at: fc.integer({ min: NOW - 2 * DAY, max: NOW }),
  tries: fc.integer({ min: 0, max: 2_000 }),
});

/** Repeats a recording's download as soon as it is due; returns the times since it was reported. */
function tries(outcome: Outcome, until: number): number[] {
  const at = [0];
  for (;;) {
    const now = NOW + (at.at(-1) ?? 0);
    const decision = retryDecision({ taken_at: NOW, tries: at.length - 1 }, outcome, now);
    if (decision.next !== "again" || decision.due_at > NOW + until) return at;
    at.push(decision.due_at - NOW);
  }
}

describe("the decision on a recording", () => {
  it("a failed download is tried again after 1 s, then after doubling delays up to ten minutes", () => {
    const at = tries("unfetched", 2 * DAY);
    const waits = at.slice(1).map((time, i) => (time - (at[i] ?? 0)) / 1_000);
    expect(waits.slice(0, 12)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]);
    expect(new Set(waits.slice(11))).toEqual(new Set([600]));
  });

  it("a recording is given up once the carrier has failed to deliver it for a day", () => {
    const last = tries("unfetched", 2 * DAY).at(-1) ?? 0;
    expect(last).toBeGreaterThanOrEqual(DAY);
    expect(last).toBeLessThanOrEqual(DAY + 10 * MINUTES);
  });

  it("a recording is never given up because of a failure of the service itself", () => {
    expect(tries("unlisted", 30 * DAY).at(-1)).toBeGreaterThan(30 * DAY - 10 * MINUTES);
  });

  it("a recording without credentials is given up at once", () => {
    expect(tries("no_carrier", DAY)).toEqual([0]);
    expect(tries("refused", DAY)).toEqual([0]);
  });

  it("never deletes audio that is, or may be, listed under our id", () => {
    fc.assert(
      fc.property(entry, outcome, (one, found) => {
        const { next, erase } = retryDecision(one, found, NOW);
        if (found === "listed" || found === "unlisted") expect(erase).toBe(false);
        // The attempt leaves no audio behind that no record refers to.
        if (next === "given_up" || found === "listed_before") expect(erase).toBe(true);
      }),
    );
  });

  it("always schedules a retry in the future and within ten minutes", () => {
    fc.assert(
      fc.property(entry, outcome, (one, found) => {
        const decision = retryDecision(one, found, NOW);
        if (decision.next !== "again") return;
        expect(decision.due_at).toBeGreaterThan(NOW);
        expect(decision.due_at).toBeLessThanOrEqual(NOW + 10 * MINUTES);
      }),
    );
  });

  it("a finished recording is remembered for a day, then pruned within the hour", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 * NOW }), (now) => {
        expect(pruneAt(now)).toBeGreaterThanOrEqual(now + DAY);
        expect(pruneAt(now)).toBeLessThan(now + DAY + 60 * MINUTES);
        expect(pruneAt(now) % (60 * MINUTES)).toBe(0);
      }),
    );
  });
});
