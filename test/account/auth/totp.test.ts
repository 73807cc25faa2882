import fc from "fast-check";
import { Secret, TOTP } from "otpauth";
import { describe, expect, it } from "vitest";
import { newRecoveryCodes, recoveryHash } from "../../../src/account/second-factor/recovery-codes.ts";
import { newSecret, stepOf } from "../../../src/account/second-factor/totp.ts";

/** RFC 6238, appendix B: the secret for SHA-1, and by time (s) the last six of the code's eight digits. */
const RFC_SECRET = new Secret({ buffer: new TextEncoder().encode("12345678901234567890").buffer }).base32;
const RFC: [number, string][] = [
  [59, "287082"],
  [1111111109, "081804"],
  [1111111111, "050471"],
  [1234567890, "005924"],
  [2000000000, "279037"],
  [20000000000, "353130"],
];

describe("codes of a second factor", () => {
  it.each(RFC)("codes of a second factor are those of RFC 6238 at %i s", (at, code) => {
    expect(stepOf(RFC_SECRET, code, at * 1000)).toBe(Math.floor(at / 30));
  });

  it("belong to their own step, which is at most one away", () => {
    const times = fc.integer({ min: 1, max: 4_000_000_000 });
    fc.assert(
      fc.property(times, fc.integer({ min: -3, max: 3 }), (at, steps) => {
        const secret = newSecret();
        const timestamp = (at + 90) * 1000;
        const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({
          timestamp: timestamp + steps * 30_000,
        });
        const step = stepOf(secret, code, timestamp);
        const own = Math.floor(timestamp / 30_000);
        // A code may happen to belong to two steps.
        if (Math.abs(steps) <= 1) expect(Math.abs((step ?? 9e9) - own)).toBeLessThanOrEqual(1);
        else expect(step === null || Math.abs(step - own) <= 1).toBe(true);
      }),
    );
  });

  it("a code of anything but six digits is wrong", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 40 }).filter((text) => !/^\s*(\d\s*){6}$/.test(text)),
        (text) => {
          expect(stepOf(RFC_SECRET, text, 59_000)).toBeNull();
        },
      ),
    );
  });
});

describe("recovery codes", () => {
  it("recovery codes are hashed for their user alone, however they are typed", async () => {
    const [code = ""] = newRecoveryCodes();
    const hash = await recoveryHash("ada", code);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await recoveryHash("ada", ` ${code.toUpperCase().replace("-", " ")} `)).toBe(hash);
    expect(await recoveryHash("bob", code)).not.toBe(hash);
    expect(await recoveryHash("ada", "492039")).toBeNull();
  });
});
