import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { accountMeter } from "../../../src/kernel/durable/objects.ts";
import { callReport, conversationReport, report, TODAY_MS } from "../../records/usage/support.ts";
import { tenant } from "../../support/client.ts";
import { log } from "../audit-log/support.ts";
import { budget, createBudget, order } from "./support.ts";

const NOON = TODAY_MS + 1_000;
const COSTS = { unit: "usd_micros", action: "warn", limit: 1_000_000 };
type Tenant = Awaited<ReturnType<typeof tenant>>;

async function agentOf({ server }: Tenant): Promise<string> {
  return (await server.post<{ id: string }>("/api/v1/agents", { name: "Ada" })).body.id;
}
/** Returns a visitor's lease in the form in which the conversation's object sends it to the meter. */
const lease = (id: string) => ({
  id,
  kind: "widget" as const,
  object: { type: "conversation" as const, id: "family" },
  agent_id: "agent",
  campaign_id: null,
  api_key_id: null,
  holder: {
    type: "visitor" as const,
    visitor_id: "visitor",
    visitor_type: "user" as const,
    widget_key_id: "key",
    family: "family",
    origin: null,
    made_by: null,
    address: null,
  },
});
/** Notifies the meter as if the ledger's costs had changed. */
const costsChanged = ({ account }: Tenant) => accountMeter(env, account).costsChanged();

describe("budgets created during a period", () => {
  it("begin with the ledger's counts of their period and scope, in every unit", async () => {
    const who = await tenant();
    const scope_id = await agentOf(who);
    await report(
      who.account,
      callReport(NOON, { agent_id: scope_id }),
      callReport(NOON),
      conversationReport(NOON, 300_000, { agent_id: scope_id }),
      conversationReport(NOON, 50_000),
    );
    expect(await createBudget(who, { action: "warn" })).toMatchObject({ used: 2_000_014 });
    expect(await createBudget(who, { unit: "call_minutes", action: "warn" })).toMatchObject({ used: 3 });
    expect(await createBudget(who, COSTS)).toMatchObject({ used: 350_000 });
    const ofAgent = { scope: "agent", scope_id, action: "warn" };
    const tokens = await createBudget(who, ofAgent);
    expect(tokens).toMatchObject({ used: 1_000_007 });
    expect(await createBudget(who, Object.assign({}, ofAgent, COSTS, { period: "month" }))).toMatchObject({
      used: 300_000,
    });
    await report(who.account, conversationReport(NOON, null, { agent_id: scope_id }));
    await who.server.patch(`/api/v1/budgets/${tokens.id}`, { limit: 2_000 });
    expect(await budget(who, tokens.id)).toMatchObject({ limit: 2_000, used: 1_000_007 });
  });

  it("count a conversation that ends while they begin once, whether the ledger or the meter has it first", async () => {
    const used = { input_tokens: 1_000_000, output_tokens: 7, requests: 1 };
    const before = { input_tokens: 900_000, output_tokens: 7, requests: 1 };
    const started = async (settled: typeof used) => {
      const who = await tenant();
      const conversation = conversationReport(NOON, null);
      const meter = accountMeter(env, who.account);
      const held = lease(conversation.row.id);
      await meter.admit(held);
      await meter.renew(held, settled, 100);
      const leave = () => meter.leave(held.id, used);
      const count = () => report(who.account, conversation);
      return { who, leave, count };
    };
    const tokens = { action: "warn", limit: 5_000_000 };

    const left = await started(used);
    const earlier = await createBudget(left.who, Object.assign({ period: "month" }, tokens));
    await left.leave();
    const first = await createBudget(left.who, tokens);
    expect(first.used).toBe(1_000_007);
    await left.count();
    expect(await budget(left.who, first.id)).toMatchObject({ used: 1_000_007 });

    const counted = await started(before);
    const early = await createBudget(counted.who, Object.assign({ period: "month" }, tokens));
    expect(early.used).toBe(900_007);
    await counted.count();
    const second = await createBudget(counted.who, tokens);
    expect(second.used).toBe(1_000_007);
    await counted.leave();
    expect(await budget(counted.who, second.id)).toMatchObject({ used: 1_000_007 });
    expect(await budget(counted.who, early.id)).toMatchObject({ used: 1_000_007 });
    expect(await budget(left.who, earlier.id)).toMatchObject({ used: 1_000_007 });
  });

  it("count costs when a conversation has ended, and record a warning once", async () => {
    const who = await tenant();
    const { id } = await createBudget(who, COSTS);
    await report(who.account, conversationReport(NOON, 850_000));
    const entries = () => log(who.user, "resource=budget&action=warn");
    await vi.waitFor(async () => expect(await entries()).toHaveLength(1));
    expect(await budget(who, id)).toMatchObject({ used: 850_000 });
    await costsChanged(who);
    expect(await budget(who, id)).toMatchObject({ used: 850_000 });
    const [entry, ...others] = await entries();
    expect([entry?.changes, others]).toEqual([
      { share: { from: null, to: 0.8 }, used: { from: null, to: 850_000 } },
      [],
    ]);
  });
});

