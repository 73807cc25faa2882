import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LeaseLedger } from "../../../src/account/meter/lease-ledger.ts";
import { METER_MIGRATIONS } from "../../../src/account/meter/migrations.ts";
import { migrate } from "../../../src/kernel/durable/migrate.ts";
import { campaignSlots } from "../../../src/phone/call-limits/call-caps.ts";
import { tenant } from "../../support/client.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const PLENTY = 1_000_000;
const caps = (concurrent_calls: number, calls_per_minute = PLENTY, calls_per_day = PLENTY) => ({
  concurrent_calls,
  calls_per_minute,
  calls_per_day,
});
const limits = (concurrent_calls: number, campaign_slots = concurrent_calls) => ({
  caps: caps(concurrent_calls),
  campaign_slots,
});
const ids = (n: number) => Array.from({ length: n }, () => crypto.randomUUID());

/** Runs `body` with a new ledger, in the storage of a Durable Object. */
function withLedger<T>(body: (ledger: LeaseLedger) => T | Promise<T>): Promise<T> {
  const meter = env.ACCOUNT_METER.getByName(`ledger-${crypto.randomUUID()}`);
  return runInDurableObject(meter, (_, state) => {
    migrate(state.storage, METER_MIGRATIONS, NOW);
    return body(new LeaseLedger(state.storage.sql));
  });
}

