import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GATE_MIGRATIONS } from "../../../src/account/gate/migrations.ts";
import {
  FREE_FAILURES,
  LONGEST_MS,
  type SignInHistory,
  STRANGERS_BUDGET,
  STRANGERS_TRY_MS,
  STRANGERS_WINDOW_MS,
  signInDelay,
  TRYING_NAMES,
} from "../../../src/account/gate/sign-in-delay.ts";
import {
  FAILURES_KEPT_MS,
  HOMES_KEPT_MS,
  SignInLedger,
  type SignInPair,
} from "../../../src/account/gate/sign-in-ledger.ts";
import { SignIns } from "../../../src/account/gate/sign-ins.ts";
import { migrate } from "../../../src/kernel/durable/migrate.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const SECOND = 1_000;
const MANY = { min: 0, max: 1_000_000 };

const history = fc.record<SignInHistory>({
  own: fc.option(fc.record({ failures: fc.integer({ min: 1, max: 1_000 }), lastAt: fc.integer({ min: 0, max: NOW }) })),
  strangers: fc.record({ failures: fc.integer(MANY), lastAt: fc.integer({ min: 0, max: NOW }) }),
  address: fc.record({ users: fc.integer({ min: 0, max: 1_000 }), lastAt: fc.integer({ min: 0, max: NOW }) }),
  atHome: fc.boolean(),
});
const quiet = { own: null, strangers: { failures: 0, lastAt: 0 }, address: { users: 0, lastAt: 0 }, atHome: false };

/** Returns the wait right after the n-th failure. */
const waitAfter = (failures: number, of: Partial<SignInHistory> = {}) =>
  signInDelay({ ...quiet, ...of, own: { failures, lastAt: NOW } }, NOW) / SECOND;

describe("the delay of a sign-in", () => {
  it("a sign-in is not delayed by a person's mistakes, then by doubling waits up to 15 minutes", () => {
    expect(Array.from({ length: 16 }, (_, n) => waitAfter(n + 1))).toEqual([
      ...Array(FREE_FAILURES).fill(0),
      ...[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900],
    ]);
  });

  it("a stranger without failures waits at most a minute, whatever other strangers do", () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 0, max: NOW }), (some, now) => {
        const wait = signInDelay({ ...some, own: null, address: { users: 0, lastAt: 0 } }, NOW + now);
        expect(wait).toBeLessThanOrEqual(STRANGERS_TRY_MS);
      }),
    );
  });

  it("the delay at an address where the user signed in before depends on the user's own failures there", () => {
    fc.assert(
      fc.property(history, history, (some, other) => {
        const home = (of: SignInHistory) => signInDelay({ ...of, own: some.own, atHome: true }, NOW);
        expect(home(some)).toBe(home(other));
      }),
    );
  });

  it("ends once the longest delay has passed, and never grows without failures", () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 0, max: 2 * LONGEST_MS }), (some, later) => {
        const wait = signInDelay(some, NOW);
        expect(wait).toBeLessThanOrEqual(LONGEST_MS);
        expect(signInDelay(some, NOW + later)).toBe(Math.max(0, wait - later));
      }),
    );
  });

  it("more failures of any kind never shorten the delay", () => {
    fc.assert(
      fc.property(history, fc.nat(100), fc.nat(100), fc.nat(100), (some, own, more, users) => {
        const worse = {
          ...some,
          own: some.own && { ...some.own, failures: some.own.failures + own },
          strangers: { ...some.strangers, failures: some.strangers.failures + more },
          address: { ...some.address, users: some.address.users + users },
        };
        expect(signInDelay(worse, NOW)).toBeGreaterThanOrEqual(signInDelay(some, NOW));
      }),
    );
  });

  it("a stranger waits a minute after each failure once the strangers' budget is spent", () => {
    const waitFor = (failures: number, atHome = false) =>
      signInDelay({ ...quiet, strangers: { failures, lastAt: NOW }, atHome }, NOW) / SECOND;
    expect([1, STRANGERS_BUDGET - 1, STRANGERS_BUDGET, 1_000].map((failures) => waitFor(failures))).toEqual([
      0, 0, 60, 60,
    ]);
    expect(waitFor(1_000, true)).toBe(0);
  });

  it("applies to all users of an address that tries many names, except those familiar there", () => {
    const from = (users: number, atHome = false) =>
      signInDelay({ ...quiet, address: { users, lastAt: NOW }, atHome }, NOW) / SECOND;
    expect([1, TRYING_NAMES - 1, TRYING_NAMES, TRYING_NAMES + 1, 500].map((users) => from(users))).toEqual([
      0, 0, 1, 2, 900,
    ]);
    expect(from(500, true)).toBe(0);
  });
});

