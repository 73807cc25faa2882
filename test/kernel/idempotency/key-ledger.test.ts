import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { migrate } from "../../../src/kernel/durable/migrate.ts";
import type { KeyVerdict } from "../../../src/kernel/http/context.ts";
import { HELD_MS, KEPT_MS, KeyLedger } from "../../../src/kernel/idempotency/key-ledger.ts";
import { IDEMPOTENCY_MIGRATIONS } from "../../../src/kernel/idempotency/migrations.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const OK = { status: 200, headers: { "content-type": "application/json" }, body: '{"id":1}' };

/** Runs `work` with a new ledger, at a fixed time. */
function ledger(work: (ledger: KeyLedger, sql: SqlStorage) => void | Promise<void>): Promise<void> {
  const object = env.IDEMPOTENCY_STORE.getByName(crypto.randomUUID());
  return runInDurableObject(object, async (_, { storage }) => {
    migrate(storage, IDEMPOTENCY_MIGRATIONS, NOW);
    await work(new KeyLedger(storage.sql), storage.sql);
  });
}
const attempt = (holder: string, fingerprint = "f", id = "k") => ({ id, fingerprint, holder });
const carriedOut = (verdict: KeyVerdict) => {
  if (verdict.outcome !== "carry_out") throw new Error(verdict.outcome);
  return verdict;
};

describe("a ledger of idempotency keys", () => {
  it("returns the first response for 24 hours, and then accepts the key for a new request", () =>
    ledger((keys) => {
      const first = carriedOut(keys.begin(attempt("1"), NOW));
      expect(first.again).toBe(false);
      keys.finish(attempt("1"), { keep: OK }, NOW + 5);
      expect(keys.begin(attempt("2"), NOW + KEPT_MS - 1)).toEqual({ outcome: "replay", answer: OK });
      const anew = carriedOut(keys.begin(attempt("2", "other"), NOW + KEPT_MS));
      expect(anew.again).toBe(false);
      expect(anew.resource_id).not.toBe(first.resource_id);
      keys.finish(attempt("2", "other"), { keep: null }, NOW + KEPT_MS);
      expect(keys.begin(attempt("3", "other"), NOW + KEPT_MS + 1)).toEqual({ outcome: "replay", answer: null });
    }));

  it("refuses other attempts while one is alive, and lets the next one take over a dead one", () =>
    ledger((keys) => {
      const first = carriedOut(keys.begin(attempt("1"), NOW));
      expect(keys.begin(attempt("2"), NOW + HELD_MS - 1)).toEqual({ outcome: "in_progress" });
      keys.prolong(attempt("1"), NOW + HELD_MS - 1);
      expect(keys.begin(attempt("2"), NOW + HELD_MS)).toEqual({ outcome: "in_progress" });
      expect(keys.begin(attempt("2", "other"), NOW + HELD_MS)).toEqual({ outcome: "conflict" });
      const again = carriedOut(keys.begin(attempt("2"), NOW + 2 * HELD_MS - 1));
      expect(again).toEqual({ outcome: "carry_out", resource_id: first.resource_id, again: true });
      // An attempt that was taken over no longer has any effect.
      keys.finish(attempt("1"), { keep: { ...OK, status: 201 } }, NOW + 2 * HELD_MS);
      keys.prolong(attempt("1"), NOW + 10 * HELD_MS);
      expect(keys.begin(attempt("3"), NOW + 2 * HELD_MS)).toEqual({ outcome: "in_progress" });
      keys.finish(attempt("2"), { keep: OK }, NOW + 2 * HELD_MS);
      expect(keys.begin(attempt("3"), NOW + 2 * HELD_MS)).toEqual({ outcome: "replay", answer: OK });
    }));

  it("runs a failed request again at once, for the same resource or another", () =>
    ledger((keys) => {
      const { resource_id } = carriedOut(keys.begin(attempt("1"), NOW));
      keys.finish(attempt("1"), { retry: "same_resource" }, NOW);
      expect(carriedOut(keys.begin(attempt("2"), NOW))).toMatchObject({ resource_id, again: true });
      keys.finish(attempt("2"), { retry: "new_resource" }, NOW);
      expect(carriedOut(keys.begin(attempt("3"), NOW)).resource_id).not.toBe(resource_id);
      keys.finish(attempt("3"), { retry: "same_resource" }, NOW);
      expect(keys.begin(attempt("4", "other"), NOW)).toEqual({ outcome: "conflict" });
    }));

  it("deletes expired keys, and none with a running attempt", () =>
    ledger(async (keys, sql) => {
      for (let n = 0; n < 2_500; n++) keys.begin(attempt("1", "f", `old ${n}`), NOW);
      keys.begin(attempt("1", "f", "held"), NOW);
      keys.prolong(attempt("1", "f", "held"), NOW + KEPT_MS - 1);
      keys.begin(attempt("1", "f", "young"), NOW + HOUR);
      do await keys.run(NOW + KEPT_MS);
      while (keys.dueAt() === 0);
      expect(sql.exec("SELECT id FROM reservations ORDER BY id").toArray()).toEqual([{ id: "held" }, { id: "young" }]);
      expect([keys.nextExpiry(), keys.dueAt()]).toEqual([NOW + KEPT_MS, NOW + KEPT_MS + 600_000]);
    }));
});
