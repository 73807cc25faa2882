import { afterEach, describe, expect, it, vi } from "vitest";
import { MOST_TURNS, ObjectFrame } from "../../../src/kernel/durable/object-frame.ts";
import type { ObjectPart } from "../../../src/kernel/durable/object-part.ts";
import { DAY_MS } from "../../../src/kernel/time.ts";

type Parts = Record<string, ObjectPart>;

/** Creates an object with these parts and one alarm, and records its reports. Its storage survives a rebuild. */
function objectOf(parts: Parts) {
  const reports: [message: string, part: string][] = [];
  const stored = new Map<string, unknown>();
  const alarm: { at: number | null; set: number } = { at: null, set: 0 };
  const storage = {
    getAlarm: async () => alarm.at,
    setAlarm: async (at: number) => {
      alarm.at = at;
      alarm.set += 1;
    },
    deleteAlarm: async () => {
      alarm.at = null;
    },
    deleteAll: async () => stored.clear(),
    kv: {
      get: (key: string) => stored.get(key),
      put: (key: string, value: unknown) => void stored.set(key, value),
      delete: (key: string) => stored.delete(key),
    },
  } as unknown as DurableObjectStorage;
  let holds = true;
  let built: Promise<unknown> = Promise.resolve();
  const build = async (): Promise<ObjectFrame<Parts>> => {
    const frame = new ObjectFrame<Parts>({
      state: {
        storage,
        blockConcurrencyWhile: (work) => {
          const ready = work();
          built = ready;
          return ready;
        },
      },
      holds: () => holds,
      build: () => parts,
      parts: (opened) => opened,
      report: (error, { part }) => void reports.push([error instanceof Error ? error.message : "", part]),
    });
    await built;
    return frame;
  };
  /** Fires the alarm as the platform does: it is no longer set while it is being handled. */
  const fire = async (frame: ObjectFrame<Parts>) => {
    alarm.at = null;
    await frame.alarm();
  };
  return { build, fire, alarm, stored, reports, empty: () => (holds = false) };
}

/** Creates a part that does one piece after the other, and counts them. */
function pieces(work: (() => void | Promise<void>)[], then: number | null = null) {
  const part = {
    done: 0,
    dueAt: (): number | null => (part.done < work.length ? 0 : then),
    run: async () => {
      const piece = work[part.done++];
      await piece?.();
    },
  };
  return part;
}

const times = (n: number) => Array.from({ length: n }, () => () => {});

/** Runs everything that only waits for its turn. */
const settle = async () => {
  for (let i = 0; i < 20; i++) await scheduler.wait(0);
};

