import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PROLONG_EVERY_MS } from "../../../src/kernel/http/idempotency.ts";
import { decide, HELD_MS, isPast, KEPT_MS, type Reservation } from "../../../src/kernel/idempotency/key-ledger.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const time = fc.integer({ min: NOW - 2 * KEPT_MS, max: NOW + 2 * KEPT_MS });
const print = fc.constantFrom("a", "b");
const reservation = fc.record<Reservation>({
  fingerprint: print,
  answered: fc.boolean(),
  heldUntil: fc.oneof(fc.constant(0), time),
  expiresAt: time,
});

describe("a request under an idempotency key", () => {
  it("a request is the first under its key if there is no reservation, or an expired one", () => {
    expect(decide(undefined, "a", NOW)).toBe("first");
    fc.assert(
      fc.property(reservation, print, (existing, fingerprint) => {
        expect(decide(existing, fingerprint, NOW) === "first").toBe(isPast(existing, NOW));
      }),
    );
  });

  it("runs only if no attempt is running, no response is stored, and the request is the same", () => {
    fc.assert(
      fc.property(reservation, print, (existing, fingerprint) => {
        fc.pre(!isPast(existing, NOW));
        const decision = decide(existing, fingerprint, NOW);
        expect(decision === "conflict").toBe(existing.fingerprint !== fingerprint);
        if (decision === "conflict") return;
        expect(decision === "replay").toBe(existing.answered);
        expect(decision === "in_progress").toBe(!existing.answered && existing.heldUntil > NOW);
      }),
    );
  });

  it("a request is never in progress after the hold's last renewal has expired", () => {
    fc.assert(
      fc.property(time, print, (lastSign, fingerprint) => {
        const existing = {
          fingerprint: "a",
          answered: false,
          heldUntil: lastSign + HELD_MS,
          expiresAt: lastSign + KEPT_MS,
        };
        expect(decide(existing, fingerprint, lastSign + HELD_MS)).not.toBe("in_progress");
      }),
    );
  });

  it("stays reserved if two renewals are missed", () => {
    expect(HELD_MS).toBeGreaterThan(3 * PROLONG_EVERY_MS);
  });
});
