import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { BudgetLedger } from "../../../src/account/meter/budget-ledger.ts";
import { CallBudgets } from "../../../src/account/meter/call-budgets.ts";
import { Calls } from "../../../src/account/meter/calls.ts";
import { METER_MIGRATIONS } from "../../../src/account/meter/migrations.ts";
import { migrate } from "../../../src/kernel/durable/migrate.ts";

const START = Date.UTC(2026, 10, 21, 23, 30);
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const RING_MS = 45 * SECOND_MS;
const LONGEST_MS = 30 * MINUTE_MS;
const PLAN = {
  plan: "starter" as const,
  isClosed: false,
  caps: { concurrent_calls: 5, calls_per_minute: 9, calls_per_day: 30 },
  campaign_slots: 4,
  caller_limits: { concurrent_calls: 2, calls_per_day: 6 },
};
const CAMPAIGNS = ["first", "second"];
const CALLERS = ["+13035550106", "+13035550107", "withheld"];

/** The true state of a call, regardless of what the meter counts. */
interface Call {
  id: string;
  kind: "single" | "inbound" | "campaign";
  of: string;
  at: number;
  /** Whether it was placed, so that it counts even after its end. */
  placed: boolean;
  over: boolean;
  /** The end of the lease that its campaign has requested. */
  until: number;
}

