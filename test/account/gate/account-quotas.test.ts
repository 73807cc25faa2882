import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { AccountQuotas } from "../../../src/account/gate/account-quotas.ts";
import { GATE_MIGRATIONS } from "../../../src/account/gate/migrations.ts";
import { RESERVED_FOR_MS } from "../../../src/account/gate/open-campaigns.ts";
import { QUOTA_NAMES, quotasOf } from "../../../src/account/plan/quotas.ts";
import { migrate } from "../../../src/kernel/durable/migrate.ts";

const NOW = Date.UTC(2026, 10, 21, 12);

/** The quotas of an account: its overrides, the open campaigns that D1 lists, and a clock. */
class World {
  readonly account: AccountQuotas;
  overrides: Record<string, number> = {};
  listed: string[] = [];
  now = NOW;
  /** Returns the open campaigns that D1 lists. */
  read = async () => ({ open: [...this.listed], used: {} });

  constructor(sql: SqlStorage) {
    const limits = async () => quotasOf({ plan: "starter", quotas: this.overrides });
    this.account = new AccountQuotas(sql, limits, () => this.read());
  }

  readonly clock = () => this.now;
  openCampaign = (id: string) => this.account.openCampaign(id, this.clock);
  used = async () => {
    const { open_campaigns } = await this.account.use(this.clock);
    return { campaigns: open_campaigns.used };
  };
}

/** Runs `body` with the storage of a Durable Object. */
function inWorld<T>(body: (world: World) => T | Promise<T>): Promise<T> {
  const gate = env.ACCOUNT_GATE.getByName(`quotas-${crypto.randomUUID()}`);
  return runInDurableObject(gate, (_, { storage }) => {
    migrate(storage, GATE_MIGRATIONS, NOW);
    return body(new World(storage.sql));
  });
}
const over = (name: string, most: number, status: number) =>
  expect.objectContaining({
    status,
    code: "quota_exceeded",
    message: `the account's quota of ${most} ${name} is reached`,
  });

describe("quotas of an account", () => {
  it("an account's quotas are its plan's unless an override replaces them", async () => {
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

describe("open campaigns", () => {
  it("the count of open campaigns is exact, however many begin at once and however late D1 lists them", async () => {
    await inWorld(async (world) => {
      world.overrides = { open_campaigns: 3 };
      world.read = async () => {
        const open = [...world.listed];
        await new Promise((resolve) => setTimeout(resolve, 1));
        return { open, used: {} };
      };
      const begin = async (id: string) => {
        await world.openCampaign(id);
        world.listed.push(id);
        await world.account.campaignListed(id);
      };
      const all = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => begin(`c${n}`)));
      expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
      expect(await world.used()).toEqual({ campaigns: 3 });
    });
  });

  it("an open campaign no longer counts if its creation failed or its process died", async () => {
    await inWorld(async (world) => {
      world.overrides = { open_campaigns: 1 };
      await world.openCampaign("refused");
      await world.account.campaignListed("refused");
      await world.openCampaign("dies");
      world.now = NOW + RESERVED_FOR_MS - 1;
      await expect(world.openCampaign("next")).rejects.toEqual(over("open_campaigns", 1, 403));
      world.now = NOW + RESERVED_FOR_MS;
      await world.openCampaign("next");
      expect(await world.used()).toEqual({ campaigns: 1 });
    });
  });

  it("exclude an ended campaign although D1 still lists it, and include one that is open again", async () => {
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

  it("exclude a campaign that was reopened and has ended again, even if its listing was never confirmed", async () => {
    await inWorld(async (world) => {
      await world.openCampaign("a");
      world.listed = ["a"];
      expect(await world.used()).toEqual({ campaigns: 1 });
      world.account.campaignEnded("a");
      expect(await world.used()).toEqual({ campaigns: 0 });
      world.listed = [];
      expect(await world.used()).toEqual({ campaigns: 0 });
      expect(await world.used()).toEqual({ campaigns: 0 });
    });
  });

  it("admit the next campaign after D1 failed for one", async () => {
    await inWorld(async (world) => {
      world.overrides = { open_campaigns: 1 };
      const { read } = world;
      world.read = () => Promise.reject(new Error("away"));
      await expect(world.openCampaign("a")).rejects.toThrow("away");
      world.read = read;
      await world.openCampaign("a");
    });
  });
});
