import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { AccountQuotas, QUOTA_LEASE_MS, QUOTA_MIGRATIONS } from "../../src/account-gate/account-quotas.ts";
import { limitsInDatabase, QUOTAS, quotasOf } from "../../src/account-gate/quotas.ts";
import { migrate } from "../../src/durable/migrate.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const quotas = (overrides: Record<string, number>) => quotasOf({ plan: "starter", quotas: overrides });

/** Runs on the quotas of an account of its own, whose open campaigns D1 lists as `listing` says. */
function withQuotas<T>(
  body: (quotas: AccountQuotas) => T | Promise<T>,
  listing: () => Promise<string[]> = async () => [],
): Promise<T> {
  const gate = env.ACCOUNT_GATE.getByName(`quotas-${crypto.randomUUID()}`);
  return runInDurableObject(gate, (_, { storage }) => {
    migrate(storage, QUOTA_MIGRATIONS, NOW);
    return body(new AccountQuotas(storage.sql, listing));
  });
}
const settled = async (all: Promise<unknown>[]) =>
  (await Promise.allSettled(all)).filter(({ status }) => status === "fulfilled").length;
const tooMany = (name: string, most: number, status: number) =>
  expect.objectContaining({ status, code: "quota_exceeded", message: `${name}: at most ${most}` });

describe("quotas of an account", () => {
  it("are the plan's, each replaced by an override where there is one", () => {
    expect(quotas({}).agents).toBe(100);
    expect(quotas({ agents: 0, unknown: 7 })).toEqual({ ...quotas({}), agents: 0 });
    expect(Object.keys(limitsInDatabase(quotas({})))).toEqual(
      Object.keys(QUOTAS).filter((name) => !["open_campaigns", "event_streams", "uploads"].includes(name)),
    );
  });
});

describe("event streams", () => {
  it("are as many as there may be, over all campaigns, and free again when they close", async () => {
    await withQuotas(async (account) => {
      const limits = quotas({ event_streams: 2 });
      account.openStream("a", "one", limits, NOW);
      account.openStream("b", "two", limits, NOW);
      expect(() => account.openStream("c", "one", limits, NOW)).toThrow(tooMany("event_streams", 2, 429));
      account.closeStreams(["a", "never there"]);
      account.openStream("c", "one", limits, NOW);
      expect((await account.used(NOW)).event_streams).toBe(2);
    });
  });

  it("count as long as their campaign says so, and run out with one that died", async () => {
    await withQuotas(async (account) => {
      const used = async (now: number) => (await account.used(now)).event_streams;
      account.openStream("a", "one", quotas({}), NOW);
      account.openStream("b", "two", quotas({}), NOW);
      let now = NOW;
      for (let beat = 1; beat <= 20; beat++) {
        now = NOW + beat * 15_000;
        account.keepStreams("one", ["a"], [], now);
        expect(await used(now)).toBe(now < NOW + QUOTA_LEASE_MS ? 2 : 1);
      }
      expect(await used(now + QUOTA_LEASE_MS)).toBe(0);
      account.keepStreams("one", ["a"], [], now + QUOTA_LEASE_MS);
      expect(await used(now + QUOTA_LEASE_MS)).toBe(1);
    });
  });

  it("that a campaign lost with its process are free as soon as it lives again; what it has just asked for is not", async () => {
    await withQuotas(async (account) => {
      account.openStream("before", "one", quotas({}), NOW);
      account.openStream("other", "two", quotas({}), NOW);
      account.openStream("after", "one", quotas({}), NOW);
      account.keepStreams("one", [], ["after", "refused meanwhile"], NOW);
      expect((await account.used(NOW)).event_streams).toBe(2);
    });
  });
});

describe("uploads and open campaigns", () => {
  it("are exact, however many begin at once and however late D1 lists them", async () => {
    const listed: string[] = [];
    const later = async () => {
      const before = [...listed];
      await new Promise((resolve) => setTimeout(resolve, 1));
      return before;
    };
    await withQuotas(async (account) => {
      const limits = quotas({ open_campaigns: 3, uploads: 100 });
      const begin = async (id: string) => {
        await account.beginUpload(id, limits, NOW);
        listed.push(id);
        await account.endUpload(id);
      };
      expect(await settled(Array.from({ length: 50 }, (_, n) => begin(`c${n}`)))).toBe(3);
      expect(await account.used(NOW)).toEqual({ open_campaigns: 3, event_streams: 0, uploads: 0 });
    }, later);
  });

  it("tell which of the two there are too many of", async () => {
    await withQuotas(async (account) => {
      await account.beginUpload("a", quotas({ uploads: 1, open_campaigns: 1 }), NOW);
      const second = (limits: Record<string, number>) => account.beginUpload("b", quotas(limits), NOW);
      await expect(second({ uploads: 1, open_campaigns: 1 })).rejects.toEqual(tooMany("uploads", 1, 429));
      await expect(second({ uploads: 2, open_campaigns: 1 })).rejects.toEqual(tooMany("open_campaigns", 1, 403));
      expect(await account.used(NOW)).toMatchObject({ open_campaigns: 1, uploads: 1 });
    });
  });

  it("are free again when the upload ends, or its process has died", async () => {
    await withQuotas(async (account) => {
      const limits = quotas({ uploads: 1, open_campaigns: 1 });
      await account.beginUpload("refused", limits, NOW);
      await account.endUpload("refused");
      await account.beginUpload("dies", limits, NOW);
      account.keepUpload("dies", NOW + QUOTA_LEASE_MS / 2);
      await expect(account.beginUpload("next", limits, NOW + QUOTA_LEASE_MS)).rejects.toEqual(
        tooMany("uploads", 1, 429),
      );
      await account.beginUpload("next", limits, NOW + 2 * QUOTA_LEASE_MS);
      expect(await account.used(NOW + 2 * QUOTA_LEASE_MS)).toMatchObject({ open_campaigns: 1, uploads: 1 });
    });
  });

  it("count no campaign that has ended, although D1 lists it for a while; and one that is open again", async () => {
    let listed = ["a", "b"];
    await withQuotas(
      async (account) => {
        const used = async () => (await account.used(NOW)).open_campaigns;
        expect(await used()).toBe(2);
        account.campaignEnded("a");
        account.campaignEnded("a");
        expect(await used()).toBe(1);
        listed = ["b"];
        expect(await used()).toBe(1);
        await account.openCampaign("a", quotas({ open_campaigns: 2 }), NOW);
        expect(await used()).toBe(2);
        listed = ["a", "b"];
        expect(await used()).toBe(2);
        account.campaignEnded("a");
        await account.openCampaign("a", quotas({ open_campaigns: 2 }), NOW);
        expect(await used()).toBe(2);
      },
      async () => listed,
    );
  });

  it("let the next in where D1 failed for one", async () => {
    let away = true;
    await withQuotas(
      async (account) => {
        await expect(account.beginUpload("a", quotas({ uploads: 1 }), NOW)).rejects.toThrow("away");
        away = false;
        await account.beginUpload("a", quotas({ uploads: 1 }), NOW);
      },
      async () => {
        if (away) throw new Error("away");
        return [];
      },
    );
  });
});
