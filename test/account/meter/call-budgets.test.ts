import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { BudgetLedger } from "../../../src/account/meter/budget-ledger.ts";
import type { Budget } from "../../../src/account/meter/budget-rules.ts";
import { CallBudgets, type CallConsumer } from "../../../src/account/meter/call-budgets.ts";
import { Calls } from "../../../src/account/meter/calls.ts";
import { METER_MIGRATIONS } from "../../../src/account/meter/migrations.ts";
import { migrate } from "../../../src/kernel/durable/migrate.ts";
import { SETTLED_WITHIN_MS } from "../../../src/phone/calls/reconciliation.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const RING_MS = 45 * SECOND_MS;
const LONGEST_MS = 30 * MINUTE_MS;
const NO_QUOTAS = Object.fromEntries([]) as Awaited<
  ReturnType<ConstructorParameters<typeof Calls>[0]["plan"]["get"]>
>["quotas"];
const PLAN = {
  plan: "scale" as const,
  isClosed: false,
  caps: { concurrent_calls: 1_000, calls_per_minute: 1_000, calls_per_day: 10_000 },
  campaign_slots: 1_000,
  caller_limits: { concurrent_calls: null, calls_per_day: null },
  quotas: NO_QUOTAS,
};
const MINUTES: Budget = {
  id: "minutes",
  scope: "account",
  scope_id: null,
  period: "day",
  unit: "call_minutes",
  limit: 100,
  warn_at: [0.8],
  action: "end",
};
const consumer = (over: Partial<CallConsumer> = {}): CallConsumer =>
  Object.assign({ agent_id: "agent", campaign_id: null, api_key_id: "key" }, over);

/** The meter's calls and budgets, which may be rebuilt from storage at any time. The test sets the clock. */
class World {
  readonly #storage: DurableObjectStorage;
  readonly #budgets: Budget[];
  now = NOW;
  #parts: { ledger: BudgetLedger; calls: Calls };

  constructor(storage: DurableObjectStorage, budgets: Budget[]) {
    this.#storage = storage;
    this.#budgets = budgets;
    this.#parts = this.#build();
  }

  get ledger(): BudgetLedger {
    return this.#parts.ledger;
  }

  get calls(): Calls {
    return this.#parts.calls;
  }

  restart(): void {
    this.#parts = this.#build();
  }

