import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OpenConsumer } from "../../../src/account/meter/budget-consumers.ts";
import { BudgetLedger } from "../../../src/account/meter/budget-ledger.ts";
import type { Budget, Consumer } from "../../../src/account/meter/budget-rules.ts";
import { METER_MIGRATIONS } from "../../../src/account/meter/migrations.ts";
import { migrate } from "../../../src/kernel/durable/migrate.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const budget = (over: Partial<Budget> = {}): Budget => ({
  id: "b",
  scope: "account",
  scope_id: null,
  period: "day",
  unit: "tokens",
  limit: 1_000,
  warn_at: [0.8],
  action: "end",
  ...over,
});
const ANYBODY: Consumer = {
  agent_id: "agent",
  campaign_id: null,
  api_key_id: null,
  widget_key_id: null,
  guest: false,
  network: null,
};
const consumer = (id: string, over: Partial<Consumer> = {}): OpenConsumer => {
  return { id, object: `object-${id}`, consumer: Object.assign({}, ANYBODY, over) };
};
const use = (total: number, requests: number) => ({ total, requests });

/**
 * Runs `body` with a new ledger in the storage of a Durable Object. `open` returns the ledger in the state that a
 * restarted object finds.
 */
function withLedger<T>(body: (open: (budgets: Budget[]) => BudgetLedger, sql: SqlStorage) => T): Promise<T> {
  const meter = env.ACCOUNT_METER.getByName(`ledger-${crypto.randomUUID()}`);
  return runInDurableObject(meter, (_, { storage }) => {
    migrate(storage, METER_MIGRATIONS, NOW);
    const open = (budgets: Budget[]) => {
      const ledger = new BudgetLedger(storage);
      ledger.configure(budgets, NOW);
      return ledger;
    };
    return body(open, storage.sql);
  });
}