/** A meter that may restart at any time, and the effects of the steps on it. */
class World {
  readonly #storage: DurableObjectStorage;
  readonly #announced = new Map<string, string>();
  readonly all: Call[] = [];
  now = START;
  #n = 0;
  #meter: Calls;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#meter = this.#build();
  }

  #build(): Calls {
    return new Calls({
      sql: this.#storage.sql,
      budgets: new CallBudgets({ ledger: new BudgetLedger(this.#storage), ready: async () => {} }),
      plan: { get: async () => Object.assign({ quotas: NO_QUOTAS }, PLAN) },
      arm: async () => {},
      longestCall: { ring: RING_MS, duration: LONGEST_MS },
      voicemailTimeoutMs: MINUTE_MS,
      wakeCampaign: async () => {},
      reconcile: async (silent) =>
        silent.map(({ callId }) => {
          const call = this.all.find(({ id }) => id === callId);
          const isOver = call === undefined || call.over || this.now >= call.at + LONGEST_MS;
          if (call && isOver) call.over = true;
          const lookAt = isOver ? null : this.now + 2 * MINUTE_MS;
          return { callId, lookAt, onRecord: call?.placed === true, uncounted: false };
        }),
    });
  }

  restart(): void {
    this.#meter = this.#build();
    this.#meter.resume(this.now);
  }

  /** Lets time pass, and fires the alarm whenever it is due. */
  async wait(ms: number): Promise<void> {
    const until = this.now + ms;
    for (let at = this.#meter.dueAt(); at !== null && at <= until; at = this.#meter.dueAt()) {
      this.now = Math.max(this.now + 1, at);
      vi.setSystemTime(this.now);
      await this.#meter.run();
    }
    this.now = Math.max(this.now, until);
    vi.setSystemTime(this.now);
  }

  async single(): Promise<void> {
    const id = this.#id();
    const { granted } = await this.#meter.lease(id, RING_MS);
    if (granted === 1) this.#add({ id, kind: "single", of: "" });
  }

  /** Announces a call `copies` times at once. */
  async inbound(caller: number, copies: number, announcedAs = this.#id()): Promise<void> {
    const from = CALLERS[caller % CALLERS.length] ?? "";
    const announcements = Array.from({ length: copies }, () =>
      this.#meter.leaseInbound({ callId: this.#id(), announcedAs, caller: from, agent_id: null }),
    );
    for (const answer of await Promise.all(announcements)) {
      if (answer.outcome === "refused") continue;
      const before = this.#announced.get(announcedAs);
      expect(before ?? answer.callId).toBe(answer.callId);
      if (before !== undefined) continue;
      this.#announced.set(announcedAs, answer.callId);
      this.#add({ id: answer.callId, kind: "inbound", of: from });
    }
  }

  async inboundAgain(nth: number): Promise<void> {
    const [announcedAs, id] = [...this.#announced].at(nth % Math.max(1, this.#announced.size)) ?? [];
    const call = this.all.find((one) => one.id === id);
    if (announcedAs === undefined || !call || call.over) return;
    await this.inbound(CALLERS.indexOf(call.of), 2, announcedAs);
  }

  async exchange(campaign: number, take: number, losesAnswer: boolean): Promise<void> {
    const name = CAMPAIGNS[campaign % CAMPAIGNS.length] ?? "";
    const own = this.all.filter(({ kind, of, over }) => kind === "campaign" && of === name && !over);
    const wanted = Array.from({ length: take }, () => this.#id());
    const ttl = 5 * MINUTE_MS;
    const running = own.filter(({ until }) => until > this.now);
    for (const call of running) call.until = this.now + ttl;
    const leased = running.map(({ id }) => id);
    const order = {
      campaign: name,
      agent_id: null,
      free: [],
      took_ms: {},
      refund: [],
      renew: { calls: leased, ttl },
      take: wanted,
      ttl,
    };
    const { granted } = await this.#meter.exchange(Object.assign(order, { leased: losesAnswer ? leased : null }));
    if (losesAnswer && granted > 0) {
      // The campaign's object dies before it stores the answer, and then asks again without it.
      const again = Object.assign(order, { leased, take: [] });
      await this.#meter.exchange(again);
      return;
    }
    for (const id of wanted.slice(0, granted)) this.#add({ id, kind: "campaign", of: name }).until = this.now + ttl;
  }

  async end(nth: number, how: "release" | "refund" | "answered"): Promise<void> {
    const live = this.live();
    const call = live[nth % Math.max(1, live.length)];
    if (!call) return;
    if (how === "answered") return this.#meter.answered(call.id);
    call.over = true;
    if (how === "refund") call.placed = false;
    await this.#meter[how]([call.id]);
    // The end is reported twice.
    await this.#meter[how]([call.id]);
  }

  /** Ends a call without reporting it. */
  silence(nth: number): void {
    const watched = this.live().filter(({ kind }) => kind !== "campaign");
    const call = watched[nth % Math.max(1, watched.length)];
    if (call) call.over = true;
  }

  live(): Call[] {
    return this.all.filter(({ over, kind, until }) => !over && (kind !== "campaign" || until > this.now));
  }

  async check(): Promise<void> {
    const { usage } = await this.#meter.usage();
    const { caps, campaign_slots, caller_limits } = PLAN;
    const live = this.live();
    const placed = this.all.filter((call) => call.placed);
    const today = placed.filter(({ at }) => dayOf(at) === dayOf(this.now));
    // The true number of calls exceeds neither a cap nor the counted number.
    expect(live.length).toBeLessThanOrEqual(caps.concurrent_calls);
    expect(live.length).toBeLessThanOrEqual(usage.concurrent);
    expect(live.filter(({ kind }) => kind === "campaign").length).toBeLessThanOrEqual(campaign_slots);
    expect(usage.concurrent).toBeLessThanOrEqual(caps.concurrent_calls);
    expect(usage.lastMinute).toBe(placed.filter(({ at }) => at > this.now - MINUTE_MS).length);
    expect(usage.lastMinute).toBeLessThanOrEqual(caps.calls_per_minute);
    expect(usage.today).toBe(today.length);
    expect(usage.today).toBeLessThanOrEqual(caps.calls_per_day);
    for (const caller of CALLERS) {
      expect(live.filter(({ of }) => of === caller).length).toBeLessThanOrEqual(caller_limits.concurrent_calls);
      expect(today.filter(({ of }) => of === caller).length).toBeLessThanOrEqual(caller_limits.calls_per_day);
    }
  }

  /** Waits until nothing is left. */
  async empty(): Promise<void> {
    await this.wait(3 * HOUR_MS);
    expect((await this.#meter.usage()).usage).toMatchObject({ concurrent: 0, lastMinute: 0 });
    expect(this.#meter.dueAt()).toBeNull();
    await this.wait(24 * HOUR_MS);
    expect((await this.#meter.usage()).usage.today).toBe(0);
    // An announcement is remembered for a week. The call after that prunes all others.
    await this.wait(7 * 24 * HOUR_MS);
    await this.inbound(0, 1);
    const rows = (table: string) => this.#storage.sql.exec(`SELECT 1 FROM ${table}`).toArray().length;
    expect(["call_leases", "admissions", "inbound_calls", "turns"].map(rows)).toEqual([1, 1, 1, 0]);
  }

  #add({ id, kind, of }: Pick<Call, "id" | "kind" | "of">): Call {
    const call: Call = { id, kind, of, at: this.now, placed: true, over: false, until: Number.POSITIVE_INFINITY };
    this.all.push(call);
    return call;
  }

  #id(): string {
    return `id-${++this.#n}`;
  }
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const NO_QUOTAS = Object.fromEntries([]) as Awaited<
  ReturnType<ConstructorParameters<typeof Calls>[0]["plan"]["get"]>
>["quotas"];

const nth = fc.nat(30);
const step = fc.oneof(
  fc.constant((world: World) => world.single()),
  fc.tuple(nth, fc.integer({ min: 1, max: 3 })).map(
    ([n, copies]) =>
      (world: World) =>
        world.inbound(n, copies),
  ),
  nth.map((n) => (world: World) => world.inboundAgain(n)),
  fc.tuple(nth, fc.integer({ min: 0, max: 4 }), fc.boolean()).map(
    ([n, take, losesAnswer]) =>
      (world: World) =>
        world.exchange(n, take, losesAnswer),
  ),
  fc.tuple(nth, fc.constantFrom("release" as const, "refund" as const, "answered" as const)).map(
    ([n, how]) =>
      (world: World) =>
        world.end(n, how),
  ),
  nth.map((n) => async (world: World) => world.silence(n)),
  fc.constant(async (world: World) => world.restart()),
  fc
    .constantFrom(SECOND_MS, 20 * SECOND_MS, 2 * MINUTE_MS, 40 * MINUTE_MS)
    .map((ms) => (world: World) => world.wait(ms)),
);

afterEach(() => void vi.useRealTimers());

describe("the meter's calls", () => {
  it("never exceed a cap and leave nothing behind, in any order of requests and restarts", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const meter = env.ACCOUNT_METER.getByName(`interleavings-${crypto.randomUUID()}`);
        await runInDurableObject(meter, async (_, { storage }) => {
          vi.setSystemTime(START);
          migrate(storage, METER_MIGRATIONS, START);
          const world = new World(storage);
          for (const act of steps) {
            await act(world);
            await world.check();
          }
          await world.empty();
        });
      }),
      { numRuns: 60 },
    );
  });
});
