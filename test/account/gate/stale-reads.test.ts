import fc from "fast-check";
import { expect, it } from "vitest";
import { CatalogueVersion } from "../../../src/account/gate/catalogue-version.ts";
import { KeptReads } from "../../../src/kernel/http/kept-reads.ts";

/** The fates of a write: done; refused; done, but the answer is lost; no answer, and done later. */
const FATES = ["done", "refused", "answer_lost", "late"] as const;
type Fate = (typeof FATES)[number];
type Step = { read: 0 | 1 } | { write: Fate } | "restart" | "wait";

const REFUSED = new Error("refused");
const LANDS_WITHIN_MS = 60_000;
const REQUEST = "/api/v1/agents";

/** One row of configuration in D1, the account's gate, and two isolates that cache reads. */
class World {
  readonly #pause: () => Promise<unknown>;
  readonly #isolates = [new KeptReads(), new KeptReads()];
  readonly #storage = new Map<string, unknown>();
  #now = 1_000;
  #lives = 0;
  /** The gate's pending work, which a restart loses. */
  #later: () => void = () => {};
  #gate = this.#build();
  /** The row, which contains the number of the last write that took effect. */
  #row = 0;
  #writes = 0;
  #inFlight = 0;
  #onTheWay: (() => void)[] = [];
  /** The oldest value that a read may return if it begins now. */
  #floor = 0;

  constructor(scheduler: fc.Scheduler) {
    this.#pause = () => scheduler.schedule(Promise.resolve());
  }

  /** Builds an instance of the gate. After the instance is over, nothing that it does reaches the storage. */
  #build() {
    const life = { over: false };
    const storage = this.#storage;
    const kv = {
      get: (name: string) => storage.get(name),
      put: (name: string, value: unknown) => void (life.over || storage.set(name, value)),
      delete: (name: string) => !life.over && storage.delete(name),
    } as Pick<SyncKvStorage, "get" | "put" | "delete">;
    const after = (_: number, run: () => void) => {
      this.#later = run;
      return () => {
        this.#later = () => {};
      };
    };
    return { life, version: new CatalogueVersion(kv, `life ${this.#lives++}`, after) };
  }

  async read(isolate: 0 | 1): Promise<void> {
    const kept = this.#isolates[isolate];
    await this.#pause();
    const floor = this.#floor;
    await this.#pause();
    const version = this.#gate.version.at(this.#now);
    await this.#pause();
    const cached = version === null ? undefined : kept?.get("acme", version, REQUEST, 0);
    const seen = cached ? Number(cached.etag) : await this.#select();
    if (!cached && version !== null)
      kept?.put("acme", version, REQUEST, { body: new Uint8Array(), etag: String(seen) }, 0);
    expect(seen).toBeGreaterThanOrEqual(floor);
    this.#floor = Math.max(this.#floor, seen);
  }

  async #select(): Promise<number> {
    await this.#pause();
    const row = this.#row;
    await this.#pause();
    return row;
  }

  async write(fate: Fate): Promise<void> {
    await this.#pause();
    const { life, version } = this.#gate;
    const number = ++this.#writes;
    const land = () => {
      this.#row = Math.max(this.#row, number);
    };
    const batch = async () => {
      // An instance that is over sends nothing.
      if (life.over) throw new Error("gone");
      this.#inFlight++;
      await this.#pause();
      this.#inFlight--;
      if (fate === "refused") throw REFUSED;
      if (fate === "late") this.#onTheWay.push(land);
      else land();
      await this.#pause();
      if (fate !== "done") throw new Error("no answer");
    };
    const done = await version
      .change(
        batch,
        (error) => error === REFUSED,
        () => this.#now,
      )
      .then(
        () => !life.over,
        () => false,
      );
    if (done) this.#floor = Math.max(this.#floor, number);
  }

  /** Restarts the gate in the middle of whatever it does. */
  async restart(): Promise<void> {
    await this.#pause();
    this.#gate.life.over = true;
    this.#gate = this.#build();
  }

  /** Makes a write without an answer take effect, or moves the clock past the time in which it could. */
  async wait(): Promise<void> {
    await this.#pause();
    this.#later();
    const [land] = this.#onTheWay.splice(0, 1);
    if (land) land();
    else if (this.#inFlight === 0) this.#now += LANDS_WITHIN_MS;
  }
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ read: fc.constantFrom<(0 | 1)[]>(0, 1) }) },
  { weight: 4, arbitrary: fc.record({ write: fc.constantFrom(...FATES) }) },
  { weight: 1, arbitrary: fc.constant("restart" as const) },
  { weight: 2, arbitrary: fc.constant("wait" as const) },
);

