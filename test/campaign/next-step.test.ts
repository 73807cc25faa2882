import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { afterCarrierTrouble, type CarrierTrouble } from "../../src/campaign/decide/breaker.ts";
import { type DispatchState, nextStep, type Step, WAVE } from "../../src/campaign/decide/next-step.ts";

const NOW = 1_000_000;
const MINUTE = 60_000;

/** The state of a campaign in which only time passes. */
interface Course extends Omit<DispatchState, "zones" | "dialledAt"> {
  dialledAt: number[];
  zones: { openings: [opens: number, closes: number][]; dueAt: number[] }[];
}

function stateAt({ zones, dialledAt, ...rest }: Course, at: number): DispatchState {
  return {
    ...rest,
    dialledAt: dialledAt.filter((time) => time > at - MINUTE).slice(-(rest.callsPerMinute ?? 0)),
    zones: zones
      .map(({ openings, dueAt }, zone) => {
        const opening = openings.find(([, closes]) => closes > at);
        const later = dueAt.filter((time) => time > at);
        return {
          zone,
          opensAt: opening ? Math.max(opening[0], at) : null,
          due: Math.min(WAVE, dueAt.length - later.length),
          nextDueAt: later.length > 0 ? Math.min(...later) : null,
        };
      })
      .filter(({ due, nextDueAt }) => due > 0 || nextDueAt !== null),
  };
}

const stepAt = (course: Course, at: number): Step => nextStep(stateAt(course, at), at);

/** Returns every time at which time alone can change something. */
function moments({ scheduledAt, notBefore, dialledAt, zones }: Course): number[] {
  return [
    NOW,
    scheduledAt ?? NOW,
    notBefore ?? NOW,
    ...dialledAt.map((at) => at + MINUTE),
    ...zones.flatMap(({ openings, dueAt }) => [...openings.map(([opens]) => opens), ...dueAt]),
  ]
    .filter((at) => at >= NOW)
    .sort((a, b) => a - b);
}

const around = fc.integer({ min: NOW - 2 * MINUTE, max: NOW + 10 * MINUTE });
const openings = fc
  .uniqueArray(around, { maxLength: 6 })
  .map((times) => times.sort((a, b) => a - b))
  .map((times) =>
    times.flatMap((opens, i): [number, number][] => (i % 2 === 0 ? [[opens, times[i + 1] ?? opens + 1]] : [])),
  );
const course: fc.Arbitrary<Course> = fc.record({
  status: fc.oneof(
    { weight: 9, arbitrary: fc.constant("running" as const) },
    { weight: 1, arbitrary: fc.constantFrom("draft" as const, "paused" as const, "stopped" as const) },
  ),
  scheduledAt: fc.option(around),
  maxConcurrency: fc.option(fc.integer({ min: 1, max: 40 })),
  callsPerMinute: fc.option(fc.integer({ min: 1, max: 40 })),
  open: fc.integer({ min: 0, max: 40 }),
  dialledAt: fc
    .array(fc.integer({ min: NOW - 2 * MINUTE, max: NOW }), { maxLength: 50 })
    .map((times) => times.sort((a, b) => a - b)),
  notBefore: fc.option(around),
  trying: fc.option(fc.constantFrom(0, 0, 0, 1, 6), { freq: 3 }),
  zones: fc.array(
    fc.record({
      openings: fc.oneof(fc.constant<[number, number][]>([[0, Number.POSITIVE_INFINITY]]), openings),
      dueAt: fc.array(fc.oneof(fc.constant(0), around), { maxLength: 50 }),
    }),
    { maxLength: 4 },
  ),
});

