import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { migrate } from "../../../src/kernel/durable/migrate.ts";
import { accountEvents } from "../../../src/kernel/durable/objects.ts";
import { DAY_MS, HOUR_MS } from "../../../src/kernel/time.ts";
import { EventLog } from "../../../src/records/events/event-log.ts";
import { eventPage, sequenceOfLast } from "../../../src/records/events/event-page.ts";
import { EVENTS_MIGRATIONS } from "../../../src/records/events/migrations.ts";
import { happening } from "./support.ts";

const NOW = Date.parse("2026-11-23T09:00:00.000Z");
const at = (ms: number) => new Date(ms).toISOString();
/** Returns the n-th event, at this time (ms). */
const event = (n: number, ms: number) => happening(n, n % 3 === 0 ? "tool_run.failed" : "opt_out.added", at(ms));

/** Runs a test on a separate log with these limits. */
async function withLog(
  limits: { days?: number; mostKept?: number; mostPruned?: number; mostBytes?: number },
  test: (log: EventLog, readDays: () => number) => void | Promise<void>,
): Promise<void> {
  await runInDurableObject(accountEvents(env, `t-${crypto.randomUUID()}`), async (_, { storage }) => {
    migrate(storage, EVENTS_MIGRATIONS, NOW);
    const { days = 30, mostKept = 1_000, mostPruned = 1_000, mostBytes = 9e9 } = limits;
    let reads = 0;
    const keptDays = async () => {
      reads += 1;
      return days;
    };
    await test(new EventLog({ storage, keptDays, mostKept, mostPruned, mostBytes }), () => reads);
  });
}

const everything = { beginning: null, types: null, agentIds: null, since: null, limit: 100 };
const kept = (log: EventLog, now: number) => eventPage(log, everything, now).events.map(({ sequence }) => sequence);

/** Fires the alarm whenever it is set, until this time. Returns how often. */
async function ring(log: EventLog, end: number): Promise<number> {
  for (let alarms = 0; ; alarms++) {
    const due = log.dueAt();
    if (due === null || due > end) return alarms;
    await log.run(due);
  }
}

/** Prunes until nothing is due at this time; returns the number of rounds. */
async function prune(log: EventLog, now: number): Promise<number> {
  log.retentionChanged();
  for (let rounds = 0; ; rounds++) {
    const due = log.dueAt();
    if (due === null || due > now) return rounds;
    await log.run(now);
  }
}

