import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { admitCalls } from "../../src/accounts/call-caps.ts";
import { CampaignBook } from "../../src/campaigns/book.ts";
import { Dispatcher, type DispatchPorts } from "../../src/campaigns/dispatcher.ts";
import { withDefaults } from "../../src/campaigns/settings.ts";
import { CONTACT_STATUSES, isOver } from "../../src/campaigns/state.ts";
import { chain } from "../../src/campaigns/storage/log.ts";
import { type CallEvent, type Carrier, CarrierRefusal, CarrierUncertain } from "../../src/carriers/carrier.ts";

type Fate =
  | "answered"
  | "busy"
  | "no-answer"
  | "silent"
  | "machine"
  | "refused"
  | "outage"
  | "lost-answer"
  | "never-arrived";
const LIMITS = { ring: 30_000, duration: 120_000 };
const author = { actor: "test", request_id: "test" };

interface Scenario {
  contacts: number;
  fates: Fate[];
  concurrency: number;
  perMinute: number;
  own: { max_concurrency: number | null; calls_per_minute: number | null };
  retries: number;
  crashAfter: number[];
}

interface Call {
  to: string;
  startedAt: number;
  endsAt: number;
  status: CallEvent["status"];
  final: CallEvent["status"];
  machine: boolean;
  silent: boolean;
}

/** A process that dies: from then on nothing it still does reaches the storage. */
class Death extends Error {}