/** Simultaneous steps, in phases that follow one another. */
const phases = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 12 });

it("no read in any isolate shows less than what was answered before it began", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), phases, async (scheduler, inTurn) => {
      const world = new World(scheduler);
      const take = (one: Step) => {
        if (one === "restart") return world.restart();
        if (one === "wait") return world.wait();
        return "read" in one ? world.read(one.read) : world.write(one.write);
      };
      for (const steps of inTurn) await scheduler.waitFor(Promise.all(steps.map(take)));
    }),
    { numRuns: 8_000 },
  );
});

/** Returns a timer that never fires. */
const never = () => () => {};

it("a gate announces a burst of writes once, and again before the next write", async () => {
  const puts: unknown[] = [];
  const put = (_: string, until: unknown) => void puts.push(until);
  const kv = { get: () => undefined, put, delete: () => true };
  const version = new CatalogueVersion(kv, "life", never);
  const write = (now: number) =>
    version.change(
      async () => {},
      () => false,
      () => now,
    );
  for (const now of [1_000, 1_000, 5_999]) await write(now);
  expect(puts).toEqual([6_000]);
  await write(6_000);
  expect(puts).toEqual([6_000, 11_000]);
});

/** Creates a storage that several instances of the gate share, with an answered write at 1,000 ms. */
async function afterOneWrite() {
  const storage = new Map<string, unknown>();
  const kv = {
    get: (name: string) => storage.get(name),
    put: (name: string, value: unknown) => void storage.set(name, value),
    delete: (name: string) => storage.delete(name),
  } as Pick<SyncKvStorage, "get" | "put" | "delete">;
  const timers = new Set<() => void>();
  const first = new CatalogueVersion(kv, "first", (_, run) => {
    timers.add(run);
    return () => void timers.delete(run);
  });
  const write = (batch: () => Promise<void>, now: number) =>
    first.change(
      batch,
      () => false,
      () => now,
    );
  await write(async () => {}, 1_000);
  const quiet = () => {
    for (const run of timers) run();
  };
  return { kv, first, write, quiet };
}

it("a gate that restarts right after a write caches no reads for a while", async () => {
  const { kv } = await afterOneWrite();
  const next = new CatalogueVersion(kv, "second", never);
  expect(next.at(65_999)).toBeNull();
  expect(next.at(66_000)).toBe("second.0");
});

it("a gate that restarts after its earlier writes had ended caches reads at once", async () => {
  const { kv, first } = await afterOneWrite();
  expect(first.at(6_000)).not.toBeNull();
  expect(new CatalogueVersion(kv, "second", never).at(6_001)).not.toBeNull();
});

it("a gate that restarts a moment after the last write caches reads at once, even without a request meanwhile", async () => {
  const { kv, quiet } = await afterOneWrite();
  quiet();
  expect(new CatalogueVersion(kv, "second", never).at(1_251)).toBe("second.0");
});

it("a restarted gate treats a write as open if it was in progress shortly after the previous one was answered", async () => {
  const { kv, write, quiet } = await afterOneWrite();
  const answer = Promise.withResolvers<void>();
  const later = write(() => answer.promise, 1_100);
  quiet();
  expect(new CatalogueVersion(kv, "second", never).at(1_400)).toBeNull();
  answer.resolve();
  await later;
});

it("a gate announces a write again after the announcement was withdrawn", async () => {
  const { kv, write, quiet } = await afterOneWrite();
  quiet();
  await write(async () => {}, 1_300);
  expect(new CatalogueVersion(kv, "second", never).at(1_400)).toBeNull();
});

it("a gate does not count an unanswered write as over", async () => {
  const { kv, first, write, quiet } = await afterOneWrite();
  await expect(write(() => Promise.reject(new Error("no answer")), 2_000)).rejects.toThrow("no answer");
  quiet();
  expect(first.at(61_999)).toBeNull();
  expect(new CatalogueVersion(kv, "second", never).at(62_001)).toBeNull();
});
