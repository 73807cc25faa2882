import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  admitCalls,
  admitCampaignCalls,
  campaignSlots,
  nextUtcDay,
  utcDay,
} from "../../../src/phone/call-limits/call-caps.ts";

const count = fc.nat(300);
const caps = fc.record({ concurrent_calls: count, calls_per_minute: count, calls_per_day: count });
const now = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2034, 0) });
const usage = fc.record({ concurrent: count, lastMinute: count, today: count, ago: fc.nat(59_999), ahead: count });

const at = (
  used: { concurrent: number; lastMinute: number; today: number; ago: number; ahead: number },
  time: number,
) => ({
  ...used,
  ofCampaigns: 0,
  oldestInMinute: used.lastMinute > 0 ? time - used.ago : null,
  nextLeaseExpiry: used.concurrent > 0 ? time + used.ahead * 1_000 : null,
});

describe("admitCalls", () => {
  it("admits exactly as many calls as every cap permits", () => {
    fc.assert(
      fc.property(caps, usage, fc.nat(400), now, (limits, used, want, time) => {
        const { granted, refusal } = admitCalls(limits, at(used, time), want, time);
        const free = Math.min(
          limits.concurrent_calls - used.concurrent,
          limits.calls_per_minute - used.lastMinute,
          limits.calls_per_day - used.today,
        );
        expect(granted).toBe(Math.max(0, Math.min(want, free)));
        expect(refusal === null).toBe(granted === want);
      }),
    );
  });

  it("names the tightest cap, and a future time at which it may admit a call", () => {
    fc.assert(
      fc.property(caps, usage, now, (limits, used, time) => {
        const { refusal } = admitCalls(limits, at(used, time), 1_000, time);
        expect(refusal).not.toBeNull();
        if (!refusal) return;
        expect(refusal.retryAt).toBeGreaterThan(time);
        const left = {
          concurrent_calls_cap: limits.concurrent_calls - used.concurrent,
          calls_per_minute_cap: limits.calls_per_minute - used.lastMinute,
          calls_per_day_cap: limits.calls_per_day - used.today,
        };
        expect(left[refusal.cap]).toBe(Math.min(...Object.values(left)));
        if (refusal.cap === "calls_per_day_cap") expect(refusal.retryAt).toBe(nextUtcDay(time));
        if (refusal.cap === "calls_per_minute_cap") expect(refusal.retryAt - time).toBeLessThanOrEqual(60_000);
        if (refusal.cap === "concurrent_calls_cap") expect(refusal.retryAt - time).toBeLessThanOrEqual(5_000);
      }),
    );
  });

  it("ends a UTC day at midnight", () => {
    fc.assert(
      fc.property(now, (time) => {
        expect(utcDay(nextUtcDay(time))).not.toBe(utcDay(time));
        expect(utcDay(nextUtcDay(time) - 1)).toBe(utcDay(time));
      }),
    );
  });
});

describe("admitCampaignCalls", () => {
  const reserve = fc.option(fc.nat(50));

  it("leaves the reserve to other calls, and at least one slot to campaigns", () => {
    fc.assert(
      fc.property(fc.nat(300), reserve, (cap, kept) => {
        const slots = campaignSlots({ concurrent_calls: cap }, kept);
        expect(slots).toBeLessThanOrEqual(cap);
        expect(slots).toBeGreaterThanOrEqual(Math.min(1, cap));
        const reserve = kept ?? (cap >= 10 ? 1 : 0);
        expect(cap - slots).toBe(cap === 0 ? 0 : Math.min(reserve, cap - 1));
      }),
    );
  });

  it("admits exactly as many calls as the campaigns' slots and every cap permit", () => {
    fc.assert(
      fc.property(caps, reserve, usage, fc.nat(300), fc.nat(400), now, (limits, kept, used, theirs, want, time) => {
        const slots = campaignSlots(limits, kept);
        const all = at(used, time);
        all.ofCampaigns = Math.min(theirs, used.concurrent);
        const campaigns = admitCampaignCalls(limits, slots, all, want, time);
        const others = admitCalls(limits, all, want, time);
        expect(campaigns.granted).toBe(Math.max(0, Math.min(others.granted, slots - all.ofCampaigns)));
        expect(campaigns.refusal === null).toBe(campaigns.granted === want);
      }),
    );
  });
});