describe("an object's frame", () => {
  afterEach(() => void vi.useRealTimers());

  it("works as long as a part is due, and arms no alarm if none will be", async () => {
    const part = pieces(times(3));
    const object = objectOf({ part });
    const frame = await object.build();
    expect(object.alarm.at).not.toBeNull();
    await object.fire(frame);
    expect([part.done, object.alarm.at]).toEqual([3, null]);
  });

  it("arms the alarm for the part that is due first", async () => {
    const soon = Date.now() + 60_000;
    const object = objectOf({ one: pieces([], soon + 1), two: pieces([], soon), three: pieces([]) });
    await object.build();
    expect(object.alarm.at).toBe(soon);
  });

  it("asks no part again while the alarm is about to fire", async () => {
    const part = pieces(times(1));
    const dueAt = vi.spyOn(part, "dueAt");
    const frame = await objectOf({ part }).build();
    const asked = dueAt.mock.calls.length;
    await Promise.all([frame.arm(), frame.arm()]);
    expect(dueAt.mock.calls.length).toBe(asked);
  });

  it("arms the alarm again if it is overdue", async () => {
    const now = Date.now();
    vi.useFakeTimers({ now, toFake: ["Date"] });
    const object = objectOf({ part: pieces(times(1)) });
    const frame = await object.build();
    object.alarm.at = null;
    vi.setSystemTime(now + 5_000);
    await frame.arm();
    expect(object.alarm.at).toBe(now + 5_001);
  });

  it("arms the alarm again after the object was emptied", async () => {
    const object = objectOf({ part: pieces(times(1)) });
    const frame = await object.build();
    await frame.empty();
    await frame.arm();
    expect(object.alarm.at).not.toBeNull();
  });

  it("stores nothing and arms no alarm for an object that holds nothing", async () => {
    const object = objectOf({ part: pieces(times(1)) });
    object.empty();
    const frame = await object.build();
    await frame.arm();
    expect([object.alarm.set, object.stored.size]).toEqual([0, 0]);
  });

  it("tells a rebuilt part what the alarm was armed for", async () => {
    const seen: (number | null)[] = [];
    const part = {
      dueAt: () => null,
      run: async () => {},
      resume: (_: number, at: number | null) => void seen.push(at),
    };
    const object = objectOf({ part });
    await object.build();
    object.alarm.at = 5;
    await object.build();
    expect(seen).toEqual([null, 5]);
  });

  it("runs other parts while a piece hangs", async () => {
    const hanging = Promise.withResolvers<void>();
    const slow = pieces([() => hanging.promise]);
    const quick = pieces(times(4));
    const object = objectOf({ slow, quick });
    const frame = await object.build();
    const alarm = object.fire(frame);
    await settle();
    expect([slow.done, quick.done]).toEqual([1, 4]);
    hanging.resolve();
    await alarm;
    expect(object.alarm.at).toBeNull();
  });

  it("runs a part that becomes due while another is at work", async () => {
    const hanging = Promise.withResolvers<void>();
    const late = pieces([]);
    const work = [() => {}];
    late.dueAt = () => (late.done < work.length && isWoken ? 0 : null);
    let isWoken = false;
    const object = objectOf({ slow: pieces([() => hanging.promise]), late });
    const frame = await object.build();
    const alarm = object.fire(frame);
    await settle();
    expect(late.done).toBe(0);
    isWoken = true;
    await frame.arm();
    await settle();
    expect(late.done).toBe(1);
    hanging.resolve();
    await alarm;
  });

  it("serves requests after every piece", async () => {
    const part = pieces(times(50));
    const object = objectOf({ part });
    const frame = await object.build();
    const seen = new Set<number>();
    let over = false;
    const other = async () => {
      for (; !over; await new Promise((resolve) => setTimeout(resolve))) seen.add(part.done);
    };
    const watching = other();
    await object.fire(frame);
    over = true;
    await watching;
    expect(seen.size).toBeGreaterThan(20);
  });

  it("leaves the remaining work to the next alarm after 200 turns, even if no time has passed", async () => {
    const now = Date.now();
    vi.useFakeTimers({ now, toFake: ["Date"] });
    const part = pieces(times(1_000));
    const object = objectOf({ part });
    const frame = await object.build();
    await object.fire(frame);
    expect([part.done, object.alarm.at]).toEqual([MOST_TURNS, now + 1]);
  });

  it("logs a failure with the part's name, continues, and retries only that part", async () => {
    const fail = () => {
      throw new Error("away");
    };
    const bad = { dueAt: () => 0, run: async () => fail() };
    const good = pieces(times(3));
    const object = objectOf({ bad, good });
    const frame = await object.build();
    const before = Date.now();
    await object.fire(frame);
    expect([object.reports, good.done]).toEqual([[["away", "bad"]], 3]);
    expect(object.alarm.at).toBeGreaterThanOrEqual(before + 1_000);
  });

  it("remembers across rebuilds how long a part has failed, until a piece succeeds", async () => {
    const start = Date.now();
    vi.useFakeTimers({ now: start, toFake: ["Date"] });
    let isDown = true;
    const part = {
      dueAt: () => (isDown ? 0 : null),
      run: async () => {
        if (isDown) throw new Error("away");
      },
    };
    const object = objectOf({ part });
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      const frame = await object.build();
      const now = Date.now();
      await object.fire(frame);
      waits.push((object.alarm.at ?? 0) - now);
      vi.setSystemTime(object.alarm.at ?? now);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    vi.setSystemTime(start + DAY_MS);
    await object.fire(await object.build());
    expect(object.alarm.at).toBe(start + DAY_MS + 3_600_000);
    vi.setSystemTime(object.alarm.at ?? 0);
    const frame = await object.build();
    isDown = true;
    part.run = async () => {
      isDown = false;
    };
    await object.fire(frame);
    expect([object.stored.size, object.alarm.at]).toEqual([0, null]);
  });

  it("runs a part that cannot say when it is due, and retries it as a failing one", async () => {
    const lost = () => {
      throw new Error("no such table");
    };
    const good = pieces(times(2));
    const object = objectOf({ bad: { dueAt: lost, run: async () => lost() }, good });
    await object.fire(await object.build());
    expect([object.reports, good.done]).toEqual([[["no such table", "bad"]], 2]);
    expect(object.alarm.at).not.toBeNull();
  });

  it("neither logs, stores nor arms anything for pieces that end after the object was closed", async () => {
    const hanging = Promise.withResolvers<void>();
    const object = objectOf({ part: pieces([() => hanging.promise, () => {}]) });
    const frame = await object.build();
    const alarm = object.fire(frame);
    await settle();
    frame.close();
    hanging.reject(new Error("no such table"));
    await alarm;
    expect([object.reports, object.stored.size, object.alarm.at]).toEqual([[], 0, null]);
  });

  it("counts how late an alarm was, compared with what it was armed for since the rebuild", async () => {
    const now = Date.now();
    vi.useFakeTimers({ now, toFake: ["Date"] });
    const object = objectOf({ part: pieces([], now + 1_000) });
    const frame = await object.build();
    vi.setSystemTime(now + 1_250);
    await object.fire(frame);
    expect([frame.takeAlarmLag(), frame.takeAlarmLag()]).toEqual([250, 0]);
  });
});
