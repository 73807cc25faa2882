import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { EventParser } from "../../../src/dev/event-stream.ts";
import { APART_MS, EventHub, encodeEvent, type StreamEvent } from "../../../src/kernel/streams/event-hub.ts";

/** The hubs of the running test. An open hub would run its timers during the next test. */
const hubs: EventHub[] = [];

afterEach(() => {
  vi.useRealTimers();
  for (const hub of hubs.splice(0)) hub.close();
});

/** A campaign's history as the hub sees it. It records the hub's reads. */
class History {
  readonly events: StreamEvent[] = [];
  /** The number of times that an event's data was encoded. */
  encoded = 0;
  /** The number of pages that were read. */
  reads = 0;
  readonly hub: EventHub;
  /** Resolves when the next events are durable. */
  durable = Promise.resolve();

  constructor(length = 0, size = 0) {
    this.#append(length, "x".repeat(size));
    this.hub = new EventHub(
      {
        after: (seq, limit) => {
          this.reads++;
          return this.events.slice(seq, seq + limit);
        },
        snapshot: () => ({ seq: this.events.length, data: { seq: this.events.length } }),
        storage: { sync: () => this.durable },
      },
      length,
    );
    hubs.push(this.hub);
  }

  /** Appends `n` events at once, with data of about `size` characters. */
  happen(n: number, size = 0): void {
    this.#append(n, "x".repeat(size));
    void this.hub.publish(this.events.length);
  }

  #append(n: number, text: string): void {
    const streams = Array.from({ length: n }, (_, i) => {
      const seq = this.events.length + i + 1;
      const toJSON = () => {
        this.encoded++;
        return { seq, text };
      };
      return { seq, event: "originated", data: { toJSON } };
    });
    this.events.push(...streams);
  }
}

/** A reader that behaves like an EventSource: it remembers the last id, and reconnects with it after an error. */
class Watcher {
  readonly ids: number[] = [];
  readonly chunks: Uint8Array[] = [];
  #last: number | null;
  #greeted = false;
  #parser: EventParser;
  #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #hub: EventHub;

  constructor(hub: EventHub, lastSeen: number | null) {
    this.#hub = hub;
    this.#last = lastSeen;
    this.#parser = new EventParser(String(lastSeen ?? ""));
    this.#reader = hub.open(lastSeen).getReader();
  }

  /** Returns the next frame, including comments. */
  async next(): Promise<string | null> {
    const { value, done } = await this.#reader.read();
    if (done) return null;
    this.chunks.push(value);
    const text = new TextDecoder().decode(value);
    for (const parsed of this.#parser.push(text)) {
      if ("retry" in parsed) continue;
      if (parsed.id !== "") this.#last = Number(parsed.id);
      if (parsed.event === "snapshot") this.#greeted = true;
      else this.ids.push(Number(parsed.id));
    }
    return text;
  }

