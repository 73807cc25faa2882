import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BudgetLedger } from "../../../src/account/meter/budget-ledger.ts";
import { type Budget, type Consumer, LEAST_TOKENS } from "../../../src/account/meter/budget-rules.ts";
import { METER_MIGRATIONS } from "../../../src/account/meter/migrations.ts";
import { migrate } from "../../../src/kernel/durable/migrate.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const PERIODS = ["day", "month"] as const;
const ACTIONS = ["warn", "stop_new", "end"] as const;
const CONSUMER: Consumer = {
  agent_id: "agent",
  campaign_id: null,
  api_key_id: null,
  widget_key_id: null,
  guest: false,
  network: null,
};
const GUEST = Object.assign({}, CONSUMER, { guest: true });
const budget = (over: Partial<Budget> = {}): Budget =>
  Object.assign(
    { id: "b", scope: "account", scope_id: null, period: "day", unit: "tokens", limit: 1_000_000, warn_at: [] },
    { action: "end" },
    over,
  ) as Budget;

/** Runs `body` with a new ledger. `open` returns the ledger in the state that a restarted object finds. */
function withLedger<T>(body: (open: (budgets: Budget[], now?: number) => BudgetLedger, sql: SqlStorage) => T) {
  const meter = env.ACCOUNT_METER.getByName(`changes-${crypto.randomUUID()}`);
  return runInDurableObject(meter, (_, { storage }) => {
    migrate(storage, METER_MIGRATIONS, NOW);
    const open = (budgets: Budget[], now = NOW) => {
      const ledger = new BudgetLedger(storage);
      ledger.configure(budgets, now);
      return ledger;
    };
    return body(open, storage.sql);
  });
}

function begin(ledger: BudgetLedger, id: string, consumer = CONSUMER, now = NOW): void {
  ledger.open({ id, object: id, consumer }, "tokens", now);
}

describe("idle conversations", () => {
  it.each(ACTIONS)(
    "idle conversations leave a fifth of a budget to others, whatever it does at its limit: %s",
    (action) =>
      withLedger((open) => {
        const limited = budget({ action });
        const ledger = open([limited]);
        for (let n = 0; n < 200; n++) {
          begin(ledger, `idle ${n}`, GUEST);
          ledger.grant(`idle ${n}`, 6_000, 2, NOW);
        }
        expect(ledger.use(limited, NOW).reserved).toBeLessThanOrEqual(400_000);
        expect(ledger.roomFor(GUEST, "tokens", LEAST_TOKENS, NOW).count).toBeGreaterThan(0);
        expect(ledger.roomFor(CONSUMER, "tokens", LEAST_TOKENS, NOW).count).toBeGreaterThan(0);
      }),
  );

  it("idle conversations of a custom runtime hold no budget longer by renewing", () =>
    withLedger((open) => {
      const limited = budget();
      const ledger = open([limited]);
      begin(ledger, "own");
      const { until } = ledger.grant("own", 6_000, 2, NOW);
      for (let now = NOW; now <= until + 3 * MINUTE; now += MINUTE) {
        ledger.grant("own", 0, 2, now);
        ledger.lapse(now);
      }
      expect(ledger.use(limited, NOW).reserved).toBe(0);
    }));
});

