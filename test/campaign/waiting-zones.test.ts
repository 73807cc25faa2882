import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, it, vi } from "vitest";
import { openingAfter } from "../../src/campaign/decide/calling-windows.ts";
import { type DispatchState, nextStep } from "../../src/campaign/decide/next-step.ts";
import { WaitingZone, WaitingZones } from "../../src/campaign/decide/waiting-zone.ts";
import { rules, ZONES } from "./world/virtual-rules.ts";

const START = Date.parse("2026-10-24T10:00:00Z");
const MINUTE = 60_000;

/** Waiting contacts of some zones: how many of each become due at which minutes; 0 means immediately. */
const groups = fc
  .array(fc.array(fc.tuple(fc.nat(3_000), fc.nat(40)), { maxLength: 4 }), { maxLength: 5 })
  .map((zones) =>
    zones.map((times, zone) =>
      times.map(([minute, n]) => ({
        zone,
        name: ZONES[zone % ZONES.length] ?? null,
        dueAt: minute === 0 ? 0 : START + minute * MINUTE,
        n,
      })),
    ),
  );

describe("many zones merged into two queues", () => {
  it("lead to the same steps as the queues of all zones", () => {
    fc.assert(
      fc.property(groups, rules, fc.integer({ min: 1, max: 60 }), (all, { windows, timezone }, slots) => {
        const make = () => all.map((ofZone) => new WaitingZone(ofZone, windows, timezone, START));
        const single = make();
        const together = new WaitingZones(make());
        let at = START;
        for (let i = 0; i < 200; i++) {
          const state: DispatchState = {
            status: "running",
            scheduledAt: null,
            maxConcurrency: slots,
            callsPerMinute: null,
            open: 0,
            dialledAt: [],
            notBefore: null,
            trying: null,
            zones: single.filter(({ left }) => left > 0).map((zone) => zone.queueAt(at)),
          };
          const expected = nextStep(state, at);
          const step = nextStep({ ...state, zones: together.queuesAt(at) }, at);
          expect([step.dial, step.wakeAt, step.waiting]).toEqual([expected.dial, expected.wakeAt, expected.waiting]);
          let left = step.dial;
          for (const zone of single) if (expected.zones.includes(zone.zone)) left -= zone.take(left);
          together.take(step.dial);
          expect(together.left).toBe(single.reduce((sum, zone) => sum + zone.left, 0));
          if (step.dial > 0) continue;
          if (step.wakeAt === null) return;
          at = step.wakeAt;
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("openings of calling windows", () => {
  it("resolve a zone once per interval without a clock change, however often they are requested", () => {
    const lookUps = vi.spyOn(Temporal.ZonedDateTime.prototype, "getTimeZoneTransition");
    const office = [{ days: [1, 2, 3, 4, 5], start: "09:00", end: "17:00" }];
    // A year of hours contains two clock changes.
    for (let hour = 0; hour < 8_760; hour++) openingAfter(office, "America/Boise", START + hour * 60 * MINUTE);
    expect(lookUps.mock.calls.length).toBeLessThanOrEqual(4);
    lookUps.mockRestore();
  });
});