describe("budget ledger", () => {
  it("grants credit while a fifth is left, then reserves request by request, and never exceeds the limit", async () => {
    await withLedger((open) => {
      const ledger = open([budget()]);
      const ids = Array.from({ length: 20 }, (_, n) => `id ${n}`);
      for (const id of ids) {
        ledger.open(consumer(id), "tokens", NOW);
        expect(ledger.grant(id, 20, 2, NOW)).toMatchObject({ through: 2, each: 20 });
      }
      ledger.open(consumer("late"), "tokens", NOW);
      expect(ledger.grant("late", 20, 2, NOW)).toMatchObject({ through: 0, each: 0 });
      for (let again = 0; again < 2; again++) expect(ledger.reserve("late", 1, 150, NOW)).toBe(true);
      expect(ledger.use(budget(), NOW)).toEqual({ used: 0, reserved: 950 });
      ledger.open(consumer("later"), "tokens", NOW);
      expect(ledger.reserve("later", 1, 51, NOW)).toBe(false);
      expect(ledger.toClose(99).map(({ id }) => id)).toEqual([...ids, "late", "later"].sort());
    });
  });

  it("grants no credit from a budget that a few idle conversations would exhaust", async () => {
    await withLedger((open) => {
      const ledger = open([budget()]);
      ledger.open(consumer("a"), "tokens", NOW);
      expect(ledger.grant("a", 21, 1, NOW)).toMatchObject({ through: 0 });
    });
  });

  it("settles by cumulative use, however often it is reported", async () => {
    await withLedger((open) => {
      const ledger = open([budget()]);
      ledger.open(consumer("a"), "tokens", NOW);
      ledger.grant("a", 20, 2, NOW);
      for (const total of [60, 60, 40]) ledger.settle("a", use(total, 1), NOW);
      expect(ledger.use(budget(), NOW)).toEqual({ used: 60, reserved: 20 });
      ledger.close("a", use(90, 2), NOW);
      ledger.close("a", use(90, 2), NOW);
      expect(ledger.use(budget(), NOW)).toEqual({ used: 90, reserved: 0 });
    });
  });

  it("charges use that is reported after the end once, even for a consumer that was considered done", async () => {
    await withLedger((open) => {
      const [limited, end] = [budget({ id: "a", action: "warn" }), budget({ id: "b" })];
      const ledger = open([limited, end]);
      const used = () => [limited, end].map((one) => ledger.use(one, NOW).used);
      for (const id of ["spent", "idle", "live"]) ledger.open(consumer(id), "tokens", NOW);
      ledger.close("spent", use(60, 1), NOW);
      ledger.close("idle", use(0, 0), NOW);
      expect(used()).toEqual([60, 60]);
      for (let again = 0; again < 2; again++) {
        ledger.close("spent", use(75, 2), NOW + 1);
        ledger.close("idle", use(5, 1), NOW + 1);
        ledger.close("spent", use(60, 1), NOW + 1);
        ledger.close("never there", use(500, 1), NOW + 1);
      }
      expect(used()).toEqual([80, 80]);
      // A renewal that arrives after the end, although it was sent before.
      ledger.open(consumer("spent"), "tokens", NOW + 2);
      ledger.settle("spent", use(75, 2), NOW + 2);
      expect(used()).toEqual([80, 80]);
      ledger.close("spent", use(76, 3), NOW + 3);
      expect([used(), ledger.toClose(9)]).toEqual([[81, 81], []]);
      ledger.close("idle", use(1_000, 1), NOW + 3);
      expect([used(), ledger.toClose(9)]).toEqual([[1_076, 1_076], [{ id: "live", object: "object-live" }]]);
    });
  });

  it("frees unused credit, and charges a started request until its consumer settles", async () => {
    await withLedger((open) => {
      const ledger = open([budget({ limit: 10_000 })]);
      for (const id of ["idle", "killed"]) ledger.open(consumer(id), "tokens", NOW);
      const { until } = ledger.grant("idle", 100, 1, NOW);
      ledger.reserve("killed", 1, 100, NOW);
      expect(until).toBeGreaterThan(NOW + MINUTE);
      expect(ledger.nextLapseAt()).toBeGreaterThanOrEqual(NOW + MINUTE);
      ledger.lapse(until + 2 * MINUTE);
      expect(ledger.use(budget(), NOW)).toEqual({ used: 100, reserved: 0 });
      expect(ledger.nextLapseAt()).toBeNull();
      ledger.settle("killed", use(30, 1), until + 3 * MINUTE);
      expect(ledger.use(budget(), NOW)).toEqual({ used: 30, reserved: 0 });
    });
  });

  it("loses nothing when its object restarts, and counts reservations against a new budget too", async () => {
    await withLedger((open) => {
      const ledger = open([budget()]);
      ledger.open(consumer("a"), "tokens", NOW);
      ledger.grant("a", 20, 2, NOW);
      ledger.settle("a", use(70, 1), NOW);
      const [later, second] = [budget(), budget({ id: "second", scope: "agent", scope_id: "agent", limit: 70 })];
      const next = open([later, second]);
      expect(next.use(later, NOW)).toEqual({ used: 70, reserved: 20 });
      expect(next.use(second, NOW)).toEqual({ used: 0, reserved: 20 });
      next.open(consumer("b"), "tokens", NOW);
      expect(next.reserve("b", 1, 51, NOW)).toBe(false);
    });
  });

  it("starts over with each period, and warns once in each", async () => {
    await withLedger((open) => {
      const ledger = open([budget()]);
      ledger.open(consumer("a"), "tokens", NOW);
      ledger.settle("a", use(800, 1), NOW);
      ledger.settle("a", use(900, 2), NOW);
      expect(ledger.pendingWarnings(9)).toMatchObject([{ budget: "b", share: 0.8, used: 800 }]);
      for (const warning of ledger.pendingWarnings(9)) ledger.warned(warning);
      ledger.settle("a", use(1_000, 3), NOW);
      expect(ledger.pendingWarnings(9)).toMatchObject([{ budget: "b", share: 1, used: 1_000 }]);
      expect(ledger.roomFor(ANYBODY, "tokens", 1, NOW).count).toBe(0);
      const tomorrow = NOW + DAY;
      expect(ledger.use(budget(), tomorrow).used).toBe(0);
      expect(ledger.roomFor(ANYBODY, "tokens", 1, tomorrow).count).toBeGreaterThan(0);
      ledger.settle("a", use(1_850, 4), tomorrow);
      expect(
        ledger
          .pendingWarnings(9)
          .map(({ share }) => share)
          .sort(),
      ).toEqual([0.8, 1]);
    });
  });

  it("lets live conversations exceed a limit that only stops new ones, and all conversations one that only warns", async () => {
    await withLedger((open) => {
      const ledger = open([budget({ action: "stop_new", limit: 100 })]);
      ledger.open(consumer("a"), "tokens", NOW);
      expect(ledger.reserve("a", 1, 5_000, NOW)).toBe(true);
      expect(ledger.roomFor(ANYBODY, "tokens", 1, NOW).count).toBe(0);
      expect(open([budget({ action: "warn", limit: 100 })]).roomFor(ANYBODY, "tokens", 1, NOW).count).toBeGreaterThan(
        0,
      );
      expect(ledger.toClose(9)).toEqual([]);
    });
  });

  it("leaves guests half of a budget and one network a fifth, so that a flood leaves room for others", async () => {
    await withLedger((open) => {
      const ledger = open([budget()]);
      const guest = (network: string) => ({ guest: true, network });
      const ask = (id: string, over: Partial<Consumer>) => {
        ledger.open(consumer(id, over), "tokens", NOW);
        return ledger.reserve(id, 1, 100, NOW);
      };
      expect(["1", "2", "3"].map((id) => ask(`flood ${id}`, guest("192.0.2.1")))).toEqual([true, true, false]);
      expect(["1", "2", "3"].map((id) => ask(`other ${id}`, guest(`198.51.100.${id}`)))).toEqual([true, true, true]);
      expect(ask("one guest more", guest("203.0.113.1"))).toBe(false);
      expect(["1", "2", "3", "4", "5", "6"].map((id) => ask(`user ${id}`, {}))).toEqual([
        ...Array(5).fill(true),
        false,
      ]);
    });
  });

  it("keeps no credit reserved once a fifth of a soft budget is left, so that 42 idle guests block no one", async () => {
    await withLedger((open) => {
      const soft = budget({ action: "stop_new", limit: 1_000_000 });
      const ledger = open([soft]);
      const guest = { guest: true, network: null };
      for (let n = 0; n < 42; n++) {
        expect(ledger.roomFor(Object.assign({}, ANYBODY, guest), "tokens", 1_000, NOW).count).toBeGreaterThan(0);
        ledger.open(consumer(`idle ${n}`, guest), "tokens", NOW);
        ledger.grant(`idle ${n}`, 6_000, 2, NOW);
      }
      expect(ledger.use(soft, NOW)).toEqual({ used: 0, reserved: 66 * 6_000 });
      expect(ledger.roomFor(Object.assign({}, ANYBODY, guest), "tokens", 1_000, NOW).count).toBeGreaterThan(0);
    });
  });

  it("closes the live consumers of a budget that is lowered to what is used", async () => {
    await withLedger((open) => {
      const ledger = open([budget(), budget({ id: "minutes", unit: "call_minutes" })]);
      for (const id of ["spender", "idle"]) ledger.open(consumer(id), "tokens", NOW);
      ledger.open(consumer("call"), "call_ms", NOW);
      ledger.settle("spender", use(300, 1), NOW);
      ledger.configure([budget({ limit: 301 }), budget({ id: "minutes", unit: "call_minutes" })], NOW);
      expect(ledger.toClose(9)).toEqual([]);
      ledger.configure([budget({ limit: 300 }), budget({ id: "minutes", unit: "call_minutes" })], NOW);
      expect(ledger.toClose(9).map(({ id }) => id)).toEqual(["idle", "spender"]);
      expect(ledger.pendingWarnings(9).filter(({ share }) => share === 1)).toHaveLength(1);
    });
  });

  it("closes live calls when their budget of minutes is lowered to what is used", async () => {
    await withLedger((open) => {
      const minutes = (limit: number) => budget({ id: "minutes", unit: "call_minutes", limit });
      const ledger = open([minutes(100)]);
      for (const id of ["over", "live"]) ledger.open(consumer(id), "call_ms", NOW);
      ledger.close("over", use(10 * MINUTE, 1), NOW);
      ledger.configure([minutes(10)], NOW);
      expect(ledger.toClose(9)).toEqual([{ id: "live", object: "object-live" }]);
    });
  });

  it("does not change today's use when a reservation that lapsed yesterday settles", async () => {
    await withLedger((open) => {
      const month = budget({ id: "month", period: "month" });
      const ledger = open([budget(), month]);
      for (const id of ["killed", "other"]) ledger.open(consumer(id), "tokens", NOW);
      ledger.reserve("killed", 1, 400, NOW);
      ledger.lapse(NOW + 10 * MINUTE);
      const tomorrow = NOW + DAY;
      ledger.settle("other", use(250, 1), tomorrow);
      ledger.settle("killed", use(30, 1), tomorrow);
      expect(ledger.use(budget(), tomorrow)).toEqual({ used: 250, reserved: 0 });
      expect(ledger.use(month, tomorrow)).toEqual({ used: 280, reserved: 0 });
    });
  });

  it("charges a reservation that lapses after midnight to the day on which it was made", async () => {
    await withLedger((open) => {
      const ledger = open([budget()]);
      for (const id of ["killed", "other"]) ledger.open(consumer(id), "tokens", NOW);
      ledger.reserve("killed", 1, 400, NOW);
      ledger.settle("other", use(250, 1), NOW + DAY);
      ledger.lapse(NOW + DAY);
      expect(ledger.use(budget(), NOW + DAY)).toEqual({ used: 250, reserved: 0 });
    });
  });

  it("never exceeds a budget and conserves every token, in any order of requests", async () => {
    const id = fc.constantFrom("a", "b", "c");
    const amount = fc.integer({ min: 1, max: 400 });
    const step = fc.oneof(
      fc.record({ kind: fc.constant("grant" as const), id, amount: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ kind: fc.constant("ask" as const), id, amount }),
      fc.record({ kind: fc.constant("finish" as const), id, share: fc.double({ min: 0, max: 1, noNaN: true }) }),
      fc.record({ kind: fc.constant("settle" as const), id }),
      fc.record({ kind: fc.constant("repeat" as const), id }),
      fc.record({ kind: fc.constant("advance" as const), ms: fc.integer({ min: 1, max: 5 * MINUTE }) }),
      fc.record({ kind: fc.constant("restart" as const) }),
      fc.record({ kind: fc.constant("leave" as const), id }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80, size: "max" }), (steps) =>
        withLedger((open, sql) => {
          const limited = budget({ limit: 2_000, warn_at: [] });
          let ledger = open([limited]);
          let now = NOW;
          /** Creates a conversation's own state: what it may start, has started, and has used. */
          const fresh = (id: string) => {
            return { id, through: 0, each: 0, until: 0, begun: null as number | null, total: 0, requests: 0 };
          };
          const talk = new Map(["a", "b", "c"].map((name) => [name, fresh(name)]));
          let gone = 0;
          const of = (name: string) => talk.get(name) ?? fresh(name);
          for (const each of steps) {
            if (each.kind === "advance") {
              now += each.ms;
              // A request is aborted before its reservation lapses, and its consumer reports that at once.
              for (const one of talk.values()) {
                if (one.begun === null) continue;
                one.total += one.begun;
                one.requests++;
                one.begun = null;
                ledger.settle(one.id, use(one.total, one.requests), now - each.ms);
              }
              ledger.lapse(now);
            } else if (each.kind === "restart") ledger = open([limited]);
            else {
              const one = of(each.id);
              const { id: conversation } = one;
              ledger.open(consumer(conversation), "tokens", now);
              // A request for more first reports the use so far.
              if (each.kind === "grant" || each.kind === "ask")
                ledger.settle(conversation, use(one.total, one.requests), now);
              if (each.kind === "grant" && one.begun === null) {
                Object.assign(one, ledger.grant(conversation, each.amount, 2, now));
                if (one.requests < one.through && now < one.until) one.begun = one.each;
              } else if (each.kind === "ask" && one.begun === null) {
                if (ledger.reserve(conversation, one.requests + 1, each.amount, now)) one.begun = each.amount;
              } else if (each.kind === "finish" && one.begun !== null) {
                one.total += Math.floor(one.begun * each.share);
                one.requests++;
                one.begun = null;
              } else if (each.kind === "settle") ledger.settle(conversation, use(one.total, one.requests), now);
              else if (each.kind === "repeat") {
                ledger.settle(conversation, use(Math.floor(one.total / 2), Math.max(0, one.requests - 1)), now);
              } else if (each.kind === "leave" && one.begun === null) {
                ledger.close(conversation, use(one.total, one.requests), now);
                gone += one.total;
                talk.set(each.id, fresh(`${conversation}'`));
              }
            }
            const { used, reserved } = ledger.use(limited, now);
            expect(used + reserved).toBeLessThanOrEqual(limited.limit);
            const held = sql.exec<{ n: number | null }>(
              "SELECT sum(amount) n FROM budget_reservations WHERE lapsed = 0",
            );
            expect(reserved).toBe(held.one().n ?? 0);
          }
          for (const one of talk.values()) ledger.close(one.id, use(one.total, one.requests), now);
          const spent = [...talk.values()].reduce((sum, { total }) => sum + total, gone);
          expect(ledger.use(limited, now)).toEqual({ used: spent, reserved: 0 });
        }),
      ),
      { numRuns: 60, seed: Number(env.PROPERTY_SEED ?? 1) },
    );
  });
});
