import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { CONFIRM_WITHIN_MS, ConfirmationLedger } from "../../../src/account/gate/confirmation-ledger.ts";
import { GATE_MIGRATIONS } from "../../../src/account/gate/migrations.ts";
import { migrate } from "../../../src/kernel/durable/migrate.ts";

const NOW = Date.UTC(2026, 10, 23);
const HOUR_MS = 3_600_000;
const TAKING = { keyId: "k", view: "v", binding: "b", needsNoYes: true, isRefused: false, approver: null };

/** Runs `work` with an empty ledger. */
async function withLedger(work: (ledger: ConfirmationLedger) => void): Promise<void> {
  const gate = env.ACCOUNT_GATE.getByName(crypto.randomUUID());
  await runInDurableObject(gate, (_, { storage }) => {
    migrate(storage, GATE_MIGRATIONS, NOW);
    work(new ConfirmationLedger(storage));
  });
}

const row = (n: number, key_id = "k", to = "+13035550110") => ({
  id: `id-${String(n).padStart(4, "0")}`,
  digest: `digest-${n}-${key_id}`,
  key_id,
  key_hash: "hash",
  key_name: "name",
  view: "v",
  scope: "dial" as const,
  tool: "place_call",
  binding: "b",
  effect: JSON.stringify({ to_numbers: [to], count: 1, details: {} }),
  summary: `Call ${to}`,
});

describe("the ledger of confirmations", () => {
  it("keeps a confirmation valid for exactly five minutes", () =>
    withLedger((ledger) => {
      expect(ledger.add(row(1), NOW)).toBe(NOW + CONFIRM_WITHIN_MS);
      ledger.add(row(2), NOW);
      expect(ledger.take("digest-1-k", TAKING, NOW + CONFIRM_WITHIN_MS - 1)).toBe("taken");
      expect(ledger.decide("id-0002", "approved", "m", NOW + CONFIRM_WITHIN_MS)).toBe(false);
      expect(ledger.take("digest-2-k", TAKING, NOW + CONFIRM_WITHIN_MS)).toBe("unknown");
    }));

  it("keeps a key's newest hundred regardless of other keys, and all for an hour", () =>
    withLedger((ledger) => {
      ledger.add({ ...row(0, "other"), id: "of-other" }, NOW);
      for (let n = 1; n <= 101; n++) ledger.add(row(n), NOW + n);
      expect(ledger.get("id-0001")).toBeUndefined();
      expect(ledger.get("id-0002")).toBeDefined();
      expect(ledger.get("of-other")).toBeDefined();
      expect(ledger.sweepAt()).toBe(NOW + HOUR_MS + 600_000);
      ledger.sweep(NOW + HOUR_MS);
      expect(ledger.get("of-other")).toBeUndefined();
      expect(ledger.get("id-0002")).toBeDefined();
      ledger.sweep(NOW + 2 * HOUR_MS);
      expect(ledger.sweepAt()).toBeNull();
    }));

  it("sets an alarm every ten minutes at most, however many expire", () =>
    withLedger((ledger) => {
      for (let n = 1; n <= 60; n++) ledger.add(row(n), NOW + n * 60_000 - 1);
      let alarms = 0;
      for (let at = ledger.sweepAt(); at !== null; at = ledger.sweepAt(), alarms++) ledger.sweep(at);
      expect(alarms).toBeLessThanOrEqual(6);
    }));

  it("erases only the person's number", () =>
    withLedger((ledger) => {
      ledger.add(row(1), NOW);
      ledger.add(row(2, "k", "+13035550111"), NOW);
      expect(ledger.erase("+13035550110")).toBe(1);
      expect(ledger.get("id-0001")).toBeUndefined();
      expect(ledger.get("id-0002")).toBeDefined();
    }));
});