describe("lease ledger", () => {
  it("grants leases in order of requests while slots are free, and again when a call ends", async () => {
    await withLedger((ledger) => {
      const [a = "", b = "", c = ""] = ids(3);
      expect(ledger.take([a, b, c], MINUTE, caps(2), NOW).granted).toBe(2);
      expect(ledger.take([c], MINUTE, caps(2), NOW)).toMatchObject({
        granted: 0,
        refusal: { cap: "concurrent_calls_cap" },
      });
      ledger.free([c]);
      expect(ledger.room(limits(2), NOW)).toBe(0);
      ledger.free([a]);
      ledger.free([a]);
      expect(ledger.room(limits(2), NOW)).toBe(1);
    });
  });

  it("frees a slot when a lease expires, later if it was renewed", async () => {
    await withLedger((ledger) => {
      const [a = "", b = ""] = ids(2);
      ledger.take([a, b], MINUTE, caps(2), NOW);
      ledger.renew([a], MINUTE, NOW + 30_000);
      expect(ledger.usage(NOW + MINUTE - 1).concurrent).toBe(2);
      expect(ledger.usage(NOW + MINUTE).concurrent).toBe(1);
      expect(ledger.usage(NOW + 90_000).concurrent).toBe(0);
    });
  });

  it("does not restore an expired lease or one that was never taken", async () => {
    await withLedger((ledger) => {
      const [a = "", b = ""] = ids(2);
      ledger.take([a], MINUTE, caps(1), NOW);
      ledger.renew([a, b], MINUTE, NOW + MINUTE);
      expect(ledger.usage(NOW + MINUTE).concurrent).toBe(0);
    });
  });

  it("takes back a lease that the campaign does not know, as if it was never granted", async () => {
    await withLedger((ledger) => {
      const [a = "", b = "", other = "", single = ""] = ids(4);
      ledger.takeForCampaign([a, b], MINUTE, limits(9), NOW, "mine");
      ledger.takeForCampaign([other], MINUTE, limits(9), NOW, "other");
      ledger.take([single], MINUTE, caps(9), NOW, { lookAt: NOW });
      ledger.refundLost("mine", [a]);
      expect(ledger.usage(NOW)).toMatchObject({ concurrent: 3, lastMinute: 3, today: 3 });
      ledger.refundLost("mine", [a]);
      expect(ledger.usage(NOW)).toMatchObject({ concurrent: 3, lastMinute: 3, today: 3 });
      ledger.refundLost("mine", []);
      expect(ledger.usage(NOW)).toMatchObject({ concurrent: 2, lastMinute: 2, today: 2 });
    });
  });

  it("counts a lease that is taken twice only once in every cap", async () => {
    await withLedger((ledger) => {
      const [a = "", b = "", c = ""] = ids(3);
      for (let again = 0; again < 2; again++) {
        expect(ledger.take([a], MINUTE, caps(9), NOW).granted).toBe(1);
        expect(ledger.takeForCampaign([b, c], MINUTE, limits(9), NOW, "mine").granted).toBe(2);
      }
      expect(ledger.usage(NOW)).toMatchObject({ concurrent: 3, lastMinute: 3, today: 3 });
    });
  });

  it("grants a lease again to its holder at the cap", async () => {
    await withLedger((ledger) => {
      const [a = "", b = ""] = ids(2);
      ledger.take([a], MINUTE, caps(1), NOW);
      expect(ledger.take([a, b], MINUTE, caps(1), NOW)).toMatchObject({
        granted: 1,
        refusal: { cap: "concurrent_calls_cap" },
      });
    });
  });

  it("counts a sliding minute, however the calls ended", async () => {
    await withLedger((ledger) => {
      const limits = caps(PLENTY, 3);
      const first = ids(2);
      ledger.take(first, MINUTE, limits, NOW);
      ledger.free(first);
      expect(ledger.take(ids(5), MINUTE, limits, NOW + 20_000)).toEqual({
        granted: 1,
        refusal: { cap: "calls_per_minute_cap", retryAt: NOW + MINUTE },
      });
      const room = { caps: limits, campaign_slots: PLENTY };
      expect(ledger.room(room, NOW + MINUTE - 1)).toBe(0);
      expect(ledger.room(room, NOW + MINUTE)).toBe(2);
      expect(ledger.room(room, NOW + MINUTE + 20_000)).toBe(3);
    });
  });

  it("does not count an unused lease towards a cap", async () => {
    await withLedger((ledger) => {
      const taken = [ids(3), ids(2)].map((some) => {
        ledger.take(some, MINUTE, caps(9), NOW);
        return some;
      });
      ledger.refund(taken.flat().slice(1));
      expect(ledger.usage(NOW)).toMatchObject({ concurrent: 1, lastMinute: 1, today: 1, oldestInMinute: NOW });
      ledger.refund(taken.flat());
      ledger.refund(taken.flat());
      expect(ledger.usage(NOW)).toMatchObject({ concurrent: 0, lastMinute: 0, today: 0, oldestInMinute: null });
    });
  });

  it("counts a UTC day and prunes it at midnight", async () => {
    await withLedger((ledger) => {
      const limits = caps(PLENTY, PLENTY, 4);
      expect(ledger.take(ids(9), MINUTE, limits, NOW).granted).toBe(4);
      const midnight = Date.UTC(2026, 10, 22);
      expect(ledger.take(ids(1), MINUTE, limits, midnight - 1)).toEqual({
        granted: 0,
        refusal: { cap: "calls_per_day_cap", retryAt: midnight },
      });
      expect(ledger.take(ids(9), MINUTE, limits, midnight).granted).toBe(4);
    });
  });

  it("never exceeds a cap, in any order of calls, ends and expiries", async () => {
    const step = fc.oneof(
      fc.record({ take: fc.integer({ min: 1, max: 8 }), ttl: fc.integer({ min: 1, max: 40_000 }) }),
      fc.record({ free: fc.nat(20) }),
      fc.record({ refund: fc.nat(20) }),
      fc.record({ renew: fc.nat(20) }),
      fc.record({ wait: fc.nat(30_000) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), (steps) =>
        withLedger((ledger) => {
          const limits = caps(5, 12, 40);
          const admitted: { id: string; at: number; until: number }[] = [];
          let now = NOW;
          for (const s of steps) {
            if ("wait" in s) now += s.wait;
            else if ("take" in s) {
              const wanted = ids(s.take);
              const { granted } = ledger.take(wanted, s.ttl, limits, now);
              admitted.push(...wanted.slice(0, granted).map((id) => ({ id, at: now, until: now + s.ttl })));
            } else if ("refund" in s) {
              const lease = admitted[s.refund];
              if (lease && lease.until > now) {
                ledger.refund([lease.id]);
                admitted.splice(s.refund, 1);
              }
            } else if ("free" in s) {
              const lease = admitted[s.free];
              if (lease) {
                ledger.free([lease.id]);
                lease.until = Math.min(lease.until, now);
              }
            } else {
              const lease = admitted[s.renew];
              if (lease) {
                ledger.renew([lease.id], 10_000, now);
                if (lease.until > now) lease.until = now + 10_000;
              }
            }
            const concurrent = admitted.filter(({ until }) => until > now).length;
            const lastMinute = admitted.filter(({ at }) => at > now - MINUTE).length;
            expect(ledger.usage(now)).toMatchObject({ concurrent, lastMinute, today: admitted.length });
            expect([concurrent <= 5, lastMinute <= 12, admitted.length <= 40]).toEqual([true, true, true]);
          }
        }),
      ),
      { numRuns: 60 },
    );
  });

  it("keeps the reserve from campaigns and never exceeds the cap, in any order of requests", async () => {
    const step = fc.record({
      who: fc.constantFrom("a campaign", "another campaign", "a single call", "an end"),
      n: fc.integer({ min: 1, max: 6 }),
    });
    const world = fc.record({
      cap: fc.integer({ min: 1, max: 14 }),
      reserve: fc.option(fc.nat(16)),
      steps: fc.array(step, { maxLength: 30 }),
    });
    await fc.assert(
      fc.asyncProperty(world, ({ cap, reserve, steps }) =>
        withLedger((ledger) => {
          const slots = campaignSlots({ concurrent_calls: cap }, reserve);
          const open: { id: string; ofCampaign: boolean }[] = [];
          const admitted = (taken: string[], granted: number, ofCampaign: boolean) => {
            const free = Math.min(cap - open.length, ofCampaign ? slots - ofCampaigns() : cap);
            expect(granted).toBe(Math.max(0, Math.min(taken.length, free)));
            open.push(...taken.slice(0, granted).map((id) => ({ id, ofCampaign })));
          };
          const ofCampaigns = () => open.filter(({ ofCampaign }) => ofCampaign).length;
          for (const { who, n } of steps) {
            const taken = ids(n);
            if (who === "an end") ledger.free(open.splice(0, n).map(({ id }) => id));
            else if (who === "a single call") {
              admitted(taken, ledger.take(taken, MINUTE, caps(cap), NOW, { lookAt: NOW }).granted, false);
            } else admitted(taken, ledger.takeForCampaign(taken, MINUTE, limits(cap, slots), NOW, who).granted, true);
            expect(ledger.usage(NOW)).toMatchObject({ concurrent: open.length, ofCampaigns: ofCampaigns() });
            expect([open.length <= cap, ofCampaigns() <= slots]).toEqual([true, true]);
          }
        }),
      ),
      { numRuns: 40 },
    );
  });

  it("admits exactly the cap when 50 ask at once, through the meter", async () => {
    const { account } = await tenant({ caps: { concurrent_calls: 7 } });
    const meter = env.ACCOUNT_METER.getByName(account);
    const answers = await Promise.all(ids(50).map((id) => meter.lease(id, MINUTE)));
    expect(answers.filter(({ granted }) => granted === 1)).toHaveLength(7);
    expect((await meter.usage()).usage.concurrent).toBe(7);
  });
});