  /** Reads one piece, if one is available. */
  async step(head: number): Promise<void> {
    if (!this.#greeted || this.#last !== head) await this.next();
  }

  /** Loses its connection, and reconnects with the last id. */
  async comeBack(): Promise<void> {
    await this.leave();
    this.#greeted = false;
    this.#parser = new EventParser(String(this.#last ?? ""));
    this.#reader = this.#hub.open(this.#last).getReader();
  }

  async upTo(head: number): Promise<void> {
    while (!this.#greeted || (this.#last ?? 0) < head) await this.step(head);
  }

  leave = () => this.#reader.cancel();
}

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);

describe("an event hub", () => {
  it("encodes each event once for a thousand readers, and all receive all of them in order", async () => {
    const history = new History(7);
    const watchers = Array.from({ length: 1_000 }, () => new Watcher(history.hub, null));
    for (let i = 0; i < 10; i++) history.happen(3);
    await Promise.all(watchers.map((watcher) => watcher.upTo(37)));
    expect(history.encoded).toBe(30);
    const [first] = watchers;
    for (const watcher of watchers) {
      expect(watcher.ids).toEqual(range(8, 37));
      // It is the same object, not a copy: a slow reader costs a reference, not bytes of its own.
      expect(watcher.chunks.slice(1).every((chunk, i) => chunk === first?.chunks[i + 1])).toBe(true);
    }
  });

  it("sends at once what happens after a pause, and in one piece what happens closely together", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const history = new History();
    const watcher = new Watcher(history.hub, null);
    await watcher.next();
    for (let i = 0; i < 4; i++) history.happen(1);
    await watcher.upTo(1);
    vi.advanceTimersByTime(APART_MS);
    await watcher.upTo(4);
    expect(watcher.chunks).toHaveLength(3);
    vi.advanceTimersByTime(APART_MS);
    history.happen(1);
    await watcher.upTo(5);
    expect(watcher.ids).toEqual(range(1, 5));
  });

  it("encodes a page of history once for a thousand readers who reconnect at once", async () => {
    const history = new History(1_000);
    const watchers = Array.from({ length: 1_000 }, () => new Watcher(history.hub, 0));
    await Promise.all(watchers.map((watcher) => watcher.upTo(1_000)));
    expect(history.encoded).toBe(1_000);
    for (const watcher of watchers) expect(watcher.ids).toEqual(range(1, 1_000));
  });

  it("sends a great many events at once in small pieces, each encoded once", async () => {
    const history = new History();
    const watchers = [new Watcher(history.hub, null), new Watcher(history.hub, null)];
    history.happen(2_000, 300);
    for (const watcher of watchers) {
      await watcher.upTo(2_000);
      expect(watcher.ids).toEqual(range(1, 2_000));
      expect(Math.max(...watcher.chunks.map(({ length }) => length))).toBeLessThan(64 * 1024);
    }
    expect(history.encoded).toBe(2_000);
  });

  it("starts a new reader with a snapshot whose id is the end of the history", async () => {
    const watcher = new Watcher(new History(5).hub, null);
    expect(await watcher.next()).toBe('retry: 2000\n\nevent: snapshot\ndata: {"seq":5}\nid: 5\n\n');
  });

  it("sends the snapshot of a resumed stream without an id, because what follows is older", async () => {
    const watcher = new Watcher(new History(5).hub, 2);
    expect(await watcher.next()).toBe('retry: 2000\n\nevent: snapshot\ndata: {"seq":5}\n\n');
    await watcher.upTo(5);
    expect(watcher.ids).toEqual([3, 4, 5]);
  });

  it.each([0, 1, 99, 100, 101, 199, 200, 250])("replays a history of 250 from %i and continues live", async (from) => {
    const history = new History(250);
    const watcher = new Watcher(history.hub, from);
    history.happen(1);
    await watcher.upTo(251);
    history.happen(2);
    await watcher.upTo(253);
    expect(watcher.ids).toEqual(range(from + 1, 253));
  });

  it("does not send again what happened while a reader caught up", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const history = new History(1_000, 400);
    const watcher = new Watcher(history.hub, 0);
    history.happen(1);
    history.happen(1);
    await watcher.upTo(1_002);
    vi.advanceTimersByTime(APART_MS);
    history.happen(1);
    vi.advanceTimersByTime(APART_MS);
    await watcher.upTo(1_003);
    expect(watcher.ids).toEqual(range(1, 1_003));
  });

  it("treats a last id that is ahead of the history as a fresh start", async () => {
    const history = new History(5);
    const watcher = new Watcher(history.hub, 6);
    expect(await watcher.next()).toContain('event: snapshot\ndata: {"seq":5}\nid: 5\n');
    history.happen(1);
    await watcher.upTo(6);
    expect(watcher.ids).toEqual([6]);
  });

  it("replays from any point without a gap or repetition, however slowly it is read", async () => {
    const step = fc.oneof(
      fc.record({
        happen: fc.integer({ min: 1, max: 120 }),
        size: fc.constantFrom(0, 0, 100, 20_000),
        together: fc.boolean(),
      }),
      fc.record({ read: fc.integer({ min: 1, max: 6 }) }),
      fc.constant({ comeBack: true }),
    );
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const sent = () => vi.advanceTimersByTime(APART_MS);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 350 }),
        fc.option(fc.nat(), { freq: 4 }),
        fc.array(step, { maxLength: 25 }),
        async (length, point, steps) => {
          // A page is larger than a reader's buffer, so the reader catches up step by step.
          const history = new History(length, 400);
          const from = point === null ? null : point % (length + 1);
          const watcher = new Watcher(history.hub, from);
          // A reader that was cut off before its first snapshot starts over.
          if (from === null) await watcher.next();
          for (const now of steps) {
            if ("happen" in now) history.happen(now.happen, now.size);
            if (!("together" in now && now.together)) sent();
            if ("read" in now) for (let i = 0; i < now.read; i++) await watcher.step(history.events.length);
            if ("comeBack" in now) await watcher.comeBack();
          }
          sent();
          await watcher.upTo(history.events.length);
          expect(watcher.ids).toEqual(range((from ?? length) + 1, history.events.length));
          await watcher.leave();
        },
      ),
      { numRuns: 100 },
    );
  });

  it("sends no event before it is durable, to existing or new readers", async () => {
    const history = new History(5);
    const watcher = new Watcher(history.hub, 5);
    await watcher.next();
    const { promise, resolve } = Promise.withResolvers<void>();
    history.durable = promise;
    history.happen(2);
    const late = new Watcher(history.hub, 3);
    await late.next();
    const seen = [watcher.next(), late.next().then(() => late.next())];
    await scheduler.wait(2 * APART_MS);
    expect([watcher.ids, late.ids]).toEqual([[], [4, 5]]);
    resolve();
    await Promise.all(seen);
    expect([watcher.ids, late.ids]).toEqual([
      [6, 7],
      [4, 5, 6, 7],
    ]);
  });

  it("keeps any data on one line", () => {
    const text = encodeEvent({ seq: 1, event: "failed", data: { reason: "one\r\ntwo\u2028three\n\nid: 9" } });
    const lines = text.split(/\r\n|\r|\n/);
    expect(lines.map((line) => line.split(":")[0])).toEqual(["event", "data", "id", "", ""]);
  });
});