describe("a change of an end budget", () => {
  it.each<[string, Budget[]]>([
    ["lowers the limit to what is used", [budget({ limit: 500 })]],
    ["has a budget end that only warned", [budget({ limit: 500, action: "end" })]],
  ])("a change of an end budget ends live conversations, including idle ones, if it %s", (_, changed) =>
    withLedger((open) => {
      const ledger = open([budget({ action: changed[0]?.limit === 500 ? "warn" : "end" })]);
      for (const id of ["busy", "idle"]) begin(ledger, id);
      ledger.settle("busy", { total: 500, requests: 1 }, NOW);
      expect(ledger.toClose(9)).toEqual([]);
      ledger.configure(changed, NOW);
      expect(ledger.toClose(9).map(({ id }) => id)).toEqual(["busy", "idle"]);
    }),
  );

  it("ends no conversation if it leaves room, in this period or because another began", () =>
    withLedger((open) => {
      const ledger = open([budget()]);
      begin(ledger, "a");
      ledger.settle("a", { total: 500, requests: 1 }, NOW);
      ledger.configure([budget({ limit: 501 })], NOW);
      ledger.configure([budget({ limit: 500, action: "stop_new" })], NOW);
      ledger.configure([budget({ limit: 500 })], NOW + DAY);
      expect(ledger.toClose(9)).toEqual([]);
    }));

  it("ends calls whose minutes are used up", () =>
    withLedger((open) => {
      const minutes = budget({ unit: "call_minutes", limit: 100 });
      const ledger = open([minutes]);
      for (const id of ["over", "live"]) ledger.open({ id, object: id, consumer: CONSUMER }, "call_ms", NOW);
      ledger.hold("live", { amount: 30 * MINUTE, started: true, lapsesAt: NOW + DAY }, NOW);
      ledger.close("over", { total: 10 * MINUTE, requests: 1 }, NOW);
      ledger.configure([budget({ unit: "call_minutes", limit: 10 })], NOW);
      expect(ledger.toClose(9)).toEqual([{ id: "live", object: "live" }]);
    }));
});

describe("what a lapsed reservation was charged", () => {
  it("a lapsed reservation is corrected in its own period, without changing today's use", () =>
    withLedger((open) => {
      const limited = budget();
      const ledger = open([limited]);
      for (const id of ["killed", "talks"]) begin(ledger, id);
      ledger.reserve("killed", 1, 100, NOW);
      ledger.lapse(NOW + 10 * MINUTE);
      expect(ledger.use(limited, NOW).used).toBe(100);
      const today = NOW + DAY;
      ledger.settle("talks", { total: 50, requests: 1 }, today);
      ledger.settle("killed", { total: 30, requests: 1 }, today);
      expect(ledger.use(limited, today)).toEqual({ used: 50, reserved: 0 });
    }));

  it("a lapsed reservation counts in its month, whatever the day", () =>
    withLedger((open) => {
      const monthly = budget({ period: "month" });
      const ledger = open([monthly]);
      begin(ledger, "killed");
      ledger.reserve("killed", 1, 100, NOW);
      ledger.lapse(NOW + 10 * MINUTE);
      ledger.settle("killed", { total: 30, requests: 1 }, NOW + DAY);
      expect(ledger.use(monthly, NOW + DAY)).toEqual({ used: 30, reserved: 0 });
    }));
});

