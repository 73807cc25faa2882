import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ObjectPart } from "../../../src/kernel/durable/object-part.ts";
import {
  failedAgain,
  PARKED_AFTER_MS,
  PARKED_RETRY_MS,
  type PartFailure,
  USUAL_RETRY,
} from "../../../src/kernel/durable/part-failures.ts";
import { PartSchedule } from "../../../src/kernel/durable/part-schedule.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/kernel/time.ts";

/** The work of a part: when each piece is due, how long it takes, and whether it fails. */
interface Work {
  due: number[];
  pieceMs: number;
  fails: boolean;
}

const work = (fails = fc.boolean()): fc.Arbitrary<Work> =>
  fc.record({
    due: fc
      .array(fc.integer({ min: 0, max: 10 * MINUTE_MS }), { maxLength: 12 })
      .map((due) => due.sort((a, b) => a - b)),
    pieceMs: fc.integer({ min: 0, max: MINUTE_MS }),
    fails,
  });

/** An object whose pieces are stored. It has a virtual clock, and loses all but its storage in a crash. */
class VirtualObject {
  now = 0;
  /** The stored pieces that are left to do, by part. */
  readonly #left: Record<string, number[]>;
  readonly #work: Record<string, Work>;
  #failures: Record<string, PartFailure> = {};
  #armedAt: number | null = null;
  #schedule: PartSchedule;
  #parts: Record<string, ObjectPart> = {};
  #running: { name: string; part: ObjectPart; endsAt: number }[] = [];
  /** When each piece was started, and the earliest time at which it could have been. */
  readonly started: { name: string; at: number; couldAt: number }[] = [];
  readonly #endedAt: Record<string, number> = {};

  constructor(work: Work[]) {
    this.#work = Object.fromEntries(work.map((one, i) => [`part ${i}`, one]));
    this.#left = Object.fromEntries(work.map((one, i) => [`part ${i}`, [...one.due]]));
    this.#schedule = this.#build();
    this.#arm();
  }