  #build() {
    const ledger = new BudgetLedger(this.#storage);
    ledger.configure(this.#budgets, this.now);
    const calls = new Calls({
      sql: this.#storage.sql,
      budgets: new CallBudgets({ ledger, ready: async () => {} }),
      plan: { get: async () => PLAN },
      arm: async () => {},
      longestCall: { ring: RING_MS, duration: LONGEST_MS },
      voicemailTimeoutMs: MINUTE_MS,
      wakeCampaign: async () => {},
      reconcile: async () => [],
    });
    return { ledger, calls };
  }

  advance(ms: number): void {
    this.now += ms;
    vi.setSystemTime(this.now);
    this.ledger.lapse(this.now);
  }

  async lease(id: string, of = consumer()): Promise<string> {
    const { granted, refusal } = await this.calls.lease(id, RING_MS, of);
    return granted === 1 ? "granted" : (refusal?.cap ?? "");
  }

  async exchange(over: {
    take?: string[];
    free?: string[];
    took_ms?: Record<string, number>;
    leased?: string[] | null;
  }) {
    const renew = { calls: [], ttl: MINUTE_MS };
    const nothing = {
      campaign: "c",
      agent_id: "agent",
      free: [],
      took_ms: {},
      refund: [],
      renew,
      leased: null,
      take: [],
    };
    return this.calls.exchange(Object.assign(nothing, { ttl: MINUTE_MS }, over));
  }

  /** Returns the use of a budget in minutes. */
  use(budget = MINUTES): { used: number; reserved: number } {
    const { used, reserved } = this.ledger.use(budget, this.now);
    return { used: used / MINUTE_MS, reserved: reserved / MINUTE_MS };
  }
}

function inWorld(budgets: Budget[], body: (world: World) => Promise<void>): Promise<void> {
  const meter = env.ACCOUNT_METER.getByName(`call-budgets-${crypto.randomUUID()}`);
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
  return runInDurableObject(meter, async (_, { storage }) => {
    migrate(storage, METER_MIGRATIONS, NOW);
    await body(new World(storage, budgets));
  });
}
afterEach(() => void vi.useRealTimers());

describe("call minutes", () => {
  it("call minutes are reserved for exactly as many simultaneous calls as the budget covers", () =>
    inWorld([MINUTES], async (world) => {
      const outcomes = await Promise.all(Array.from({ length: 50 }, (_, n) => world.lease(`call-${n}`)));
      expect(outcomes.filter((outcome) => outcome === "granted")).toHaveLength(3);
      expect(outcomes.filter((outcome) => outcome === "budget_reached")).toHaveLength(47);
      expect(world.use()).toEqual({ used: 0, reserved: 90 });
    }));

  it("call minutes are settled from the answer on, even by a restarted meter", () =>
    inWorld([MINUTES], async (world) => {
      await world.lease("answered");
      await world.lease("unanswered");
      world.advance(20 * SECOND_MS);
      await world.calls.answered("answered");
      world.advance(7 * MINUTE_MS);
      // Repeating it changes nothing.
      await world.calls.answered("answered");
      world.restart();
      expect(world.use()).toEqual({ used: 0, reserved: 60 });
      world.advance(3 * MINUTE_MS);
      await world.calls.release(["answered", "unanswered"]);
      await world.calls.release(["answered"]);
      expect(world.use()).toEqual({ used: 10, reserved: 0 });
    }));

  it("cost nothing if no call was placed with the lease", () =>
    inWorld([MINUTES], async (world) => {
      await world.lease("call");
      await world.calls.refund(["call"]);
      expect(world.use()).toEqual({ used: 0, reserved: 0 });
    }));

  it("lapse with the lease of an unanswered call, and stay charged for an answered one until it is settled", () =>
    inWorld([MINUTES], async (world) => {
      await world.lease("silent");
      await world.lease("talks");
      await world.calls.answered("talks");
      world.advance(RING_MS + SETTLED_WITHIN_MS);
      expect(world.use()).toEqual({ used: 0, reserved: 30 });
      world.advance(LONGEST_MS);
      expect(world.use()).toEqual({ used: 30, reserved: 0 });
    }));

  it("count inbound calls from their first moment, once however often they are announced", () =>
    inWorld([MINUTES], async (world) => {
      const call = { callId: "call", announcedAs: "in", caller: "+1", agent_id: "agent" };
      await Promise.all([world.calls.leaseInbound(call), world.calls.leaseInbound(call)]);
      expect(world.use()).toEqual({ used: 0, reserved: 30 });
      world.advance(4 * MINUTE_MS);
      await world.calls.release(["call"]);
      expect(world.use()).toEqual({ used: 4, reserved: 0 });
    }));

  it("also count the leg to which a caller is transferred, for the same key", () => {
    const keys = Object.assign({}, MINUTES, { scope: "api_key", scope_id: "key" });
    return inWorld([keys], async (world) => {
      await world.lease("call");
      await world.calls.answered("call");
      world.advance(5 * MINUTE_MS);
      expect((await world.calls.leaseTransfer("call")).granted).toBe(1);
      expect(world.use(keys)).toEqual({ used: 0, reserved: 60 });
      world.advance(2 * MINUTE_MS);
      await world.calls.release(["call"]);
      expect(world.use(keys)).toEqual({ used: 7 + 2, reserved: 0 });
    });
  });

  it("refuse a transfer that the budget does not cover", () =>
    inWorld([Object.assign({}, MINUTES, { limit: 59 })], async (world) => {
      await world.lease("call");
      expect((await world.calls.leaseTransfer("call")).refusal?.cap).toBe("budget_reached");
    }));

  it.each(["agent", "campaign", "api_key"] as const)("call minutes are reserved for one %s alone", (scope) => {
    const scope_id = { agent: "agent", campaign: "c", api_key: "key" }[scope];
    const own = Object.assign({}, MINUTES, { scope, scope_id });
    return inWorld([own], async (world) => {
      await world.lease("call", consumer({ campaign_id: "c" }));
      await world.lease("other", consumer({ agent_id: "other", api_key_id: "other" }));
      expect(world.use(own).reserved).toBe(30);
    });
  });

  it("call minutes of a campaign are settled by the durations that it reports", () =>
    inWorld([MINUTES], async (world) => {
      expect((await world.exchange({ take: ["a", "b", "lost"] })).granted).toBe(3);
      expect(world.use().reserved).toBe(90);
      await world.exchange({ free: ["a"], took_ms: { a: 6 * MINUTE_MS }, leased: ["b"] });
      expect(world.use()).toEqual({ used: 6, reserved: 30 });
    }));

  it("let a campaign wait for its own calls, and refuse it once they are used up", () =>
    inWorld([MINUTES], async (world) => {
      const calls = ["a", "b", "c", "d"];
      const first = await world.exchange({ take: calls });
      expect([first.granted, first.refusal?.cap]).toEqual([3, "concurrent_calls_cap"]);
      await world.exchange({
        free: ["a", "b", "c"],
        took_ms: { a: 25 * MINUTE_MS, b: 25 * MINUTE_MS, c: 25 * MINUTE_MS },
      });
      const second = await world.exchange({ take: ["d"] });
      expect([second.granted, second.refusal]).toEqual([0, { cap: "budget_reached", retryAt: Date.UTC(2026, 10, 22) }]);
    }));
});