describe("next dispatch step", () => {
  it("stays within every limit, and dials only in open zones", () => {
    fc.assert(
      fc.property(course, (random) => {
        const state = stateAt(random, NOW);
        const step = nextStep(state, NOW);
        const due = state.zones.filter(({ opensAt, due }) => due > 0 && opensAt !== null && opensAt <= NOW);
        expect(step.dial).toBeGreaterThanOrEqual(0);
        if (step.dial === 0) return;
        if (state.trying !== null) expect(state.trying + step.dial).toBe(1);
        expect(step.dial).toBeLessThanOrEqual(WAVE);
        expect(step.dial).toBeLessThanOrEqual(due.reduce((sum, zone) => sum + zone.due, 0));
        expect(state.open + step.dial).toBeLessThanOrEqual(state.maxConcurrency ?? Number.POSITIVE_INFINITY);
        const lastMinute = random.dialledAt.filter((at) => at > NOW - MINUTE).length;
        expect(lastMinute + step.dial).toBeLessThanOrEqual(state.callsPerMinute ?? Number.POSITIVE_INFINITY);
        expect(step.zones).toEqual(due.map(({ zone }) => zone));
        expect(state.status).toBe("running");
        expect(Math.max(state.scheduledAt ?? 0, state.notBefore ?? 0)).toBeLessThanOrEqual(NOW);
      }),
      { numRuns: 2_000 },
    );
  });

  it("gives the reason when it dials no one, and schedules the next check in time", () => {
    let waited = 0;
    fc.assert(
      fc.property(course, (random) => {
        const first = moments(random).find((at) => stepAt(random, at).dial > 0) ?? null;
        let at: number | null = NOW;
        for (let looks = 0; at !== null; looks++) {
          const step = stepAt(random, at);
          if (step.dial > 0) break;
          expect(step.waiting).not.toBeNull();
          expect(step.zones).toEqual([]);
          if (step.wakeAt !== null) expect(step.wakeAt).toBeGreaterThan(at);
          if (step.wakeAt !== null && first !== null) expect(step.wakeAt).toBeLessThanOrEqual(first);
          expect(looks).toBeLessThanOrEqual(moments(random).length);
          at = step.wakeAt;
        }
        expect(at).toBe(first);
        if (first !== null && first > NOW) waited++;
      }),
      { numRuns: 2_000 },
    );
    expect(waited).toBeGreaterThan(100);
  });

  it.each<[Step["waiting"], Partial<DispatchState>]>([
    ["not_running", { status: "paused" }],
    ["schedule", { scheduledAt: NOW + 1 }],
    ["carrier", { notBefore: NOW + 1 }],
    ["window", { zones: [{ zone: 0, opensAt: NOW + 1, due: 1, nextDueAt: null }] }],
    ["window", { zones: [{ zone: 0, opensAt: null, due: 1, nextDueAt: null }] }],
    ["retry", { zones: [{ zone: 0, opensAt: NOW, due: 0, nextDueAt: NOW + 1 }] }],
    ["concurrency", { maxConcurrency: 2, open: 2 }],
    ["rate", { callsPerMinute: 2, dialledAt: [NOW - 2, NOW - 1] }],
    ["nothing", { zones: [] }],
    [null, {}],
  ])("the next dispatch step waits for %s", (waiting, changes) => {
    const state: DispatchState = {
      status: "running",
      scheduledAt: null,
      maxConcurrency: null,
      callsPerMinute: null,
      open: 0,
      dialledAt: [],
      notBefore: null,
      trying: null,
      zones: [{ zone: 0, opensAt: NOW, due: 1, nextDueAt: null }],
    };
    expect(nextStep({ ...state, ...changes }, NOW).waiting).toBe(waiting);
  });

  it("tries a carrier that failed with one call at a time", () => {
    const state: DispatchState = {
      status: "running",
      scheduledAt: null,
      maxConcurrency: null,
      callsPerMinute: null,
      open: 0,
      dialledAt: [],
      notBefore: NOW,
      trying: 0,
      zones: [{ zone: 0, opensAt: NOW, due: WAVE, nextDueAt: null }],
    };
    expect(nextStep(state, NOW).dial).toBe(1);
    expect(nextStep({ ...state, trying: 1 }, NOW)).toMatchObject({ dial: 0, waiting: "carrier" });
    expect(nextStep({ ...state, trying: null }, NOW).dial).toBe(WAVE);
  });
});

describe("the consequence of a carrier's failure", () => {
  const waits = (trouble: CarrierTrouble, bursts: number) => {
    let before: { failures: number; failedAt: number | null } = { failures: 0, failedAt: null };
    let now = NOW;
    return Array.from({ length: bursts }, () => {
      const verdict = afterCarrierTrouble(trouble, before, now, now) ?? expect.fail("it counts");
      const wait = verdict.notBefore - now;
      before = { failures: verdict.failures, failedAt: now };
      now = verdict.notBefore + 1;
      return [wait / 1_000, verdict.state];
    });
  };

  it("a carrier's failures lead to longer waits, up to ten minutes if the carrier is away", () => {
    for (const trouble of ["outage", "uncertain"] as const)
      expect(waits(trouble, 11)).toEqual([
        ...[1, 2, 4, 8].map((wait) => [wait, "waits"]),
        ...[30, 60, 120, 300, 600, 600, 600].map((wait) => [wait, "away"]),
      ]);
  });

  it("a carrier's rate limit leads to a wait of half a minute at most", () => {
    expect(waits("rate", 8)).toEqual([1, 2, 4, 8, 16, 30, 30, 30].map((wait) => [wait, "waits"]));
  });

  it("a failure that waiting does not help pauses the campaign at once", () => {
    for (const trouble of ["auth", "funds", "caller_id"] as const)
      expect(afterCarrierTrouble(trouble, { failures: 0, failedAt: null }, NOW, NOW)?.state).toBe("pauses");
  });

  it("a carrier's failure counts once for calls that were in flight together", () => {
    const before = { failures: 1, failedAt: NOW };
    expect(afterCarrierTrouble("outage", before, NOW - 1, NOW + 5)).toBeNull();
    expect(afterCarrierTrouble("outage", before, NOW + 1, NOW + 5)?.failures).toBe(2);
  });
});