/** A world on a virtual clock: a carrier with a ledger of its own, a gate with caps, and processes that die. */
class World {
  now = 1_700_000_000_000;
  dead = false;
  readonly calls = new Map<string, Call>();
  readonly dialled: { to: string; at: number }[] = [];
  readonly problems: string[] = [];
  readonly #scenario: Scenario;
  readonly #leases = new Map<string, number>();
  readonly #admitted: number[] = [];
  #steps = 0;
  #ids = 0;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  ports(): DispatchPorts {
    return {
      now: () => this.now,
      newCallId: () => `call-${++this.#ids}`,
      exchange: async ({ free, renew, take }) => {
        await this.#step();
        for (const id of free) this.#leases.delete(id);
        for (const id of renew) if (this.#leases.has(id)) this.#leases.set(id, this.now + LIMITS.duration);
        for (const [id, until] of this.#leases) if (until <= this.now) this.#leases.delete(id);
        const lastMinute = this.#admitted.filter((at) => at > this.now - 60_000);
        const caps = {
          concurrent_calls: this.#scenario.concurrency,
          calls_per_minute: this.#scenario.perMinute,
          calls_per_day: 1e6,
        };
        const admission = admitCalls(
          caps,
          {
            concurrent: this.#leases.size,
            lastMinute: lastMinute.length,
            oldestInMinute: lastMinute[0] ?? null,
            nextLeaseExpiry: null,
            today: 0,
          },
          take.length,
          this.now,
        );
        for (const id of take.slice(0, admission.granted)) {
          this.#leases.set(id, this.now + LIMITS.ring + LIMITS.duration);
          this.#admitted.push(this.now);
        }
        return admission;
      },
      carrier: async () => ({ provider: "sandbox", carrier: this.#carrier() }),
      place: (callId, to) => this.#place(callId, to),
      blocked: async () => new Set<string>(),
      limits: LIMITS,
    };
  }

  /** News due by now, as webhooks bring it. */
  news(): [callId: string, event: CallEvent][] {
    const due: [string, CallEvent][] = [];
    for (const [id, call] of this.calls) {
      if (call.status === "initiated" && call.startedAt + 1_000 <= this.now) {
        call.status = call.final === "completed" ? "in-progress" : call.final;
        due.push([id, this.#event(id, call)]);
      } else if (call.status === "in-progress" && call.endsAt <= this.now) {
        call.status = "completed";
        if (!call.silent) due.push([id, this.#event(id, call)]);
      }
    }
    return due;
  }

  nextNewsAt(): number {
    const times = [...this.calls.values()].flatMap((call) =>
      call.status === "initiated" ? [call.startedAt + 1_000] : call.status === "in-progress" ? [call.endsAt] : [],
    );
    return Math.min(...times, Number.POSITIVE_INFINITY);
  }

  async #place(callId: string, to: string): Promise<{ provider_call_id: string }> {
    await this.#step();
    const fate = this.#scenario.fates[this.dialled.length % this.#scenario.fates.length] ?? "answered";
    if (fate === "refused") throw new CarrierRefusal("rejected", "no");
    if (fate === "outage" && Math.floor(this.now / 7_000) % 3 === 0) throw new CarrierRefusal("outage", "down");
    this.dialled.push({ to, at: this.now });
    if (fate === "never-arrived") throw new CarrierUncertain("timeout");
    const running = [...this.calls.values()].filter((call) => ["initiated", "in-progress"].includes(call.status));
    if (running.some((call) => call.to === to)) this.problems.push(`${to} has two calls at once`);
    const { concurrency, own } = this.#scenario;
    if (running.length >= Math.min(concurrency, own.max_concurrency ?? concurrency))
      this.problems.push("above the concurrency cap");
    const final = fate === "busy" || fate === "no-answer" ? fate : "completed";
    this.calls.set(callId, {
      ...{ to, startedAt: this.now, endsAt: this.now + 20_000, status: "initiated", final },
      ...{ machine: fate === "machine", silent: fate === "silent" },
    });
    if (fate === "lost-answer") throw new CarrierUncertain("connection closed");
    await this.#step();
    return { provider_call_id: callId };
  }

  #carrier(): Carrier {
    const unused = () => Promise.reject(new Error("not used here"));
    return {
      originate: unused,
      parseWebhook: unused,
      fetchRecording: unused,
      verifyCredentials: unused,
      lookup: async ({ call_id }) => {
        const call = this.calls.get(call_id);
        return call ? this.#event(call_id, call) : null;
      },
      hangup: async ({ call_id }) => {
        const call = this.calls.get(call_id);
        if (call) call.status = "completed";
      },
    };
  }

  #event(id: string, { status, machine }: Call): CallEvent {
    const answered = status === "in-progress" || status === "completed";
    return {
      provider_call_id: id,
      status,
      answered_by: answered ? (machine ? "machine" : "human") : null,
      reason: "",
      recording: null,
    };
  }

  async #step(): Promise<void> {
    await Promise.resolve();
    if (this.#scenario.crashAfter.includes(++this.#steps)) this.dead = true;
    if (this.dead) throw new Death();
  }
}

/** The storage as one process sees it: once that is dead, nothing of it gets through any more. */
function mortal(storage: DurableObjectStorage, isDead: () => boolean): DurableObjectStorage {
  const alive = <T>(work: () => T): T => {
    if (isDead()) throw new Death();
    return work();
  };
  return {
    sql: { exec: (...args: Parameters<SqlStorage["exec"]>) => alive(() => storage.sql.exec(...args)) },
    transactionSync: <T>(work: () => T) => alive(() => storage.transactionSync(work)),
  } as unknown as DurableObjectStorage;
}

async function play(scenario: Scenario, storage: DurableObjectStorage) {
  const world = new World(scenario);
  const id = crypto.randomUUID();
  const settings = {
    ...withDefaults({}, "test"),
    ...scenario.own,
    from_number: "+12025550100",
    retry_config: {
      max_attempts: scenario.retries,
      retry_interval_minutes: 0.5,
      retry_on: ["busy" as const, "no_answer" as const],
    },
  };
  const setup = new CampaignBook(storage, () => {});
  setup.create(
    { id, account: "a", settings: JSON.stringify(settings), created_by: "t", created_at: world.now, origin: "" },
    author,
  );
  const contacts = Array.from({ length: scenario.contacts }, (_, i) => ({
    ...{ line: i + 2, phone_number: `+1202${5_550_000 + i}`, timezone: null, variables: [] },
  }));
  setup.import({ contacts, rejects: [] }, world.now);
  setup.finishImport(settings, [], world.now);
  setup.operate("start", author, world.now);

  let deaths = 0;
  let book = setup;
  for (let rounds = 0; rounds < 5_000 && !isOver(book.campaign.known.status); ) {
    world.dead = false;
    const mine = ++deaths;
    book = new CampaignBook(
      mortal(storage, () => world.dead || mine !== deaths),
      () => {},
    );
    const dispatcher = new Dispatcher(book, world.ports());
    try {
      for (; rounds < 5_000 && !isOver(book.campaign.known.status); rounds++) {
        for (const [callId, event] of world.news()) book.news(callId, event, LIMITS, world.now);
        const { worked, wakeAt } = await dispatcher.round();
        if (world.dead) throw new Death();
        if (worked) continue;
        if (book.campaign.known.status === "paused") book.operate("resume", author, world.now);
        const next = Math.min(wakeAt ?? Number.POSITIVE_INFINITY, world.nextNewsAt());
        world.now = Math.max(world.now + 1, Number.isFinite(next) ? next : world.now + 1_000);
      }
    } catch (error) {
      if (!(error instanceof Death)) throw error;
      // Let what the dead process still had in flight run into the wall before the next one starts.
      for (let i = 0; i < 50; i++) await Promise.resolve();
      world.now += 50;
    }
  }
  return { world, book: new CampaignBook(storage, () => {}) };
}

function check(scenario: Scenario, { world, book }: Awaited<ReturnType<typeof play>>) {
  expect(world.problems).toEqual([]);
  expect(book.campaign.known.status).toBe("completed");
  for (const [to, times] of Map.groupBy(world.dialled, ({ to }) => to)) {
    expect(times.length, `calls to ${to}`).toBeLessThanOrEqual(scenario.retries);
  }
  const rows = book.contacts.page({ limit: 1_000, offset: 0 });
  for (const status of CONTACT_STATUSES) {
    expect(rows.filter((row) => row.status === status).length, status).toBe(book.campaign.known[status]);
  }
  expect(rows.every((row) => ["completed", "failed"].includes(row.status))).toBe(true);
  let previous = "";
  const log = book.log.after(0, 100_000);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, i) => i + 1));
  for (const row of log) {
    expect(row.hash).toBe(chain(previous, row));
    previous = row.hash;
  }
  const { calls_per_minute } = scenario.own;
  const rate = Math.min(scenario.perMinute, calls_per_minute ?? scenario.perMinute);
  const starts = [...world.calls.values()].map(({ startedAt }) => startedAt).sort((a, b) => a - b);
  for (const [i, at] of starts.entries()) {
    expect(starts.slice(i).filter((other) => other < at + 60_000).length).toBeLessThanOrEqual(rate);
  }
}

const inObject = <T>(work: (storage: DurableObjectStorage) => Promise<T>) =>
  runInDurableObject(env.CAMPAIGN.getByName(`test/${crypto.randomUUID()}`), (_, state) => work(state.storage));

const fate = fc.constantFrom<Fate>(
  "answered",
  "answered",
  "busy",
  "no-answer",
  "silent",
  "machine",
  "refused",
  "outage",
  "lost-answer",
  "never-arrived",
);
const scenario: fc.Arbitrary<Scenario> = fc.record({
  contacts: fc.integer({ min: 1, max: 25 }),
  fates: fc.array(fate, { minLength: 1, maxLength: 12 }),
  concurrency: fc.integer({ min: 1, max: 8 }),
  perMinute: fc.integer({ min: 1, max: 40 }),
  own: fc.record({
    max_concurrency: fc.option(fc.integer({ min: 1, max: 6 })),
    calls_per_minute: fc.option(fc.integer({ min: 1, max: 30 })),
  }),
  retries: fc.integer({ min: 1, max: 3 }),
  crashAfter: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 5 }),
});

describe("dispatcher", () => {
  it("dials everybody once where all is well", async () => {
    const calm: Scenario = {
      ...{ contacts: 10, fates: ["answered"], concurrency: 3, perMinute: 100 },
      ...{ own: { max_concurrency: null, calls_per_minute: null }, retries: 1, crashAfter: [] },
    };
    await inObject(async (storage) => {
      const end = await play(calm, storage);
      check(calm, end);
      expect(end.world.dialled).toHaveLength(10);
      expect(end.book.campaign.counts.completed).toBe(10);
    });
  });

  it("never exceeds a cap, never has two calls to a contact, and ends every contact, whatever happens", async () => {
    await fc.assert(
      fc.asyncProperty(scenario, (random) => inObject(async (storage) => check(random, await play(random, storage)))),
      { numRuns: 150 },
    );
  });
});
