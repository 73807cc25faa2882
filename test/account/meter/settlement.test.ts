import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { settlement } from "../../../src/account/meter/settlement.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);

describe("settlement", () => {
  it("charges exactly what was used and frees exactly what was reserved", () => {
    const freed = fc.record({
      amount: fc.integer({ min: 1, max: 1_000 }),
      hasLapsed: fc.boolean(),
      reservedAt: fc.integer({ min: NOW - 1_000_000, max: NOW }),
    });
    fc.assert(
      fc.property(fc.nat(5_000), fc.array(freed, { maxLength: 6 }), (used, all) => {
        const changes = settlement(used, all, NOW);
        const lapsed = sum(all.filter(({ hasLapsed }) => hasLapsed).map(({ amount }) => amount));
        expect(sum(changes.map((change) => change.used ?? 0))).toBe(used - lapsed);
        const reserved = sum(all.filter(({ hasLapsed }) => !hasLapsed).map(({ amount }) => amount));
        expect(sum(changes.map((change) => change.reserved ?? 0)) + reserved).toBe(0);
      }),
      { seed: Number(env.PROPERTY_SEED ?? 1) },
    );
  });

  it("lowers only the use of the period in which a lapsed reservation was made", () => {
    const freed = [{ amount: 400, hasLapsed: true, reservedAt: NOW - 86_400_000 }];
    expect(settlement(30, freed, NOW)).toEqual([
      { used: -370, at: NOW - 86_400_000 },
      { used: 0, reserved: -0, at: NOW },
    ]);
  });
});