describe("the event log", () => {
  it("deletes events older than the retention in pieces, and continues its numbers", () =>
    withLog({ days: 10, mostPruned: 2 }, async (log) => {
      for (let n = 1; n <= 5; n++) log.take([event(n, NOW + n)], NOW + n);
      log.take([event(6, NOW + 5 * DAY_MS)], NOW + 5 * DAY_MS);
      await prune(log, NOW + 10);
      expect(kept(log, NOW + 10)).toEqual([6, 5, 4, 3, 2, 1]);
      const later = NOW + 11 * DAY_MS;
      expect(await prune(log, later)).toBe(3);
      expect(kept(log, later)).toEqual([6]);
      expect(eventPage(log, everything, later).oldest).toBe(at(NOW + 5 * DAY_MS));
      expect(log.dueAt()).toBe(NOW + 15 * DAY_MS + HOUR_MS);
      await prune(log, NOW + 16 * DAY_MS);
      expect([kept(log, later), log.dueAt(), log.last]).toEqual([[], null, 6]);
      log.take([event(7, NOW + 16 * DAY_MS)], NOW + 16 * DAY_MS);
      expect(kept(log, later)).toEqual([7]);
    }));

  it("needs two alarms and two D1 reads for 1,000 events that expire within an hour", () =>
    withLog({ days: 10 }, async (log, reads) => {
      for (let n = 1; n <= 1_000; n++) log.take([event(n, NOW + n * 3_600)], NOW + n * 3_600);
      // When it starts, the object reads how long events are retained.
      await log.run(NOW + HOUR_MS);
      const before = reads();
      expect(await ring(log, NOW + 12 * DAY_MS)).toBeLessThanOrEqual(2);
      expect(reads() - before).toBeLessThanOrEqual(2);
      expect([kept(log, NOW), log.last]).toEqual([[], 1_000]);
    }));

  it("needs few alarms for new events when it is full", () =>
    withLog({ mostKept: 500 }, async (log, reads) => {
      let alarms = 0;
      for (let n = 1; n <= 600; n++) {
        log.take([event(n, NOW + n)], NOW + n);
        alarms += await ring(log, NOW + n);
      }
      expect(alarms).toBeLessThanOrEqual(100 / 5);
      expect(reads()).toBe(alarms);
      expect(log.last - (log.first?.sequence ?? 0)).toBeLessThan(505);
    }));

  it("deletes the oldest events of a database that is too large", () =>
    withLog({ mostPruned: 50, mostBytes: 1_000_000 }, async (log) => {
      const long = "x".repeat(10_000);
      for (let n = 1; n <= 300; n++) {
        const one = event(n, NOW + n);
        log.take([Object.assign({}, one, { data: Object.assign({}, one.data, { reason: long }) })], NOW + n);
        await ring(log, NOW + n);
      }
      expect(log.last).toBe(300);
      expect(log.first?.sequence).toBeGreaterThan(200);
      expect(log.first?.sequence).toBeLessThan(300);
    }));

  it("deletes the oldest events beyond the maximum number", () =>
    withLog({ mostKept: 4, mostPruned: 3 }, async (log) => {
      for (let n = 1; n <= 10; n++) log.take([event(n, NOW + n)], NOW + n);
      expect(log.dueAt()).toBe(0);
      await prune(log, NOW + 20);
      expect(kept(log, NOW + 20)).toEqual([10, 9, 8, 7]);
    }));

  it("never keeps an event for longer than 30 days", () =>
    withLog({ days: 90 }, async (log) => {
      log.take([event(1, NOW)], NOW);
      await prune(log, NOW + 31 * DAY_MS);
      expect(kept(log, NOW)).toEqual([]);
    }));

  it("refuses pruned events, and stores late events that are new", () =>
    withLog({ mostKept: 2 }, async (log) => {
      for (let n = 1; n <= 5; n++) log.take([event(n, NOW + n * HOUR_MS)], NOW + n * HOUR_MS);
      const now = NOW + 6 * HOUR_MS;
      await prune(log, now);
      log.take(
        [1, 2, 3, 4, 5].map((n) => event(n, NOW + n * HOUR_MS)),
        now,
      );
      expect(kept(log, now)).toEqual([5, 4]);
      log.take([event(6, NOW + 3.5 * HOUR_MS)], now);
      expect(kept(log, now)).toEqual([6, 5, 4]);
    }));

  it("does not trust a clock that was ahead", () =>
    withLog({ mostKept: 1 }, async (log) => {
      log.take([event(1, NOW + DAY_MS)], NOW);
      log.take([event(2, NOW + 1)], NOW + 1);
      await prune(log, NOW + 2);
      log.take([event(3, NOW + 2)], NOW + 2);
      expect(kept(log, NOW + 2)).toEqual([3, 2]);
    }));

  it("refuses to continue from a pruned position", () =>
    withLog({ mostKept: 3 }, async (log) => {
      for (let n = 1; n <= 9; n++) log.take([event(n, NOW + n)], NOW + n);
      const now = NOW + 10;
      await prune(log, now);
      const from = (beginning: Parameters<typeof eventPage>[1]["beginning"]) =>
        eventPage(log, Object.assign({}, everything, { beginning }), now).events.map(({ sequence }) => sequence);
      const expired = expect.objectContaining({ status: 400, code: "cursor_expired" });
      expect(() => from({ event: event(6, NOW + 6).id })).toThrow(expired);
      expect(() => sequenceOfLast(log, event(2, NOW + 2).id, now)).toThrow(expired);
      expect(() => from({ direction: "newer", from: 5 })).toThrow(expired);
      expect(from({ direction: "newer", from: 6 })).toEqual([7, 8, 9]);
      expect(from({ event: event(7, NOW + 7).id })).toEqual([8, 9]);
      expect(from({ direction: "older", from: 5 })).toEqual([]);
      expect(() => from({ event: event(10, NOW + 11).id })).toThrow(expect.objectContaining({ code: "unknown_event" }));
    }));
});

describe("reading the event log", () => {
  it("returns what a filter over all events would, wherever it begins and however late events arrive", () =>
    withLog({}, async (log) => {
      const all: { sequence: number; type: string; at: string }[] = [];
      const lateness = [0, 0, 5, 2, 0, 40, 1, 0, 0, 30, 3, 0];
      for (let n = 1; n <= 120; n++) {
        const happened = NOW + n * 60_000 - (lateness[n % lateness.length] ?? 0) * 60_000;
        const one = event(n, happened);
        log.take([one], NOW + n * 60_000);
        all.push({ sequence: n, type: one.type, at: one.at });
      }
      const types = fc.constantFrom(
        null,
        ["tool_run.failed" as const],
        ["opt_out.added" as const, "call.ended" as const],
      );
      const requested = fc.record({
        types,
        direction: fc.constantFrom("older" as const, "newer" as const),
        from: fc.integer({ min: 0, max: 121 }),
        since: fc.option(fc.integer({ min: -50, max: 130 }).map((minutes) => at(NOW + minutes * 60_000))),
        limit: fc.integer({ min: 1, max: 30 }),
      });
      fc.assert(
        fc.property(requested, ({ types: only, direction, from, since, limit }) => {
          const wanted = all.filter(({ sequence, type, at: time }) => {
            const beyond = direction === "newer" ? sequence > from : sequence < from;
            return beyond && (only === null || only.some((one) => one === type)) && (since === null || time >= since);
          });
          if (direction === "older") wanted.reverse();
          const found: number[] = [];
          for (let position: number | null = from; position !== null; ) {
            const { events, next } = log.walk({ from: position, direction, types: only, agentIds: null, since, limit });
            expect(events.length).toBeLessThanOrEqual(limit);
            found.push(...events.map(({ sequence }) => sequence));
            position = next;
          }
          expect(found).toEqual(wanted.map(({ sequence }) => sequence));
        }),
      );
    }));
});
