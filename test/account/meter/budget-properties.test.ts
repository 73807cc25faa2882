import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BudgetLedger } from "../../../src/account/meter/budget-ledger.ts";
import type { Budget } from "../../../src/account/meter/budget-rules.ts";
import { METER_MIGRATIONS } from "../../../src/account/meter/migrations.ts";
import { migrate } from "../../../src/kernel/durable/migrate.ts";

const NOW = Date.UTC(2026, 10, 30, 22);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const CONSUMER = {
  agent_id: "agent",
  campaign_id: null,
  api_key_id: null,
  widget_key_id: null,
  guest: true,
  network: "192.0.2.1",
};
const TABLES = ["budget_pots", "budget_consumers", "budget_reservations", "budget_past_consumers", "budget_warnings"];

const budget = (id: string, limit: number, over: Partial<Budget> = {}): Budget =>
  Object.assign(
    { id, scope: "account", scope_id: null, period: "day", unit: "tokens", limit, warn_at: [0.5], action: "end" },
    over,
  );

/** A conversation's own state. It reports only use that it reserved before. */
interface Talk {
  id: string;
  /** The request in progress, and whether the ledger knows that it has started. */
  begun: { amount: number; isKnown: boolean } | null;
  total: number;
  requests: number;
}

/** A ledger that may be rebuilt at any time, and conversations that use it. */
class World {
  readonly #storage: DurableObjectStorage;
  readonly #talks = new Map<string, Talk>();
  #ledger: BudgetLedger;
  #budgets: Budget[] = [budget("day", 2_000)];
  /** Each budget's use and reservations after the previous step. */
  #before = new Map<string, number>();
  #isReconfigured = true;
  now = NOW;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#ledger = new BudgetLedger(storage);
    this.#ledger.configure(this.#budgets, this.now);
  }

  /** Does something twice, and expects the second time to change nothing. */
  #twice<T>(exchange: () => T): T {
    const first = exchange();
    const before = this.#dump();
    expect(exchange()).toEqual(first);
    expect(this.#dump()).toEqual(before);
    return first;
  }

  #dump(): unknown[] {
    return TABLES.map((table) => this.#storage.sql.exec(`SELECT * FROM ${table}`).toArray());
  }

  #talk(name: string): Talk {
    const known = this.#talks.get(name) ?? { id: name, begun: null, total: 0, requests: 0 };
    this.#talks.set(name, known);
    this.#twice(() => this.#ledger.open({ id: known.id, object: known.id, consumer: CONSUMER }, "tokens", this.now));
    return known;
  }

  #report({ id, total, requests }: Talk): void {
    this.#twice(() => this.#ledger.settle(id, { total, requests }, this.now));
  }

  grant(name: string, amount: number): void {
    const talk = this.#talk(name);
    this.#report(talk);
    if (talk.begun) return;
    const { through, each } = this.#twice(() => this.#ledger.grant(talk.id, amount, 2, this.now));
    if (talk.requests < through) talk.begun = { amount: each, isKnown: false };
  }

  reserve(name: string, amount: number, isBackground: boolean): void {
    const talk = this.#talk(name);
    this.#report(talk);
    if (talk.begun) return;
    const n = talk.requests + 1;
    if (this.#twice(() => this.#ledger.reserve(talk.id, n, amount, this.now, isBackground)))
      talk.begun = { amount, isKnown: true };
  }

  settle(name: string, share: number): void {
    const talk = this.#talk(name);
    this.#finish(talk, share);
    this.#report(talk);
  }

  #finish(talk: Talk, share: number): void {
    if (!talk.begun) return;
    talk.total += Math.floor(talk.begun.amount * share);
    talk.requests++;
    talk.begun = null;
  }

  close(name: string, share: number): void {
    const talk = this.#talk(name);
    this.#finish(talk, share);
    this.#twice(() => this.#ledger.close(talk.id, talk, this.now));
    this.#talks.set(name, { id: `${talk.id}'`, begun: null, total: 0, requests: 0 });
  }

  /** Lets time pass. Credit is used in time; other requests may outlast theirs without a report. */
  advance(ms: number): void {
    for (const talk of this.#talks.values()) {
      if (talk.begun?.isKnown !== false) continue;
      this.#finish(talk, 1);
      this.#report(talk);
    }
    this.now += ms;
    this.#twice(() => this.#ledger.lapse(this.now));
  }

  configure(limit: number, more: Budget[]): void {
    this.#budgets = [budget("day", limit), ...more];
    this.#isReconfigured = true;
    this.#twice(() => this.#ledger.configure(this.#budgets, this.now));
    for (const one of this.#budgets) {
      if (one.action !== "end" || this.#ledger.use(one, this.now).used < one.limit) continue;
      expect(this.#storage.sql.exec("SELECT 1 FROM budget_consumers WHERE closing = 0").toArray()).toEqual([]);
    }
  }

  rebuild(): void {
    const before = this.#dump();
    this.#ledger = new BudgetLedger(this.#storage);
    this.#ledger.configure(this.#budgets, this.now);
    expect(this.#dump()).toEqual(before);
  }

  check(): void {
    const totals = this.#budgets
      .filter(({ action }) => action === "end")
      .map((one) => {
        const { used, reserved } = this.#ledger.use(one, this.now);
        return { id: one.id, limit: one.limit, total: used + reserved };
      });
    // If a limit was lowered, earlier use and reservations may exceed it, but then they only shrink.
    if (!this.#isReconfigured)
      for (const { id, limit, total } of totals)
        expect(total).toBeLessThanOrEqual(Math.max(limit, this.#before.get(id) ?? 0));
    this.#before = new Map(totals.map(({ id, total }) => [id, total]));
    this.#isReconfigured = false;
  }
}

const name = fc.constantFrom("a", "b", "c");
const share = fc.double({ min: 0, max: 1, noNaN: true });
const more = fc.subarray([
  budget("month", 3_000, { period: "month" }),
  budget("soft", 500, { action: "stop_new" }),
  budget("told", 300, { action: "warn" }),
]);
const step = fc.oneof(
  fc.tuple(name, fc.nat(40)).map(
    ([who, amount]) =>
      (world: World) =>
        world.grant(who, amount),
  ),
  fc.tuple(name, fc.integer({ min: 1, max: 400 }), fc.boolean()).map(
    ([who, amount, isBackground]) =>
      (world: World) =>
        world.reserve(who, amount, isBackground),
  ),
  fc.tuple(name, share).map(
    ([who, part]) =>
      (world: World) =>
        world.settle(who, part),
  ),
  fc.tuple(name, share).map(
    ([who, part]) =>
      (world: World) =>
        world.close(who, part),
  ),
  fc.constantFrom(MINUTE_MS, 6 * MINUTE_MS, HOUR_MS, 24 * HOUR_MS).map((ms) => (world: World) => world.advance(ms)),
  fc.tuple(fc.integer({ min: 100, max: 3_000 }), more).map(
    ([limit, others]) =>
      (world: World) =>
        world.configure(limit, others),
  ),
  fc.constant((world: World) => world.rebuild()),
);

describe("the budget ledger", () => {
  it("never exceeds a budget that ends conversations, and no repeated exchange changes it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: "max" }), (steps) =>
        runInDurableObject(env.ACCOUNT_METER.getByName(`t-${crypto.randomUUID()}`), (_, { storage }) => {
          migrate(storage, METER_MIGRATIONS, NOW);
          const world = new World(storage);
          for (const act of steps) {
            act(world);
            world.check();
          }
        }),
      ),
      { numRuns: 30, seed: Number(env.PROPERTY_SEED ?? 1) },
    );
  });
});