describe("budgets of costs", () => {
  it("require the price of everything that their agents use, and name unknown prices", async () => {
    const who = await tenant();
    const scope_id = await agentOf(who);
    const number = { e164: "+12025550100", provider: "sandbox" };
    await who.user.post("/api/v1/telephony/numbers", number);
    // Makes the number belong to a carrier without contacting the carrier.
    await env.DB.prepare("UPDATE phone_numbers SET provider = 'vonage' WHERE account = ?").bind(who.account).run();
    const body = order(Object.assign({ scope: "agent", scope_id }, COSTS));
    const refused = await who.server.post<string>("/api/v1/budgets", body);
    expect([refused.status, refused.code]).toEqual([409, "no_price"]);
    const unknown = refused.body.match(/[a-z]+\/[\w./+-]+[\w1]/g) ?? [];
    expect(unknown).toContain("carrier/vonage/outbound/other");
    expect(unknown).toContain("carrier/vonage/inbound/+1");
    expect(unknown).not.toContain("carrier/vonage/inbound/other");
    const prices = unknown.filter((what) => !what.startsWith("api/")).map((what) => ({ what, unit_micros: 1 }));
    expect((await who.user.patch("/api/v1/prices", { prices })).status).toBe(200);
    expect((await who.server.post("/api/v1/budgets", body)).status).toBe(201);
  });

  it("require the price of the fallback model", async () => {
    const who = await tenant();
    const scope_id = await agentOf(who);
    const server = { base_url: "https://models.acme.example/v1", models: "qwen" };
    const install = { params: server, secrets: { api_key: "k" } };
    await who.user.post("/api/v1/integrations/custom_llm/install", install);
    await who.user.post("/api/v1/integrations/openai/install", { secrets: { api_key: "k" } });
    await who.user.patch(`/api/v1/agents/${scope_id}`, { fallback_model: "custom_llm:qwen" });
    const body = order(Object.assign({ scope: "agent", scope_id }, COSTS));
    expect((await who.server.post<string>("/api/v1/budgets", body)).body).toContain("model/custom_llm/output");
    await who.user.patch(`/api/v1/agents/${scope_id}`, { fallback_model: "gpt-4o-mini" });
    expect((await who.server.post("/api/v1/budgets", body)).status).toBe(201);
  });

  it("can only warn, even when changed, and require an existing scope", async () => {
    const who = await tenant();
    const { id } = await createBudget(who, COSTS);
    const path = `/api/v1/budgets/${id}`;
    const answer = await who.server.patch(path, { action: "end" });
    expect([answer.status, answer.code]).toEqual([400, "only_warns"]);
    expect(await budget(who, id)).toMatchObject({ action: "warn", limit: 1_000_000 });
    const of = order(Object.assign({}, COSTS, { scope: "agent", scope_id: crypto.randomUUID() }));
    expect(await who.server.post("/api/v1/budgets", of)).toMatchObject({ status: 400, code: "unknown_scope" });
  });
});
