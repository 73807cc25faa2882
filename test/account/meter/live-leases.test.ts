import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { LiveLease } from "../../../src/account/meter/live-lease.ts";
import { LIVE_LEASE_MS, LiveLeases, STREAM_LEASE_MS } from "../../../src/account/meter/live-leases.ts";
import { METER_MIGRATIONS } from "../../../src/account/meter/migrations.ts";
import { migrate } from "../../../src/kernel/durable/migrate.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const CAPS = { conversations: 2, visitor: 2, address: null };

function lease(id: string, key = id): LiveLease {
  const who = {
    visitor_id: id,
    visitor_type: "user",
    widget_key_id: "k",
    family: key,
    origin: null,
    made_by: null,
    address: null,
  } as const;
  const holder = Object.assign({ type: "visitor" } as const, who);
  return {
    id,
    kind: "widget",
    object: { type: "conversation", id: key },
    agent_id: "a",
    campaign_id: null,
    api_key_id: null,
    holder,
  };
}

/** Runs `body` with a meter's storage. `live()` returns the leases in the state that a restarted meter finds. */
function inMeter<T>(body: (live: (now?: number) => LiveLeases) => T): Promise<T> {
  const meter = env.ACCOUNT_METER.getByName(`live-${crypto.randomUUID()}`);
  return runInDurableObject(meter, (_, { storage }) => {
    migrate(storage, METER_MIGRATIONS, NOW);
    return body((now = NOW) => new LiveLeases(storage.sql, now));
  });
}

describe("live leases", () => {
  it("live leases are taken up to the caps and lapse unless renewed", async () => {
    await inMeter((open) => {
      const live = open();
      expect(live.admit(lease("a"), CAPS, NOW)).toEqual({ outcome: "admitted" });
      expect(live.admit(lease("b"), CAPS, NOW)).toEqual({ outcome: "admitted" });
      expect(live.admit(lease("c"), CAPS, NOW)).toMatchObject({ outcome: "refused", code: "conversation_cap" });
      live.leave("b");
      expect(live.admit(lease("c"), CAPS, NOW)).toEqual({ outcome: "admitted" });
      live.renew(lease("a"), NOW + 1);
      expect(live.count("widget", NOW + LIVE_LEASE_MS)).toBe(1);
      expect(live.count("widget", NOW + LIVE_LEASE_MS + 1)).toBe(0);
    });
  });

  it("a live lease requested twice is the same until the object's next conversation replaces it", async () => {
    await inMeter((open) => {
      const live = open();
      for (const id of ["a", "a"]) expect(live.admit(lease(id), CAPS, NOW).outcome).toBe("admitted");
      expect(live.count("widget", NOW)).toBe(1);
      live.admit(lease("first", "one"), CAPS, NOW);
      expect(live.admit(lease("second", "one"), CAPS, NOW).outcome).toBe("admitted");
      expect(live.count("widget", NOW)).toBe(2);
      live.leave("first");
      expect(live.count("widget", NOW)).toBe(2);
    });
  });

  it("survive a restart of the object, for a full term from then on", async () => {
    await inMeter((open) => {
      open().admit(lease("a"), CAPS, NOW);
      const later = NOW + LIVE_LEASE_MS;
      const next = open(later);
      expect(next.count("widget", later)).toBe(1);
      expect(next.count("widget", later + LIVE_LEASE_MS)).toBe(0);
      expect(open().count("widget", NOW)).toBe(0);
    });
  });

  it("a lapsed live lease is renewed even if the cap is reached", async () => {
    await inMeter((open) => {
      const live = open();
      for (const id of ["a", "b"]) live.admit(lease(id), CAPS, NOW);
      expect(live.renew(lease("c"), NOW)).toEqual({ outcome: "ok" });
      expect(live.count("widget", NOW)).toBe(3);
    });
  });
});

describe("the lease of a test", () => {
  it("ends with the token that opened it, even before it is checked again", async () => {
    await inMeter((open) => {
      const live = open();
      const until = NOW + 1_000;
      const credential = { key_id: crypto.randomUUID() };
      live.admit({ ...lease("a"), kind: "test", holder: { type: "member", credential, until, view: "v" } }, CAPS, NOW);
      expect(live.soonestEnd()).toBe(until);
      live.endPast(until - 1);
      expect(live.ending()).toEqual([]);
      live.endPast(until);
      expect(live.ending()).toMatchObject([{ reason: "expired" }]);
    });
  });
});

describe("leases of event streams", () => {
  const owner = (id: string): LiveLease["object"] => ({ type: "campaign", id });
  const stream = (id: string, campaign: string): LiveLease => ({
    id,
    kind: "stream",
    object: owner(campaign),
    agent_id: null,
    campaign_id: null,
    api_key_id: null,
    holder: { type: "member", credential: { key: "hash" }, until: null, view: "v" },
  });
  const keep = (live: LiveLeases, campaign: string, held: string[], opening: string[], now: number) => {
    const leases = held.map((id) => stream(id, campaign));
    live.keepAll({ kind: "stream", object: owner(campaign) }, leases, opening, now);
  };

  it("leases of event streams are limited over all campaigns and free again when they close", async () => {
    await inMeter((open) => {
      const live = open();
      expect(live.take(stream("a", "one"), 2, NOW)).toBe(true);
      expect(live.take(stream("b", "two"), 2, NOW)).toBe(true);
      expect(live.take(stream("c", "one"), 2, NOW)).toBe(false);
      for (const id of ["a", "never there"]) live.leave(id);
      expect(live.take(stream("c", "one"), 2, NOW)).toBe(true);
      expect(live.count("stream", NOW)).toBe(2);
    });
  });

  it("count as long as their campaign renews them, and lapse if it dies", async () => {
    await inMeter((open) => {
      const live = open();
      live.take(stream("a", "one"), 5, NOW);
      live.take(stream("b", "two"), 5, NOW);
      let now = NOW;
      for (let beat = 1; beat <= 20; beat++) {
        now = NOW + beat * 15_000;
        keep(live, "one", ["a"], [], now);
        expect(live.count("stream", now)).toBe(now < NOW + STREAM_LEASE_MS ? 2 : 1);
      }
      now += STREAM_LEASE_MS;
      expect(live.count("stream", now)).toBe(0);
      keep(live, "one", ["a"], [], now);
      expect(live.count("stream", now)).toBe(1);
    });
  });

  it("leases of streams that a campaign lost with its process are free once it restarts", async () => {
    await inMeter((open) => {
      const live = open();
      for (const id of ["before", "after"]) live.take(stream(id, "one"), 5, NOW);
      live.take(stream("other", "two"), 5, NOW);
      keep(live, "one", [], ["after", "refused meanwhile"], NOW);
      expect(live.count("stream", NOW)).toBe(2);
    });
  });
});
