import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { AccountQuotas, QUOTA_LEASE_MS } from "../../../src/account/gate/account-quotas.ts";
import { GATE_MIGRATIONS } from "../../../src/account/gate/migrations.ts";
import { QUOTA_NAMES, quotasOf } from "../../../src/account/plan/quotas.ts";
import { migrate } from "../../../src/kernel/durable/migrate.ts";

const NOW = Date.UTC(2026, 10, 21, 12);

/** Quotas of an account of their own: its overrides, what D1 lists of its campaigns as open, and a clock. */
class World {
  readonly account: AccountQuotas;
  overrides: Record<string, number> = {};
  listed: string[] = [];
  now = NOW;
  /** How D1 reads its listing. */
  read = async () => ({ open: [...this.listed], used: {} });

  constructor(sql: SqlStorage) {
    const limits = async () => quotasOf({ plan: "starter", quotas: this.overrides });
    this.account = new AccountQuotas(sql, limits, () => this.read());
  }

  readonly clock = () => this.now;
  openStream = (id: string, campaign: string) => this.account.openStream(campaign, id, false, this.clock);
  beginUpload = (id: string) => this.account.beginUpload(id, this.clock);
  openCampaign = (id: string) => this.account.openCampaign(id, this.clock);
  used = async () => {
    const { open_campaigns, event_streams, uploads } = await this.account.use(this.clock);
    return { campaigns: open_campaigns.used, streams: event_streams.used, uploads: uploads.used };
  };
}

/** Runs in a Durable Object's storage. */
function inWorld<T>(body: (world: World) => T | Promise<T>): Promise<T> {
  const gate = env.ACCOUNT_GATE.getByName(`quotas-${crypto.randomUUID()}`);
  return runInDurableObject(gate, (_, { storage }) => {
    migrate(storage, GATE_MIGRATIONS, NOW);
    return body(new World(storage.sql));
  });
}
const over = (name: string, most: number, status: number) =>
  expect.objectContaining({ status, code: "quota_exceeded", message: `${name}: at most ${most}` });

describe("quotas of an account", () => {
  it("are the plan's, each replaced by an override where there is one", async () => {
    await inWorld(async (world) => {
      expect(Object.keys(await world.account.use(world.clock))).toEqual(QUOTA_NAMES);
      world.overrides = { agents: 0, unknown: 7 };
      const use = await world.account.use(world.clock);
      expect([use.agents, use.faqs]).toEqual([
        { limit: 0, used: 0 },
        { limit: 200, used: 0 },
      ]);
      expect(use).not.toHaveProperty("unknown");
    });
  });
});

describe("event streams", () => {
  it("are as many as there may be, over all campaigns, and free again when they close", async () => {
    await inWorld(async (world) => {
      world.overrides = { event_streams: 2 };
      await world.openStream("a", "one");
      await world.openStream("b", "two");
      await expect(world.openStream("c", "one")).rejects.toEqual(over("event_streams", 2, 429));
      world.account.closeStreams(["a", "never there"]);
      await world.openStream("c", "one");
      expect((await world.used()).streams).toBe(2);
    });
  });

  it("count as long as their campaign says so, and run out with one that died", async () => {
    await inWorld(async (world) => {
      await world.openStream("a", "one");
      await world.openStream("b", "two");
      for (let beat = 1; beat <= 20; beat++) {
        world.now = NOW + beat * 15_000;
        world.account.keepStreams("one", ["a"], [], world.now);
        expect((await world.used()).streams).toBe(world.now < NOW + QUOTA_LEASE_MS ? 2 : 1);
      }
      world.now += QUOTA_LEASE_MS;
      expect((await world.used()).streams).toBe(0);
      world.account.keepStreams("one", ["a"], [], world.now);
      expect((await world.used()).streams).toBe(1);
    });
  });

  it("that a campaign lost with its process are free as soon as it lives again; what it has just asked for is not", async () => {
    await inWorld(async (world) => {
      for (const id of ["before", "after"]) await world.openStream(id, "one");
      await world.openStream("other", "two");
      world.account.keepStreams("one", [], ["after", "refused meanwhile"], NOW);
      expect((await world.used()).streams).toBe(2);
    });
  });
});

describe("uploads and open campaigns", () => {
  it("are exact, however many begin at once and however late D1 lists them", async () => {
    await inWorld(async (world) => {
      world.overrides = { open_campaigns: 3, uploads: 100 };
      world.read = async () => {
        const open = [...world.listed];
        await new Promise((resolve) => setTimeout(resolve, 1));
        return { open, used: {} };
      };
      const begin = async (id: string) => {
        await world.beginUpload(id);
        world.listed.push(id);
        await world.account.endUpload(id);
      };
      const all = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => begin(`c${n}`)));
      expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
      expect(await world.used()).toEqual({ campaigns: 3, streams: 0, uploads: 0 });
    });
  });

  it("tell which of the two there are too many of", async () => {
    await inWorld(async (world) => {
      world.overrides = { uploads: 1, open_campaigns: 1 };
      await world.beginUpload("a");
      await expect(world.beginUpload("b")).rejects.toEqual(over("uploads", 1, 429));
      world.overrides = { uploads: 2, open_campaigns: 1 };
      await expect(world.beginUpload("b")).rejects.toEqual(over("open_campaigns", 1, 403));
      expect(await world.used()).toMatchObject({ campaigns: 1, uploads: 1 });
    });
  });

  it("are free again when the upload ends, or its process has died", async () => {
    await inWorld(async (world) => {
      world.overrides = { uploads: 1, open_campaigns: 1 };
      await world.beginUpload("refused");
      await world.account.endUpload("refused");
      await world.beginUpload("dies");
      world.now = NOW + 60_000;
      world.account.keepUpload("dies", world.now);
      world.now = NOW + QUOTA_LEASE_MS;
      await expect(world.beginUpload("next")).rejects.toEqual(over("uploads", 1, 429));
      world.now = NOW + 60_000 + QUOTA_LEASE_MS;
      await world.beginUpload("next");
      expect(await world.used()).toMatchObject({ campaigns: 1, uploads: 1 });
    });
  });

  it("count no campaign that has ended, although D1 lists it for a while; and one that is open again", async () => {
    await inWorld(async (world) => {
      const campaigns = async () => (await world.used()).campaigns;
      world.overrides = { open_campaigns: 2 };
      world.listed = ["a", "b"];
      expect(await campaigns()).toBe(2);
      world.account.campaignEnded("a");
      world.account.campaignEnded("a");
      expect(await campaigns()).toBe(1);
      world.listed = ["b"];
      expect(await campaigns()).toBe(1);
      await world.openCampaign("a");
      expect(await campaigns()).toBe(2);
      world.listed = ["a", "b"];
      world.account.campaignEnded("a");
      await world.openCampaign("a");
      expect(await campaigns()).toBe(2);
      await expect(world.openCampaign("c")).rejects.toEqual(over("open_campaigns", 2, 403));
    });
  });

  it("let the next in where D1 failed for one", async () => {
    await inWorld(async (world) => {
      world.overrides = { uploads: 1 };
      const { read } = world;
      world.read = () => Promise.reject(new Error("away"));
      await expect(world.beginUpload("a")).rejects.toThrow("away");
      world.read = read;
      await world.beginUpload("a");
    });
  });
});