describe("an event hub with slow and leaving readers", () => {
  it("never overruns a slow reader, who gets the rest as they read", async () => {
    const history = new History();
    const slow = new Watcher(history.hub, null);
    const quick = new Watcher(history.hub, null);
    for (let i = 1; i <= 30; i++) {
      history.happen(100, 5_000);
      await quick.upTo(i * 100);
    }
    expect(history.hub.size).toBe(2);
    expect(quick.ids).toEqual(range(1, 3_000));
    await slow.upTo(3_000);
    expect(slow.ids).toEqual(range(1, 3_000));
  });

  it("drops a reader that reads nothing for a minute, and keeps a slow one", async () => {
    vi.useFakeTimers();
    const history = new History(1_000, 1_000);
    const [stalled, slow] = [new Watcher(history.hub, 0), new Watcher(history.hub, 0)];
    for (let i = 0; i < 5; i++) {
      await slow.next();
      await slow.next();
      await vi.advanceTimersByTimeAsync(15_000);
    }
    expect(history.hub.size).toBe(1);
    await expect(stalled.next()).rejects.toThrow(/is too slow/);
    await slow.upTo(1_000);
    expect(slow.ids).toEqual(range(1, 1_000));
  });

  it("reads history for a reader only as fast as it reads", async () => {
    const history = new History(100_000);
    const watcher = new Watcher(history.hub, 0);
    expect(history.reads).toBeLessThan(20);
    for (let i = 0; i < 10; i++) await watcher.next();
    expect(history.reads).toBeLessThan(30);
  });

  it("buffers nothing for a slow reader beyond what was sent ahead", async () => {
    const history = new History(1_000);
    const watcher = new Watcher(history.hub, 0);
    for (let i = 0; i < 30; i++) history.happen(100, 5_000);
    expect(history.hub.size).toBe(1);
    await watcher.upTo(4_000);
    expect(watcher.ids).toEqual(range(1, 4_000));
  });

  it("sends all readers a comment every fifteen seconds, until the last one has left", async () => {
    vi.useFakeTimers();
    const { hub } = new History();
    const [one, two] = [new Watcher(hub, null), new Watcher(hub, null)];
    await Promise.all([one.next(), two.next()]);
    await vi.advanceTimersByTimeAsync(15_000);
    expect([await one.next(), await two.next()]).toEqual([": keep-alive\n\n", ": keep-alive\n\n"]);
    await one.leave();
    expect(hub.size).toBe(1);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await two.next()).toBe(": keep-alive\n\n");
    await two.leave();
    expect([hub.size, vi.getTimerCount()]).toEqual([0, 0]);
    const late = new Watcher(hub, null);
    await late.next();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await late.next()).toBe(": keep-alive\n\n");
  });

  it("continues for the others when one leaves in the middle", async () => {
    const history = new History(300);
    const [gone, other] = [new Watcher(history.hub, 0), new Watcher(history.hub, 0)];
    await gone.next();
    await gone.leave();
    history.happen(5);
    await other.upTo(305);
    expect(other.ids).toEqual(range(1, 305));
    expect(history.hub.size).toBe(1);
  });

  it("ends every stream when the campaign is deleted, and accepts new readers", async () => {
    const history = new History(300);
    const watchers = [new Watcher(history.hub, null), new Watcher(history.hub, null)];
    for (const watcher of watchers) await watcher.next();
    history.hub.close();
    expect(await Promise.all(watchers.map((watcher) => watcher.next()))).toEqual([null, null]);
    expect(history.hub.size).toBe(0);
    history.happen(1);
  });
});
