import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { migrate } from "../../../src/kernel/durable/migrate.ts";
import { DAY_MS, HOUR_MS } from "../../../src/kernel/time.ts";
import type { StoredEvent } from "../../../src/records/events/event-log.ts";
import type { Following } from "../../../src/records/events/followers.ts";
import type { Outcome } from "../../../src/records/webhooks/decide/after-attempt.ts";
import { Deliveries } from "../../../src/records/webhooks/object/deliveries.ts";
import { Endpoint } from "../../../src/records/webhooks/object/endpoint.ts";
import { WEBHOOK_MIGRATIONS } from "../../../src/records/webhooks/object/migrations.ts";
import { Reader } from "../../../src/records/webhooks/object/reader.ts";
import { Results } from "../../../src/records/webhooks/object/results.ts";
import { Sender } from "../../../src/records/webhooks/object/sender.ts";
import { happening } from "../events/support.ts";

const BEGAN = Date.UTC(2026, 10, 1);

/** Returns the event with this sequence number as the log stores it. */
function stored(sequence: number, now: number): StoredEvent {
  const { data, ...head } = happening(sequence);
  return Object.assign(head, { sequence, at: new Date(now).toISOString(), data: JSON.stringify(data) });
}

/** A webhook whose clock jumps from one due time to the next, over the real tables. */
class World {
  now = BEGAN;
  readonly log: StoredEvent[] = [];
  readonly requests: { at: number; id: string }[] = [];
  readonly owed: { destination: string; body: object }[] = [];
  pruned = 0;
  answer: (n: number) => Exclude<Outcome, "cut_off"> = () => ({ status: 200, retry_after: null });
  readonly endpoint: Endpoint;
  readonly deliveries: Deliveries;
  readonly #storage: DurableObjectStorage;
  readonly #mostPending: number;
  sender: Sender;

  constructor(storage: DurableObjectStorage, mostPending = 20_000, mostDelivered = 10_000, mostBytes = 9e9) {
    migrate(storage, WEBHOOK_MIGRATIONS, 0);
    this.#storage = storage;
    this.#mostPending = mostPending;
    this.endpoint = new Endpoint(storage.sql);
    this.deliveries = new Deliveries(storage.sql, mostDelivered, mostBytes);
    const begins_at = new Date(BEGAN).toISOString();
    const of = {
      url: "https://shop.example/",
      types: ["*"],
      agent_ids: null,
      enabled: true,
      shows: "content" as const,
    };
    this.endpoint.configure(
      { ...of, revision: 1, secrets: "", begins_at, beginning: 1, address_revision: 1, isAccountOpen: true },
      false,
    );
    this.sender = this.build();
  }

  /** Builds the object as a new process does. */
  build(): Sender {
    const [storage, endpoint, deliveries] = [this.#storage, this.endpoint, this.deliveries];
    const outbox = {
      add: (destination: string, _: string, body: object) => void this.owed.push({ destination, body }),
    };
    const results = new Results({ storage, id: "w", endpoint, deliveries, outbox, random: () => 0 });
    const follow = async (following: Following) => this.#follow(following);
    const mostPending = this.#mostPending;
    const reader = new Reader({ storage, account: "a", id: "w", endpoint, deliveries, outbox, follow, mostPending });
    this.sender = new Sender({
      endpoint,
      deliveries,
      reader,
      results,
      send: async ({ event_id }) => {
        this.requests.push({ at: this.now, id: event_id });
        return { outcome: this.answer(this.requests.length), response: null, reason: null };
      },
      clock: () => this.now,
      report: (error) => {
        throw error;
      },
    });
    return this.sender;
  }

  #follow({ after, limit }: Following) {
    const from = Math.max(after ?? 0, this.pruned);
    const events = this.log.filter(({ sequence }) => sequence > from).slice(0, limit);
    const last = this.log.at(-1)?.sequence ?? 0;
    const missed = after === null ? 0 : Math.max(0, this.pruned - after);
    return { events, cursor: events.length === limit ? (events.at(-1)?.sequence ?? last) : last, last, missed };
  }

  happen(count: number): void {
    for (let i = 0; i < count; i++) {
      const sequence = (this.log.at(-1)?.sequence ?? 0) + 1;
      this.log.push(stored(sequence, this.now));
    }
    this.endpoint.noteLast(this.log.length);
  }

  /** Lets time pass and fires the alarm whenever it is due. Returns how often. */
  async until(end: number): Promise<number> {
    let rounds = 0;
    for (; rounds < 10_000; rounds++) {
      const at = this.sender.dueAt();
      if (at === null || at > end) break;
      this.now = Math.max(this.now, at);
      await this.sender.run();
    }
    this.now = end;
    return rounds;
  }
}