  #build(): PartSchedule {
    this.#parts = Object.fromEntries(
      Object.keys(this.#work).map((name) => [
        name,
        { dueAt: () => this.#left[name]?.[0] ?? null, run: () => Promise.resolve() },
      ]),
    );
    const schedule = new PartSchedule();
    schedule.failures = this.#failures;
    return schedule;
  }

  /** Loses the process with its pieces and, if `losesAlarm`, the alarm. */
  crash(losesAlarm: boolean): void {
    this.#running = [];
    if (losesAlarm) this.#armedAt = null;
    for (const name of Object.keys(this.#work)) this.#endedAt[name] = this.now;
    this.#schedule = this.#build();
    this.#arm();
  }

  get left(): Record<string, number[]> {
    return this.#left;
  }

  get armedAt(): number | null {
    return this.#armedAt;
  }

  get hasWork(): boolean {
    return this.#running.length > 0 || Object.values(this.#left).some(({ length }) => length > 0);
  }

  /** Runs until a time, or until no alarm is set. */
  until(end: number): void {
    for (;;) {
      // While pieces run, the alarm that started them waits for the first to end or for another part to be due.
      const whileRunning = Math.min(this.#schedule.nextAt ?? end, ...this.#running.map(({ endsAt }) => endsAt));
      const next = this.#running.length > 0 ? whileRunning : (this.#armedAt ?? end);
      if (next >= end || (this.#armedAt === null && this.#running.length === 0)) break;
      this.now = Math.max(this.now, next);
      this.#turn();
    }
    this.now = Math.max(this.now, end);
  }

  #turn(): void {
    const { now } = this;
    for (const piece of this.#running.filter(({ endsAt }) => endsAt <= now)) this.#end(piece);
    for (const [name, part] of this.#schedule.begin(this.#parts, now)) {
      const couldAt = Math.max(part.dueAt({}) ?? 0, this.#endedAt[name] ?? 0, this.#failures[name]?.notBefore ?? 0);
      this.started.push({ name, at: now, couldAt });
      this.#running.push({ name, part, endsAt: now + (this.#work[name]?.pieceMs ?? 0) });
    }
    this.#armedAt = null;
    this.#arm();
  }

  #end({ name, part, endsAt }: { name: string; part: ObjectPart; endsAt: number }): void {
    const fails = this.#work[name]?.fails ?? false;
    this.#running = this.#running.filter((piece) => piece.part !== part);
    if (!fails) this.#left[name]?.shift();
    this.#endedAt[name] = endsAt;
    this.#schedule.ended(name, part, fails ? "failed" : "done", endsAt);
    this.#failures = this.#schedule.failures;
  }

  #arm(): void {
    const at = this.#schedule.alarmAt(this.#parts, this.now);
    if (at !== null) this.#armedAt = Math.min(this.#armedAt ?? at, at);
  }
}

/** How late a piece may start, ms, because an alarm is never set for the current time. */
const ALARM_MS = 1;

describe("the schedule of an object's parts", () => {
  it("starts each piece as soon as it is due and the part's previous one has ended", () => {
    fc.assert(
      fc.property(fc.array(work(), { minLength: 1, maxLength: 5 }), (works) => {
        const object = new VirtualObject(works);
        object.until(2 * HOUR_MS);
        for (const { at, couldAt } of object.started) expect(at - couldAt).toBeLessThanOrEqual(ALARM_MS);
        for (const [i, { fails, due }] of works.entries()) {
          const starts = object.started.filter(({ name }) => name === `part ${i}`).length;
          if (fails) expect(starts > 0).toBe(due.length > 0);
          else expect(starts).toBe(due.length);
        }
      }),
    );
  });

  it("retries a part that always fails after growing waits, rarely after a day, and never stops", () => {
    const object = new VirtualObject([{ due: [0], pieceMs: 10, fails: true }]);
    object.until(2 * DAY_MS);
    const starts = object.started.map(({ at }) => at);
    const waits = starts.slice(1).map((at, i) => at - (starts[i] ?? 0) - 10);
    expect(waits.slice(0, 8)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    expect(waits.at(-1)).toBe(PARKED_RETRY_MS);
    const afterADay = starts.filter((at) => at > PARKED_AFTER_MS + HOUR_MS).length;
    expect(afterADay).toBeGreaterThan(20);
    expect(afterADay).toBeLessThan(25);
  });

  it("never shortens the wait after another failure, whatever the policy", () => {
    const policy = fc.record({
      firstMs: fc.integer({ min: 1, max: 5_000 }),
      longestMs: fc.integer({ min: 5_000, max: HOUR_MS }),
    });
    fc.assert(
      fc.property(policy, fc.array(fc.nat(DAY_MS), { maxLength: 60 }), (retry, gaps) => {
        let [failure, now, wait]: [PartFailure | undefined, number, number] = [undefined, 0, 0];
        for (const gap of gaps) {
          now = Math.max(now + gap, failure?.notBefore ?? 0);
          failure = failedAgain(failure, retry, now);
          expect(failure.notBefore - now).toBeGreaterThanOrEqual(wait);
          wait = failure.notBefore - now;
        }
        expect(wait).toBeLessThanOrEqual(Math.max(PARKED_RETRY_MS, retry.longestMs));
      }),
    );
  });

  it("begins with the shortest wait after a piece that succeeded", () => {
    let isDown = true;
    const part: ObjectPart = { dueAt: () => 0, run: async () => {} };
    const schedule = new PartSchedule();
    let now = 0;
    for (const expected of [1_000, 2_000, 4_000, 0, 1_000]) {
      isDown = expected > 0;
      expect(schedule.begin({ part }, now).length).toBe(1);
      schedule.ended("part", part, isDown ? "failed" : "done", now);
      schedule.alarmAt({ part }, now);
      expect((schedule.nextAt ?? 0) - (isDown ? now : 0)).toBe(expected);
      now = Math.max(now, schedule.nextAt ?? now);
    }
    expect(USUAL_RETRY.firstMs).toBe(1_000);
  });

  it("keeps the alarm armed exactly while a part has work", () => {
    fc.assert(
      fc.property(
        fc.array(work(), { maxLength: 5 }),
        fc.array(fc.nat(5 * MINUTE_MS), { maxLength: 10 }),
        (works, steps) => {
          const object = new VirtualObject(works);
          expect(object.armedAt !== null).toBe(object.hasWork);
          for (const step of steps) {
            object.until(object.now + step);
            expect(object.armedAt !== null).toBe(object.hasWork);
          }
        },
      ),
    );
  });

  it("loses no piece in crashes, with or without the alarm", () => {
    const crash = fc.record({ after: fc.nat(2 * MINUTE_MS), losesAlarm: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(work(), { minLength: 1, maxLength: 4 }),
        fc.array(crash, { maxLength: 10 }),
        (works, crashes) => {
          const object = new VirtualObject(works);
          for (const { after, losesAlarm } of crashes) {
            object.until(object.now + after);
            object.crash(losesAlarm);
          }
          object.until(object.now + 2 * HOUR_MS);
          for (const [i, { fails, due }] of works.entries()) expect(object.left[`part ${i}`]).toEqual(fails ? due : []);
        },
      ),
    );
  });

  it("discards the outcome of an emptied object's piece", () => {
    const part = (): ObjectPart => ({ dueAt: () => 0, run: async () => {} });
    let parts: Record<string, ObjectPart> = { one: part() };
    const schedule = new PartSchedule();
    const [[name, old] = ["", part()]] = schedule.begin(parts, 0);
    parts = {};
    expect(schedule.alarmAt(parts, 0)).toBeNull();
    parts = { one: part() };
    schedule.ended(name, old, "discarded", 0);
    expect([schedule.failures, schedule.alarmAt(parts, 0)]).toEqual([{}, 1]);
  });
});