describe("watched leases", () => {
  it("watched leases are looked up when due and count until they are settled", async () => {
    await withLedger((ledger) => {
      const [watched = "", campaigns = ""] = ids(2);
      ledger.take([watched], 2 * MINUTE, caps(9), NOW, { lookAt: NOW + MINUTE });
      ledger.take([campaigns], MINUTE, caps(9), NOW);
      expect([ledger.silent(9, NOW), ledger.nextLookAt()]).toEqual([[], NOW + MINUTE]);
      const later = NOW + MINUTE;
      expect(ledger.usage(later).concurrent).toBe(1);
      expect(ledger.silent(9, later)).toEqual([{ callId: watched, hangUp: false, lookAt: later }]);
      ledger.lookAt(watched, later + 5, 3 * MINUTE);
      expect([ledger.silent(9, later), ledger.nextLookAt()]).toEqual([[], later + 5]);
      expect(ledger.usage(later + 2 * MINUTE).concurrent).toBe(1);
      ledger.lookAt(watched, later + 7, 0);
      ledger.owesHangUp(watched, true);
      expect(ledger.silent(9, later + 7)).toEqual([{ callId: watched, hangUp: true, lookAt: later + 7 }]);
      ledger.free([watched]);
      expect([ledger.usage(later).concurrent, ledger.nextLookAt()]).toEqual([0, null]);
    });
  });

  it("watched leases are all looked up sooner after a restart, never later", async () => {
    await withLedger((ledger) => {
      const [early = "", late = ""] = ids(2);
      ledger.take([early], MINUTE, caps(9), NOW, { lookAt: NOW + 5 });
      ledger.take([late], MINUTE, caps(9), NOW, { lookAt: NOW + MINUTE });
      ledger.looked(late, NOW);
      ledger.lookAtAll((lookedAt) => NOW + (lookedAt === null ? 9 : 20));
      expect(ledger.silent(9, NOW + 5)).toEqual([{ callId: early, hangUp: false, lookAt: NOW + 5 }]);
      expect(ledger.silent(9, NOW + 20).map(({ callId }) => callId)).toEqual([early, late]);
    });
  });
});
