import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GATE_MIGRATIONS } from "../../src/account-gate/migrations.ts";
import {
  FREE_FAILURES,
  LONGEST_MS,
  type SignInHistory,
  signInDelay,
  TRYING_NAMES,
  UNDER_ATTACK,
} from "../../src/account-gate/sign-in-delay.ts";
import { FAILURES_KEPT_MS, HOMES_KEPT_MS, SignInLedger } from "../../src/account-gate/sign-in-ledger.ts";
import { SignIns } from "../../src/account-gate/sign-ins.ts";
import { migrate } from "../../src/durable/migrate.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const SECOND = 1_000;
const MANY = { min: 0, max: 1_000_000 };

const history = fc.record<SignInHistory>({
  own: fc.option(fc.record({ failures: fc.integer({ min: 1, max: 1_000 }), lastAt: fc.integer({ min: 0, max: NOW }) })),
  elsewhere: fc.integer(MANY),
  address: fc.record({ users: fc.integer({ min: 0, max: 1_000 }), lastAt: fc.integer({ min: 0, max: NOW }) }),
  atHome: fc.boolean(),
});
const quiet = { own: null, elsewhere: 0, address: { users: 0, lastAt: 0 }, atHome: false };

/** The wait right after the n-th failure. */
const waitAfter = (failures: number, of: Partial<SignInHistory> = {}) =>
  signInDelay({ ...quiet, ...of, own: { failures, lastAt: NOW } }, NOW) / SECOND;

describe("the delay of a sign-in", () => {
  it("is nothing for a person's mistakes, then doubles, up to a quarter of an hour", () => {
    expect(Array.from({ length: 16 }, (_, n) => waitAfter(n + 1))).toEqual([
      ...Array(FREE_FAILURES).fill(0),
      ...[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900],
    ]);
  });

  it("is nothing at an address that has not failed, whatever happens elsewhere", () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 0, max: NOW }), (some, now) => {
        expect(signInDelay({ ...some, own: null, address: { users: 0, lastAt: 0 } }, now)).toBe(0);
      }),
    );
  });

  it("is, where the user has signed in before, what their own failures there make it", () => {
    fc.assert(
      fc.property(history, history, (some, other) => {
        const home = (of: SignInHistory) => signInDelay({ ...of, own: some.own, atHome: true }, NOW);
        expect(home(some)).toBe(home(other));
      }),
    );
  });

  it("is over once the longest has passed, and never grows while nobody fails", () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 0, max: 2 * LONGEST_MS }), (some, later) => {
        const wait = signInDelay(some, NOW);
        expect(wait).toBeLessThanOrEqual(LONGEST_MS);
        expect(signInDelay(some, NOW + later)).toBe(Math.max(0, wait - later));
      }),
    );
  });

  it("is no shorter for more failures, of whatever kind", () => {
    fc.assert(
      fc.property(history, fc.nat(100), fc.nat(100), fc.nat(100), (some, own, elsewhere, users) => {
        const worse = {
          ...some,
          own: some.own && { ...some.own, failures: some.own.failures + own },
          elsewhere: some.elsewhere + elsewhere,
          address: { ...some.address, users: some.address.users + users },
        };
        expect(signInDelay(worse, NOW)).toBeGreaterThanOrEqual(signInDelay(some, NOW));
      }),
    );
  });

  it("begins with the first failure where a user is attacked from many addresses", () => {
    expect(waitAfter(1, { elsewhere: UNDER_ATTACK - 1 })).toBe(0);
    expect([1, 2, 4, 100].map((times) => waitAfter(1, { elsewhere: UNDER_ATTACK * times }))).toEqual([1, 2, 4, 64]);
    expect(waitAfter(1, { elsewhere: 1_000_000, atHome: true })).toBe(0);
  });

  it("is for all users of an address from which many names were tried, but those who are at home there", () => {
    const from = (users: number, atHome = false) =>
      signInDelay({ ...quiet, address: { users, lastAt: NOW }, atHome }, NOW) / SECOND;
    expect([1, TRYING_NAMES - 1, TRYING_NAMES, TRYING_NAMES + 1, 500].map((users) => from(users))).toEqual([
      0, 0, 1, 2, 900,
    ]);
    expect(from(500, true)).toBe(0);
  });
});

/** Runs on a ledger of its own, in a Durable Object's storage. */
function withLedger<T>(body: (ledger: SignInLedger) => T | Promise<T>): Promise<T> {
  const gate = env.ACCOUNT_GATE.getByName(`sign-ins-${crypto.randomUUID()}`);
  return runInDurableObject(gate, (_, state) => {
    migrate(state.storage, GATE_MIGRATIONS, NOW);
    return body(new SignInLedger(state.storage.sql));
  });
}

describe("the ledger of failed sign-ins", () => {
  it("counts by user and address, and forgives both together and nobody else", async () => {
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
        elsewhere: 1,
        address: { users: 2, lastAt: NOW + 9 },
        atHome: false,
      });
      ledger.succeeded(here, NOW + 10);
      expect(ledger.history(here, NOW + 10)).toMatchObject({ own: null, elsewhere: 1, atHome: true });
      expect(ledger.history(there, NOW + 10)).toMatchObject({ own: { failures: 1 }, elsewhere: 0, atHome: false });
      expect(ledger.history({ user: "bob", address: "1" }, NOW + 10)).toMatchObject({ address: { users: 1 } });
    });
  });

  it("forgets failures after a day, and homes after three months", async () => {
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

  it("never keeps the owner out at an address of their own, and holds attackers to their steps, whatever they do", async () => {
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
            expect(signInDelay(ledger.history({ user: "ann", address: "elsewhere" }, now), now)).toBe(0);
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
  it("are judged as many as in turn; the right one after them waits like any other", async () => {
    await withLedger(async (ledger) => {
      const signIns = new SignIns({ known: () => ledger, made: () => ledger });
      const pair = { user: "ann", address: "1" };
      const begun = await Promise.all(Array.from({ length: 20 }, () => signIns.begin(pair)));
      expect(begun.every(({ outcome }) => outcome === "try")).toBe(true);
      const judged = Array.from({ length: 19 }, () => signIns.end(pair, false)).filter((wait) => wait === 0);
      expect(judged).toHaveLength(FREE_FAILURES + 1);
      expect(signIns.end(pair, true)).toBeGreaterThan(0);
      expect(await signIns.begin(pair)).toMatchObject({ outcome: "wait" });
      expect((await signIns.begin({ user: "ann", address: "2" })).outcome).toBe("try");
    });
  });

  it("are not begun while users are being changed", async () => {
    await withLedger(async (ledger) => {
      const signIns = new SignIns({ known: () => ledger, made: () => ledger });
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