/** Runs `body` with a new ledger, in the storage of a Durable Object. */
function withLedger<T>(body: (ledger: SignInLedger) => T | Promise<T>): Promise<T> {
  const gate = env.ACCOUNT_GATE.getByName(`sign-ins-${crypto.randomUUID()}`);
  return runInDurableObject(gate, (_, state) => {
    migrate(state.storage, GATE_MIGRATIONS, NOW);
    return body(new SignInLedger(state.storage.sql));
  });
}

describe("the ledger of failed sign-ins", () => {
  it("counts by user and address, and forgives both only together", async () => {
    await withLedger((ledger) => {
      const [here, there] = [
        { user: "ann", address: "1" },
        { user: "ann", address: "2" },
      ];
      for (let i = 0; i < 3; i++) ledger.failed(here, NOW + i);
      ledger.failed(there, NOW);
      ledger.failed({ user: "bob", address: "1" }, NOW + 9);
      expect(ledger.history(here, NOW + 10)).toEqual({
        own: { failures: 3, lastAt: NOW + 2 },
        strangers: { failures: 4, lastAt: NOW + 2 },
        address: { users: 2, lastAt: NOW + 9 },
        atHome: false,
      });
      ledger.succeeded(here, NOW + 10);
      expect(ledger.history(here, NOW + 10)).toMatchObject({ own: null, atHome: true });
      expect(ledger.history(there, NOW + 10)).toMatchObject({ own: { failures: 1 }, atHome: false });
      expect(ledger.history({ user: "bob", address: "1" }, NOW + 10)).toMatchObject({ address: { users: 1 } });
    });
  });

  it("counts the networks of one site together, and those of other sites separately", async () => {
    await withLedger((ledger) => {
      const network = (site: string, n: number) => ({
        user: "ann",
        address: `2001:db8:${site}:${n.toString(16)}::/64`,
      });
      for (let n = 0; n < 40; n++) ledger.failed(network("7", n), NOW);
      expect(ledger.history(network("7", 99), NOW)).toMatchObject({ own: { failures: 40 }, address: { users: 1 } });
      expect(ledger.history(network("70", 0), NOW)).toMatchObject({ own: null, address: { users: 0 } });
      expect(ledger.history(network("8", 0), NOW).strangers).toEqual({ failures: 40, lastAt: NOW });
      expect(ledger.history(network("8", 0), NOW + STRANGERS_WINDOW_MS).strangers.failures).toBe(0);
    });
  });

  it("keeps failures at a familiar address apart from strangers' failures", async () => {
    await withLedger((ledger) => {
      const [home, beside] = ["1", "2"].map((n) => ({ user: "ann", address: `2001:db8:7:${n}::/64` })) as [
        SignInPair,
        SignInPair,
      ];
      ledger.succeeded(home, NOW);
      for (let n = 0; n < 30; n++) ledger.failed(home, NOW);
      expect(ledger.history(beside, NOW).strangers.failures).toBe(0);
      ledger.succeeded(home, NOW);
      for (let n = 0; n < 30; n++) ledger.failed(beside, NOW);
      expect(signInDelay(ledger.history(home, NOW), NOW)).toBe(0);
    });
  });

  it("remembers the latest fifty addresses of a user", async () => {
    await withLedger((ledger) => {
      const from = (n: number) => ({ user: "ann", address: String(n) });
      for (let n = 0; n < 60; n++) ledger.succeeded(from(n), NOW + n);
      expect(Array.from({ length: 60 }, (_, n) => ledger.history(from(n), NOW + 60).atHome).indexOf(true)).toBe(10);
    });
  });

  it("prunes failures after a day, and homes after three months", async () => {
    await withLedger((ledger) => {
      const pair = { user: "ann", address: "1" };
      ledger.succeeded(pair, NOW);
      ledger.failed(pair, NOW);
      expect(ledger.history(pair, NOW + FAILURES_KEPT_MS - 1).own).not.toBeNull();
      expect(ledger.history(pair, NOW + FAILURES_KEPT_MS)).toMatchObject({ own: null, atHome: true });
      ledger.failed(pair, NOW + FAILURES_KEPT_MS);
      expect(ledger.history(pair, NOW + FAILURES_KEPT_MS).own?.failures).toBe(1);
      expect(ledger.history(pair, NOW + HOMES_KEPT_MS).atHome).toBe(false);
    });
  });

  it("never blocks the owner at a familiar address, and always delays attackers", async () => {
    const attack = fc.record({
      user: fc.constantFrom("ann", "bob", "nobody"),
      address: fc.constantFrom("evil1", "evil2", "cafe"),
      after: fc.nat(60_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(attack, { maxLength: 60 }), (attacks) =>
        withLedger((ledger) => {
          let now = NOW;
          ledger.succeeded({ user: "ann", address: "cafe" }, now);
          const judged = new Map<string, number[]>();
          for (const { after, ...pair } of attacks) {
            now += after;
            if (signInDelay(ledger.history(pair, now), now) === 0) {
              ledger.failed(pair, now);
              const name = `${pair.user} ${pair.address}`;
              judged.set(name, [...(judged.get(name) ?? []), now]);
            }
            // Strangers can delay each other by at most a minute.
            const elsewhere = ledger.history({ user: "ann", address: "elsewhere" }, now);
            expect(signInDelay(elsewhere, now)).toBeLessThanOrEqual(STRANGERS_TRY_MS);
          }
          for (const times of judged.values()) {
            times.forEach((at, n) => {
              const before = times[n - 1];
              const step = n <= FREE_FAILURES ? 0 : Math.min(LONGEST_MS, SECOND * 2 ** (n - FREE_FAILURES - 1));
              if (before !== undefined) expect(at - before).toBeGreaterThanOrEqual(step);
            });
          }
        }),
      ),
      { numRuns: 40 },
    );
  });
});

describe("passwords tried at once", () => {
  it("passwords tried at once are limited like passwords tried in turn", async () => {
    await withLedger(async (ledger) => {
      const signIns = new SignIns({ existing: () => ledger, open: () => ledger });
      const pair = { user: "ann", address: "1" };
      const begun = await Promise.all(Array.from({ length: 20 }, () => signIns.begin(pair)));
      expect(begun.every(({ outcome }) => outcome === "try")).toBe(true);
      const judged = Array.from({ length: 19 }, () => signIns.end(pair, "wrong")).filter((wait) => wait === 0);
      expect(judged).toHaveLength(FREE_FAILURES + 1);
      expect(signIns.end(pair, "right")).toBeGreaterThan(0);
      expect(await signIns.begin(pair)).toMatchObject({ outcome: "wait" });
      expect((await signIns.begin({ user: "ann", address: "2" })).outcome).toBe("try");
    });
  });

  it("passwords from sixty networks at once share the budget of a user's strangers", async () => {
    await withLedger(async (ledger) => {
      const signIns = new SignIns({ existing: () => ledger, open: () => ledger });
      const home = { user: "ann", address: "home" };
      ledger.succeeded(home, Date.now());
      const pairs = Array.from({ length: 60 }, (_, n) => ({ user: "ann", address: `203.0.113.${n}` }));
      await Promise.all(pairs.map((pair) => signIns.begin(pair)));
      expect(pairs.filter((pair) => signIns.end(pair, "wrong") === 0)).toHaveLength(STRANGERS_BUDGET);
      expect((await signIns.begin({ user: "ann", address: "198.51.100.1" })).outcome).toBe("wait");
      expect([(await signIns.begin(home)).outcome, signIns.end(home, "right")]).toEqual(["try", 0]);
    });
  });

  it("passwords are not checked while users are being changed", async () => {
    await withLedger(async (ledger) => {
      const signIns = new SignIns({ existing: () => ledger, open: () => ledger });
      const order: string[] = [];
      let finish = () => {};
      signIns.during(
        new Promise<void>((resolve) => {
          finish = () => resolve();
        }).then(() => order.push("changed")),
      );
      const begun = signIns.begin(null).then(() => order.push("begun"));
      finish();
      await begun;
      expect(order).toEqual(["changed", "begun"]);
    });
  });
});
