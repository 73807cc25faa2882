import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { migrate } from "../../../src/kernel/durable/migrate.ts";
import { accountEvents } from "../../../src/kernel/durable/objects.ts";
import { Followers, stampOf } from "../../../src/records/events/followers.ts";
import { EVENTS_MIGRATIONS } from "../../../src/records/events/migrations.ts";

afterEach(() => vi.unstubAllGlobals());

const within = <R>(
  work: (storage: DurableObjectStorage) => R | Promise<R>,
  name = `no-account-${crypto.randomUUID()}`,
) => runInDurableObject(accountEvents(env, name) as unknown as DurableObjectStub, (_, { storage }) => work(storage));

describe("the webhooks of an account", () => {
  /**
   * Creates followers of a sequence that ends at `last`, and records the notifications that webhooks receive. Webhooks
   * in `away` are not reached.
   */
  function following(storage: DurableObjectStorage) {
    migrate(storage, EVENTS_MIGRATIONS, 0);
    const world = { last: 0, notifications: [] as string[], away: new Set<string>() };
    const notify = (id: string, what: string) => async () => {
      if (world.away.has(id)) throw new Error("away");
      world.notifications.push(`${id} ${what}`);
    };
    const followers = new Followers({
      sql: storage.sql,
      log: world,
      webhook: (id) => ({
        reconfigure: notify(id, "configured"),
        notify: (last) => notify(id, String(last))(),
        remove: notify(id, "removed"),
      }),
      report: () => {},
    });
    return Object.assign(world, { followers });
  }
  const listed = (...ids: string[]) => ids.map((id) => ({ id, stamp: "1", enabled: true }));

  it("webhooks are notified once of new events unless they are disabled", () =>
    within(async (storage) => {
      const world = following(storage);
      expect(world.followers.dueAt()).toBeNull();
      world.followers.listed([...listed("a"), { id: "off", stamp: "1", enabled: false }]);
      await world.followers.run(1);
      world.last = 5;
      expect(world.followers.dueAt()).toBe(0);
      await world.followers.run(2);
      await world.followers.run(3);
      expect(world.notifications).toEqual(["a configured", "off configured", "a 5"]);
      expect(world.followers.dueAt()).toBeNull();
    }));

  it("webhooks are notified again until they are reached, without delaying others", () =>
    within(async (storage) => {
      const world = following(storage);
      world.followers.listed(listed("a", "b"));
      await world.followers.run(0);
      world.notifications = [];
      world.away.add("a");
      world.last = 1;
      const times: number[] = [];
      for (let now = 1_000; times.length < 9; now = world.followers.dueAt() ?? 0) {
        times.push(now);
        await world.followers.run(now);
      }
      expect(world.notifications).toEqual(["b 1"]);
      const waits = times.slice(1).map((at, i) => at - (times[i] ?? 0));
      expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
      world.away.clear();
      await world.followers.run(world.followers.dueAt() ?? 0);
      expect(world.notifications).toEqual(["b 1", "a 1"]);
      expect(world.followers.dueAt()).toBeNull();
    }));

  it("webhooks are notified of each change of their configuration and of their deletion", () =>
    within(async (storage) => {
      const world = following(storage);
      for (const stamp of [
        stampOf(1, "v1.k.iv1.data", true),
        stampOf(1, "v1.k.iv1.data", true),
        stampOf(1, "v1.k2.iv2.data", true),
        stampOf(1, "v1.k2.iv2.data", false),
      ]) {
        world.followers.listed([{ id: "a", stamp, enabled: true }]);
        await world.followers.run(1);
      }
      world.followers.listed([]);
      await world.followers.run(2);
      await world.followers.run(3);
      expect(world.notifications).toEqual(["a configured", "a configured", "a configured", "a removed"]);
      expect(stampOf(1, "v1.k.iv.data", true)).not.toContain("data");
    }));
});
