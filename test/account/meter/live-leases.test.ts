import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { LiveLease } from "../../../src/account/meter/live-lease.ts";
import { LIVE_LEASE_MS, LiveLeases } from "../../../src/account/meter/live-leases.ts";
import { METER_MIGRATIONS } from "../../../src/account/meter/migrations.ts";
import { migrate } from "../../../src/kernel/durable/migrate.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const CAPS = { conversations: 2, visitor: 2, address: null };
const NO_USE = { input_tokens: 0, output_tokens: 0, requests: 0 };

function lease(id: string, key = id): LiveLease {
  const who = {
    visitor_id: id,
    visitor_type: "user",
    widget_key_id: "k",
    family: key,
    origin: null,
    address: null,
  } as const;
  const holder = Object.assign({ type: "visitor" } as const, who);
  return { id, kind: "widget", object: { type: "conversation", id: key }, agent_id: "a", campaign_id: null, holder };
}

/** Runs with a meter's storage: `live()` is what its next life finds. */
function inMeter<T>(body: (live: (now?: number) => LiveLeases) => T): Promise<T> {
  const meter = env.ACCOUNT_METER.getByName(`live-${crypto.randomUUID()}`);
  return runInDurableObject(meter, (_, { storage }) => {
    migrate(storage, METER_MIGRATIONS, NOW);
    return body((now = NOW) => new LiveLeases(storage.sql, now));
  });
}

describe("live leases", () => {
  it("are taken as far as the caps go, given back, and lapse where nobody keeps them", async () => {
    await inMeter((open) => {
      const live = open();
      expect(live.admit(lease("a"), CAPS, NOW)).toEqual({ outcome: "admitted" });
      expect(live.admit(lease("b"), CAPS, NOW)).toEqual({ outcome: "admitted" });
      expect(live.admit(lease("c"), CAPS, NOW)).toMatchObject({ outcome: "refused", code: "conversation_cap" });
      live.leave("b");
      expect(live.admit(lease("c"), CAPS, NOW)).toEqual({ outcome: "admitted" });
      live.renew(lease("a"), NO_USE, NOW + 1);
      expect(live.conversations(NOW + LIVE_LEASE_MS)).toBe(1);
      expect(live.conversations(NOW + LIVE_LEASE_MS + 1)).toBe(0);
    });
  });

  it("are the same where they are requested twice, and replaced by the next conversation of the same object", async () => {
    await inMeter((open) => {
      const live = open();
      for (const id of ["a", "a"]) expect(live.admit(lease(id), CAPS, NOW).outcome).toBe("admitted");
      expect(live.conversations(NOW)).toBe(1);
      live.admit(lease("first", "one"), CAPS, NOW);
      expect(live.admit(lease("second", "one"), CAPS, NOW).outcome).toBe("admitted");
      expect(live.conversations(NOW)).toBe(2);
      live.leave("first");
      expect(live.conversations(NOW)).toBe(2);
    });
  });

  it("survive the object, for a full term from then on", async () => {
    await inMeter((open) => {
      open().admit(lease("a"), CAPS, NOW);
      const later = NOW + LIVE_LEASE_MS;
      const next = open(later);
      expect(next.conversations(later)).toBe(1);
      expect(next.conversations(later + LIVE_LEASE_MS)).toBe(0);
      expect(open().conversations(NOW)).toBe(0);
    });
  });

  it("are kept again by whoever goes on after they had lapsed, full or not", async () => {
    await inMeter((open) => {
      const live = open();
      for (const id of ["a", "b"]) live.admit(lease(id), CAPS, NOW);
      expect(live.renew(lease("c"), NO_USE, NOW)).toEqual({ outcome: "ok" });
      expect(live.conversations(NOW)).toBe(3);
    });
  });
});
