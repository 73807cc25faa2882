import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { Budgets, type ModelConsumer } from "../../../src/account/meter/budgets.ts";
import { METER_MIGRATIONS } from "../../../src/account/meter/migrations.ts";
import { migrate } from "../../../src/kernel/durable/migrate.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const NOTHING = { input_tokens: 0, output_tokens: 0, requests: 0 };
const conversation = (widget_key_id: string): ModelConsumer => {
  const consumer = {
    agent_id: "agent",
    campaign_id: null,
    api_key_id: null,
    widget_key_id,
    guest: false,
    network: null,
  };
  return { id: "conversation", object: "object", visitor: "visitor", ahead: 2, consumer };
};

describe("the configuration of budgets", () => {
  it("budgets are not read again at every exchange of a deleted widget key", async () => {
    await runInDurableObject(env.ACCOUNT_METER.getByName(`t-${crypto.randomUUID()}`), async (_, { storage }) => {
      migrate(storage, METER_MIGRATIONS, NOW);
      let reads = 0;
      const deps = {
        storage,
        read: async () => {
          reads++;
          return { budgets: [], widgetKeys: {} };
        },
        reached: () => {},
        ledger: { usage: async () => [], usageAndParts: async () => ({ rows: [], parts: {} }) },
        warn: async () => {},
        close: async () => {},
        countsNetworks: true,
        arm: async () => {},
        report: () => {},
      };
      const budgets = new Budgets(deps, NOW);
      for (let turn = 0; turn < 5; turn++) await budgets.settle(conversation("gone"), NOTHING, 100, NOW + turn);
      expect(reads).toBe(1);
      await budgets.settle(conversation("new"), NOTHING, 100, NOW + 10);
      expect(reads).toBe(2);
      // The key may be created later. Its notification causes a read.
      await budgets.changed(NOW + 11);
      await budgets.settle(conversation("gone"), NOTHING, 100, NOW + 12);
      expect(reads).toBe(4);
    });
  });
});
