import { afterEach, describe, expect, it, vi } from "vitest";
import { AlarmLoop, MOST_ROUNDS, type Round, type Work } from "../../../src/kernel/durable/alarm-loop.ts";

const IDLE: Round = { worked: false, wakeAt: null };

/** An alarm loop whose work is given round by round, and the alarms it set. */
function loopOf(rounds: (Round | Error)[], work: Partial<Work> = {}) {
  const alarms: number[] = [];
  const errors: unknown[] = [];
  let n = 0;
  const storage = { setAlarm: async (at: number) => void alarms.push(at) } as unknown as DurableObjectStorage;
  const it = new AlarmLoop(storage, {
    round: async () => {
      const round = rounds[n++] ?? IDLE;
      if (round instanceof Error) throw round;
      return round;
    },
    beside: [async () => null],
    alive: () => true,
    report: (error) => errors.push(error),
    ...work,
  });
  return { it, alarms, errors, rounds: () => n };
}

/** Lets everything run that waits for nothing but its turn. */
const settle = async () => {
  for (let i = 0; i < 20; i++) await scheduler.wait(0);
};

describe("alarm loop", () => {
  afterEach(() => void vi.useRealTimers());

  it("works for as long as there is something to do, and sets no alarm where nothing is left", async () => {
    const {
      it: one,
      alarms,
      rounds,
    } = loopOf([
      { worked: true, wakeAt: null },
      { worked: true, wakeAt: null },
    ]);
    await one.run();
    expect([rounds(), alarms]).toEqual([3, []]);
  });

  it("wakes when the round or its background work is due, whichever is first", async () => {
    const soon = Date.now() + 60_000;
    for (const [wakeAt, besideAt] of [
      [soon, soon + 1],
      [soon + 1, soon],
      [null, soon],
    ] as const) {
      const { it: one, alarms } = loopOf([{ worked: false, wakeAt }], { beside: [async () => besideAt] });
      await one.run();
      expect(alarms).toEqual([soon]);
    }
  });

  it("does not let background work delay a round", async () => {
    const { promise, resolve } = Promise.withResolvers<null>();
    const { it: one, rounds } = loopOf([], { beside: [() => promise] });
    const running = one.run();
    await settle();
    expect(rounds()).toBe(1);
    await one.wake();
    await settle();
    expect(rounds()).toBe(2);
    resolve(null);
    await running;
  });

  it("lets others in after every round", async () => {
    const working = Array.from({ length: 50 }, () => ({ worked: true, wakeAt: null }));
    const { it: one, rounds } = loopOf(working);
    const seen = new Set<number>();
    let over = false;
    const other = async () => {
      for (; !over; await new Promise((resolve) => setTimeout(resolve))) seen.add(rounds());
    };
    const watching = other();
    await one.run();
    over = true;
    await watching;
    expect(seen.size).toBeGreaterThan(20);
  });

  it("leaves what remains after so many rounds to the next alarm, though no time has passed", async () => {
    const now = Date.now();
    vi.useFakeTimers({ now, toFake: ["Date"] });
    const { it: one, alarms, rounds } = loopOf(Array.from({ length: 1_000 }, () => ({ worked: true, wakeAt: null })));
    await one.run();
    expect([rounds(), alarms]).toEqual([MOST_ROUNDS, [now + 1]]);
  });

  it("looks again when something happens during a round, and sets an alarm when it happens outside", async () => {
    let happen = async () => {};
    const {
      it: one,
      alarms,
      rounds,
    } = loopOf([], {
      beside: [
        async () => {
          await happen();
          return null;
        },
      ],
    });
    happen = async () => {
      happen = async () => {};
      await one.wake();
    };
    await one.run();
    expect([rounds(), alarms]).toEqual([2, []]);
    await one.wake();
    expect(alarms).toHaveLength(1);
  });

  it("reports a failure and tries again, unless there is nothing left to come back for", async () => {
    const failure = new Error("away");
    const { it: one, alarms, errors } = loopOf([failure]);
    const before = Date.now();
    await one.run();
    expect(errors).toEqual([failure]);
    expect(alarms[0]).toBeGreaterThan(before + 1_000);
    const gone = loopOf([failure], { alive: () => false });
    await gone.it.run();
    expect(gone.alarms).toEqual([]);
  });

  it("keeps dialling while background work fails, and retries that", async () => {
    const {
      it: one,
      alarms,
      errors,
    } = loopOf([{ worked: true, wakeAt: null }], {
      beside: [
        async () => {
          throw new Error("away");
        },
      ],
    });
    await one.run();
    expect(errors.length).toBeGreaterThan(0);
    expect(alarms).toHaveLength(1);
  });

  it("lets a piece beside that hangs hold up neither the next round nor another piece", async () => {
    const hanging = Promise.withResolvers<null>();
    let pieces = 0;
    const { it: one, rounds } = loopOf(
      [
        { worked: false, wakeAt: Date.now() + 30 },
        { worked: false, wakeAt: null },
      ],
      {
        beside: [() => hanging.promise, async () => (++pieces < 4 ? Date.now() + 10 : null)],
      },
    );
    const running = one.run();
    await vi.waitFor(() => expect([rounds() >= 2, pieces]).toEqual([true, 4]), 10_000);
    hanging.resolve(null);
    await running;
  });
});
