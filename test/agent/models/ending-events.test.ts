import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { announceEndings } from "../../../src/agent/models/announce-endings.ts";
import { accountEvents } from "../../../src/kernel/durable/objects.ts";
import { tellDueLedgers } from "../../../src/records/ledger/tell-retention.ts";
import { list } from "../../records/events/support.ts";
import { type Client, tenant } from "../../support/client.ts";
import { agentPath, newAgent } from "../versions/support.ts";
import { endingIn } from "./support.ts";

const announced = async (client: Client) => {
  const { events } = await list(client, { types: "model.ending", limit: 100 });
  return events.map(({ data }) => [data.agent_id, data.model]).sort();
};
const announce = (accounts: string[], days = 20, now = Date.now()) =>
  announceEndings(env, accounts, now, endingIn(days));

describe("the event of an ending model", () => {
  it("names each agent and model once, including the second model, however often it is due", async () => {
    const { account, server } = await tenant();
    const both = await newAgent(server, { llm_model: "gpt-4o", fallback_model: "gpt-4o-mini" });
    const twice = await newAgent(server, { llm_model: "gpt-4o", fallback_model: "gpt-4o" });
    await newAgent(server, { llm_model: "claude-3-5-sonnet" });
    await announce([account]);
    await announce([account]);
    expect(await announced(server)).toEqual(
      [
        [both, "gpt-4o"],
        [both, "gpt-4o-mini"],
        [twice, "gpt-4o"],
      ].sort(),
    );
  });

  it("the event of an ending model is emitted from 30 days before the end until the end", async () => {
    const { account, server } = await tenant();
    await newAgent(server, { llm_model: "gpt-4o" });
    await announce([account], 32);
    await announce([account], 0);
    expect(await announced(server)).toEqual([]);
    await announce([account], 30);
    expect(await announced(server)).toHaveLength(1);
  });

  it("an agent that names an ending model after the first run also gets an event", async () => {
    const { account, server } = await tenant();
    const id = await newAgent(server, { llm_model: "claude-3-5-sonnet" });
    await announce([account]);
    await server.patch(agentPath(id), { llm_model: "gpt-4o-mini" });
    await announce([account]);
    expect(await announced(server)).toEqual([[id, "gpt-4o-mini"]]);
  });

  it("the event of an ending model considers the published version instead of the draft", async () => {
    const { account, server } = await tenant();
    const id = await newAgent(server, { llm_model: "gpt-4o", versioning: "manual" });
    expect((await server.post(`${agentPath(id)}/publish`)).status).toBe(200);
    await server.patch(agentPath(id), { llm_model: "claude-3-5-sonnet" });
    await announce([account]);
    expect(await announced(server)).toEqual([[id, "gpt-4o"]]);
  });

  it("archived agents emit no event of an ending model", async () => {
    const { account, server } = await tenant();
    const id = await newAgent(server, { llm_model: "gpt-4o" });
    await server.patch(agentPath(id), { status: "archived" });
    await announce([account]);
    expect(await announced(server)).toEqual([]);
  });

  it("reaches only the agent's account", async () => {
    const [one, other] = await Promise.all([tenant(), tenant()]);
    const id = await newAgent(one.server, { llm_model: "gpt-4o" });
    await announce([one.account, other.account]);
    expect([await announced(one.server), await announced(other.server)]).toEqual([[[id, "gpt-4o"]], []]);
  });

  it("a pruned event of an ending model is not emitted a second time", async () => {
    const { account, server } = await tenant();
    await newAgent(server, { llm_model: "gpt-4o" });
    await announce([account]);
    const log = accountEvents(env, account) as unknown as DurableObjectStub;
    await runInDurableObject(log, (_, { storage }) => {
      storage.sql.exec("DELETE FROM events");
      storage.kv.put("pruned", { sequence: 1, at: Date.now() });
    });
    await announce([account]);
    expect(await announced(server)).toEqual([]);
  });

  it("the next run emits the event if the account's events could not be reached", async () => {
    const { account, server } = await tenant();
    await newAgent(server, { llm_model: "gpt-4o" });
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const away = { getByName: () => ({ take: () => Promise.reject(new Error("away")) }) };
    const broken = { DB: env.DB, ACCOUNT_EVENTS: away as unknown as Env["ACCOUNT_EVENTS"] };
    expect(await announceEndings(broken, [account], Date.now(), endingIn(20))).toEqual(new Set([account]));
    errors.mockRestore();
    expect(await announced(server)).toEqual([]);
    await announce([account]);
    expect(await announced(server)).toHaveLength(1);
  });

  it("an account whose run failed is retried within the hour", async () => {
    const { account } = await tenant();
    const visited: string[][] = [];
    const visit = (now: number, failed: string[]) =>
      tellDueLedgers(env, now, Number.POSITIVE_INFINITY, async (accounts) => {
        visited.push(accounts.filter((name) => name === account));
        return new Set(failed);
      });
    const now = Date.now();
    await visit(now, [account]);
    await visit(now + 60_000, []);
    await visit(now + 3_600_000, []);
    await visit(now + 3_660_000, []);
    expect(visited.flat()).toEqual([account, account]);
  });
});
