import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expiryTime, InvalidExpiry } from "../../../src/account/api-keys/routes.ts";

const DAY = 86_400_000;
const now = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2090, 0) });

describe("expiryTime", () => {
  it("never exceeds what the account allows, and is never in the past", () => {
    const expiry = fc.oneof(
      fc.constant(undefined),
      fc.constant("never"),
      fc.integer({ min: 1, max: 99_999 }).map((days) => `${days}d`),
      fc.date({ min: new Date(0), max: new Date(Date.UTC(2200, 0)), noInvalidDate: true }).map((d) => d.toISOString()),
      fc.string(),
    );
    fc.assert(
      fc.property(expiry, fc.option(fc.integer({ min: 1, max: 3650 })), now, (text, maxDays, at) => {
        let expires: number | null;
        try {
          expires = expiryTime(text, maxDays, at);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidExpiry);
          return;
        }
        if (maxDays !== null) expect(expires ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(at + maxDays * DAY);
        if (expires !== null) {
          expect(expires).toBeGreaterThan(at);
          expect(() => new Date(expires).toISOString()).not.toThrow();
        }
      }),
    );
  });

  it("a key expires after a year by default, or when the account's limit says", () => {
    fc.assert(
      fc.property(fc.option(fc.integer({ min: 1, max: 3650 })), now, (maxDays, at) => {
        expect(expiryTime(undefined, maxDays, at)).toBe(at + Math.min(365, maxDays ?? 365) * DAY);
      }),
    );
  });

  it("takes exactly the requested days", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3650 }), now, (days, at) => {
        expect(expiryTime(`${days}d`, null, at)).toBe(at + days * DAY);
        expect(expiryTime(`${days}d`, days, at)).toBe(at + days * DAY);
        if (days > 1) expect(() => expiryTime(`${days}d`, days - 1, at)).toThrow(InvalidExpiry);
      }),
    );
  });
});