const inWorld = (work: (world: World) => Promise<void>, ...limits: number[]) =>
  runInDurableObject(
    env.WEBHOOK.getByName(`no-account/${crypto.randomUUID()}`) as unknown as DurableObjectStub,
    (_, { storage }) => work(new World(storage, ...limits)),
  );

const ok = { status: 200, retry_after: null };
const broken = { status: 500, retry_after: null };

describe("webhooks over time", () => {
  it("a server that answers 500 for a day receives each event again, and finally all of them", () =>
    inWorld(async (world) => {
      world.answer = () => (world.now < BEGAN + DAY_MS ? broken : ok);
      world.happen(3);
      await world.until(BEGAN + 2 * DAY_MS);
      const times = world.requests.filter(({ id }) => id === world.log[0]?.id).map(({ at }) => at - BEGAN);
      const gaps = times.slice(1).map((at, i) => at - (times[i] ?? 0));
      expect(gaps).toEqual([5_000, 300_000, 1_800_000, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 10 * HOUR_MS]);
      expect(world.requests).toHaveLength(24);
      expect(world.endpoint.state).toMatchObject({ failing_since: null, isEnabled: true });
      expect(world.sender.dueAt()).toBe(BEGAN + 30 * DAY_MS + HOUR_MS);
    }));

  it("a server that keeps failing disables the webhook once after five days, and gets no more requests", () =>
    inWorld(async (world) => {
      world.answer = () => broken;
      for (let hour = 0; hour <= 6 * 24; hour++) {
        world.happen(1);
        await world.until(BEGAN + hour * HOUR_MS);
      }
      expect(world.owed.map(({ destination }) => destination)).toEqual(["events", "configuration"]);
      expect(world.owed[0]?.body).toMatchObject({ type: "webhook.disabled", data: { reason: "failing" } });
      expect(world.endpoint.state).toMatchObject({ isEnabled: false, disabled_reason: "failing" });
      const last = world.requests.at(-1)?.at ?? 0;
      expect(last - BEGAN).toBeGreaterThanOrEqual(5 * DAY_MS);
      expect(last - BEGAN).toBeLessThan(5 * DAY_MS + HOUR_MS);
      expect(world.deliveries.nextAt).toBeNull();
      expect(world.deliveries.hasPending(1)).toBe(false);
    }));

  it("a webhook that failed once after a quiet week continues the schedule of its delivery", () =>
    inWorld(async (world) => {
      world.answer = () => broken;
      world.happen(1);
      await world.until(BEGAN + 7 * DAY_MS);
      expect(world.requests).toHaveLength(8);
      world.happen(1);
      await world.until(BEGAN + 9 * DAY_MS);
      expect(world.requests).toHaveLength(16);
      expect(world.owed).toEqual([]);
      expect(world.endpoint.state).toMatchObject({ isEnabled: true, failing_since: BEGAN });
    }));

  it("a server that answers 410 receives nothing more, not even pending deliveries", () =>
    inWorld(async (world) => {
      world.answer = (n) => (n < 3 ? ok : { status: 410, retry_after: null });
      world.happen(50);
      await world.until(BEGAN + DAY_MS);
      // Four requests run at once. Those in progress end by themselves.
      expect(world.requests.length).toBeLessThanOrEqual(10);
      expect(world.owed[0]?.body).toMatchObject({ type: "webhook.disabled", data: { reason: "gone" } });
      expect(world.owed).toHaveLength(2);
      expect(world.deliveries.list(everything)).toHaveLength(50);
      expect(world.deliveries.hasPending(1)).toBe(false);
    }));

  it("failed deliveries are resent a limited number at a time, the oldest first", () =>
    inWorld(async (world) => {
      world.answer = () => broken;
      world.happen(5);
      await world.until(BEGAN + 3 * DAY_MS);
      world.answer = () => ok;
      world.requests.length = 0;
      expect(world.deliveries.resendFailed(0, 1, "webhook.test", world.now, 3)).toBe(3);
      await world.until(world.now + HOUR_MS);
      expect(world.requests.map(({ id }) => id)).toEqual(world.log.slice(0, 3).map(({ id }) => id));
      expect(world.deliveries.resendFailed(0, 1, "webhook.test", world.now, 3)).toBe(2);
    }));

  it("a server that requests absurd delays is retried anyway", () =>
    inWorld(async (world) => {
      const absurd = ["999999999", "Fri, 31 Dec 9999 23:59:59 GMT", "-1", "1e9", "0", "", "Infinity", "9".repeat(400)];
      world.answer = (n) => ({ status: n % 2 ? 429 : 503, retry_after: absurd[n % absurd.length] ?? null });
      world.happen(1);
      await world.until(BEGAN + 5 * DAY_MS);
      expect(world.requests).toHaveLength(8);
      expect(world.deliveries.list(everything)).toMatchObject([{ status: "failed", tries: 8 }]);
    }));

  it("a server that requests a delay receives nothing until then", () =>
    inWorld(async (world) => {
      world.answer = (n) => (n === 1 ? { status: 429, retry_after: "600" } : ok);
      world.happen(1);
      await world.until(BEGAN + 1_000);
      world.happen(5);
      await world.until(BEGAN + DAY_MS);
      expect(world.requests.slice(1).every(({ at }) => at >= BEGAN + 600_000)).toBe(true);
      expect(new Set(world.requests.map(({ id }) => id)).size).toBe(6);
    }));

  it("an attempt that a crash cuts off counts, and is repeated soon under the same id", () =>
    inWorld(async (world) => {
      world.happen(1);
      world.answer = () => broken;
      await world.until(BEGAN + 1_000);
      const [delivery] = world.deliveries.list(everything);
      if (!delivery) throw new Error("nothing was made of the event");
      world.deliveries.begin(delivery.n, world.now);
      // A process that dies here leaves the attempt begun.
      world.answer = () => ok;
      world.build().resume(world.now);
      expect(world.deliveries.find(delivery.n)).toMatchObject({ tries: 2, status: "pending", started_at: null });
      await world.until(BEGAN + HOUR_MS);
      const attempts = world.deliveries.attempts([delivery]).get(delivery.n) ?? [];
      expect(attempts.map(({ error }) => error)).toEqual([
        "answered 500",
        "interrupted before the response was recorded: it may have arrived",
        null,
      ]);
      expect(new Set(world.requests.map(({ id }) => id)).size).toBe(1);
    }));

  it("a webhook that is behind by more than the retention reports it, and continues", () =>
    inWorld(async (world) => {
      world.happen(10);
      await world.until(BEGAN + 1_000);
      world.log.splice(0, 10);
      for (let n = 11; n <= 40; n++) {
        world.log.push(stored(n, world.now));
      }
      world.log.splice(0, 25);
      world.pruned = 35;
      world.endpoint.noteLast(40);
      await world.until(BEGAN + HOUR_MS);
      expect(world.endpoint.state).toMatchObject({ missed: 25, cursor: 40 });
      expect(world.owed).toHaveLength(1);
      expect(world.owed[0]?.body).toMatchObject({ type: "webhook.missed", data: { missed: 25 } });
      expect(world.requests).toHaveLength(15);
    }));

  it("a server that is away stops the reading of the sequence without losing events", () =>
    inWorld(async (world) => {
      world.answer = () => (world.now < BEGAN + HOUR_MS ? broken : ok);
      world.happen(500);
      await world.until(BEGAN + HOUR_MS - 1);
      // Pending deliveries are limited to one page. Further events wait in the account's sequence.
      expect(world.deliveries.list({ ...everything, status: "pending" }).length).toBeLessThan(250);
      expect(world.endpoint.state?.cursor).toBeLessThan(250);
      await world.until(BEGAN + 2 * DAY_MS);
      expect(new Set(world.requests.map(({ id }) => id)).size).toBe(500);
      expect(world.deliveries.list({ ...everything, status: "delivered" })).toHaveLength(500);
    }, 100));

  it("1,000 deliveries that expire within an hour need two alarms", () =>
    inWorld(async (world) => {
      for (let n = 1; n <= 1_000; n++) {
        world.happen(1);
        await world.until(BEGAN + n * 3_600);
      }
      expect(world.requests).toHaveLength(1_000);
      expect(await world.until(BEGAN + 31 * DAY_MS)).toBeLessThanOrEqual(2);
      expect(world.deliveries.list(everything)).toEqual([]);
    }));

  it("the oldest deliveries of a database that is too large are deleted, but never pending ones", () =>
    inWorld(
      async (world) => {
        world.answer = () => broken;
        world.happen(30);
        await world.until(BEGAN + 3 * DAY_MS);
        expect(world.deliveries.list(everything)).toEqual([]);
        world.happen(1);
        await world.until(world.now + 1_000);
        expect(world.deliveries.list(everything)).toMatchObject([{ status: "pending" }]);
      },
      20_000,
      10_000,
      1,
    ));

  it("a webhook keeps its last delivered deliveries, and none for more than 30 days", () =>
    inWorld(
      async (world) => {
        world.happen(30);
        await world.until(BEGAN + HOUR_MS);
        expect(world.deliveries.list(everything)).toHaveLength(10);
        world.answer = () => broken;
        world.happen(5);
        await world.until(BEGAN + 3 * DAY_MS);
        expect(world.deliveries.list({ ...everything, status: "failed" })).toHaveLength(5);
        expect(world.sender.dueAt()).not.toBeNull();
        await world.until(BEGAN + 31 * DAY_MS);
        expect(world.deliveries.list(everything)).toEqual([]);
        expect(world.sender.dueAt()).toBeNull();
      },
      20_000,
      10,
    ));
});

const everything = { status: null, type: null, since: null, before: Number.MAX_SAFE_INTEGER, limit: 1_000 };