describe("the budget ledger under changes", () => {
  it("keeps its promises in any order of requests, repetitions and restarts", async () => {
    const who = fc.constantFrom("a", "b", "c", "d");
    const step = fc.oneof(
      fc.record({ kind: fc.constant("ask" as const), who, amount: fc.integer({ min: 1, max: 30_000 }) }),
      fc.record({ kind: fc.constant("grant" as const), who, amount: fc.integer({ min: 0, max: 3_000 }) }),
      fc.record({ kind: fc.constant("settle" as const), who, share: fc.integer({ min: 0, max: 10 }) }),
      fc.record({ kind: fc.constant("leave" as const), who }),
      fc.record({ kind: fc.constant("advance" as const), ms: fc.constantFrom(MINUTE, 6 * MINUTE, 13 * 60 * MINUTE) }),
      fc.record({ kind: fc.constant("limit" as const), limit: fc.integer({ min: 1_000, max: 200_000 }) }),
      fc.record({ kind: fc.constant("action" as const), action: fc.constantFrom(...ACTIONS) }),
      fc.record({ kind: fc.constant("restart" as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 50, size: "max" }), fc.constantFrom(...PERIODS), (steps, period) =>
        withLedger((open, sql) => {
          let limited = budget({ period, limit: 150_000 });
          let ledger = open([limited]);
          let now = NOW;
          /** Each conversation's use, and the maximum cost of its next request after it has begun. */
          const talks = new Map<string, { id: string; total: number; requests: number; begun: number }>();
          const talkOf = (name: string) => {
            const found = talks.get(name);
            if (found) return found;
            const fresh = { id: `${name} ${crypto.randomUUID()}`, total: 0, requests: 0, begun: 0 };
            talks.set(name, fresh);
            return fresh;
          };
          const rows = () =>
            JSON.stringify(
              ["budget_pots", "budget_reservations", "budget_consumers", "budget_past_consumers"].map((table) =>
                sql.exec(`SELECT * FROM ${table}`).toArray(),
              ),
            );
          /** Does something twice, and expects the second time to change nothing. */
          const twice = (act: () => unknown) => {
            const first = act();
            const stored = rows();
            const second = act();
            expect([second, rows()]).toEqual([first, stored]);
          };
          const isOver = () => {
            const { used, reserved } = ledger.use(limited, now);
            return used + reserved > limited.limit;
          };
          let wasOver = false;
          for (const one of steps) {
            if (one.kind === "advance") {
              now += one.ms;
              twice(() => ledger.lapse(now));
            } else if (one.kind === "restart") ledger = open([limited], now);
            else if (one.kind === "limit" || one.kind === "action") {
              limited = Object.assign(
                {},
                limited,
                one.kind === "limit" ? { limit: one.limit } : { action: one.action },
              );
              twice(() => ledger.configure([limited], now));
              wasOver = isOver();
            } else {
              const talk = talkOf(one.who);
              const { id } = talk;
              begin(ledger, id, CONSUMER, now);
              const use = () => ({ total: talk.total, requests: talk.requests });
              if (one.kind === "ask" && talk.begun === 0) {
                twice(() => {
                  const isCovered = ledger.reserve(id, talk.requests + 1, one.amount, now);
                  talk.begun = isCovered ? one.amount : 0;
                  return isCovered;
                });
              } else if (one.kind === "grant" && talk.begun === 0) {
                twice(() => ledger.grant(id, one.amount, 2, now));
              } else if (one.kind === "settle" && talk.begun > 0) {
                talk.total += Math.floor((talk.begun * one.share) / 10);
                talk.requests++;
                talk.begun = 0;
                twice(() => ledger.settle(id, use(), now));
              } else if (one.kind === "leave" && talk.begun === 0) {
                twice(() => ledger.close(id, use(), now));
                talks.delete(one.who);
              }
            }
            const { used, reserved } = ledger.use(limited, now);
            const isEnd = limited.action === "end";
            // The limit is exceeded only after a change of the budget, or while its action admitted more.
            if (!isEnd) wasOver ||= isOver();
            else if (!wasOver) expect(used + reserved).toBeLessThanOrEqual(limited.limit);
            else wasOver = isOver();
            const held = sql.exec<{ n: number }>("SELECT total(amount) n FROM budget_reservations WHERE lapsed = 0");
            expect(reserved).toBe(held.one().n);
            const ahead = sql
              .exec<{ n: number }>("SELECT total(amount) n FROM budget_reservations WHERE started = 0 AND lapsed = 0")
              .one().n;
            // If only credit is reserved, a new conversation is admitted.
            if (used === 0 && ahead === reserved && limited.limit >= 5 * LEAST_TOKENS && !wasOver)
              expect(ledger.roomFor(CONSUMER, "tokens", LEAST_TOKENS, now).count).toBeGreaterThan(0);
            if (isEnd && used >= limited.limit) {
              const idle = sql.exec(
                `SELECT id FROM budget_consumers WHERE closing = 0
                   AND id NOT IN (SELECT consumer FROM budget_reservations WHERE lapsed = 0)`,
              );
              // A conversation that came after the limit was reached is ended by its first exchange.
              const others = idle
                .toArray()
                .filter(({ id }) => [...talks.values()].some((t) => t.id === id && t.requests > 0));
              expect(others).toEqual([]);
            }
          }
        }),
      ),
      { numRuns: 80, seed: Number(env.PROPERTY_SEED ?? 1) },
    );
  });
});
