import { describe, expect, it } from "vitest";
import { readinessOfTool } from "../../../src/agent/tools/readiness.ts";
import { tenant } from "../../support/client.ts";

interface State {
  tool_name: string;
  enabled: boolean;
  ready: boolean;
  reason: string | null;
}
interface Agent {
  id: string;
  tools: State[];
}

const lookUp = {
  name: "mine",
  display_name: "Mine",
  implementation_type: "http",
  implementation_config: {
    method: "GET",
    url: "https://{{shopify.shop_domain}}/admin/api/2026-07/shop.json",
    headers: { "X-Shopify-Access-Token": "{{shopify.access_token}}" },
  },
};
const SHOPIFY = { params: { shop_domain: "a.myshopify.com" }, secrets: { access_token: "shpat" } };

describe("an agent's tools", () => {
  it("can be attached before their integration is ready, and every response says that they are not ready", async () => {
    const { server } = await tenant();
    const created = (await server.post<Agent>("/api/v1/agents", { name: "A" })).body;
    expect(created.tools).toEqual([]);
    const other = (await server.post<Agent>("/api/v1/agents", { name: "B" })).body;
    await server.post("/api/v1/tools", lookUp);
    await server.post("/api/v1/tools", { name: "plain" });
    const path = `/api/v1/agents/${created.id}`;
    const shown = async () => ({
      agent: (await server.get<Agent>(path)).body.tools,
      list: (await server.get<Agent[]>("/api/v1/agents")).body.map(({ id, tools }) => [id, tools]),
      tools: (await server.get<{ tools: State[] }>(`${path}/tools`)).body.tools,
    });
    await shown();
    const reason = "the integration shopify is not installed";
    const taken = await server.post(`${path}/tools`, { tool_name: "mine", config: { a: 1 } });
    expect([taken.status, taken.body]).toMatchObject([200, { tool_name: "mine", ready: false, reason }]);
    const plain = await server.put(`${path}/tools`, { tool_name: "plain", enabled: false });
    expect(plain.body).toMatchObject({ tool_name: "plain", ready: true, reason: null });

    const states = [
      { tool_name: "mine", display_name: "Mine", enabled: true, ready: false, reason },
      { tool_name: "plain", display_name: expect.any(String), enabled: false, ready: true, reason: null },
    ];
    const before = await shown();
    expect(before.agent).toEqual(states);
    expect(Object.fromEntries(before.list)).toEqual({ [created.id]: states, [other.id]: [] });
    expect(before.tools).toMatchObject([
      { tool_name: "mine", config: { a: 1 }, ready: false, reason },
      { tool_name: "plain", ready: true, reason: null },
    ]);

    // Each change of the integration invalidates the cached responses to the reads above.
    const steps: [path: string, body: object | undefined, reason: string | null][] = [
      ["install", { params: SHOPIFY.params }, "the integration shopify lacks access_token"],
      ["install", SHOPIFY, null],
      ["uninstall", undefined, reason],
      ["install", undefined, null],
    ];
    for (const [step, body, expected] of steps) {
      await server.post(`/api/v1/integrations/shopify/${step}`, body);
      const { agent, list, tools } = await shown();
      const state = { tool_name: "mine", ready: expected === null, reason: expected };
      expect(agent[0]).toMatchObject(state);
      expect(Object.fromEntries(list)[created.id]).toMatchObject([state, { ready: true }]);
      expect(tools[0]).toMatchObject(state);
    }
    const renamed = (await server.patch<Agent>(path, { name: "C" })).body;
    expect(renamed.tools).toMatchObject([{ tool_name: "mine", ready: true }, { tool_name: "plain" }]);
    await server.delete(`${path}/tools/mine`);
    expect((await server.get<Agent>(path)).body.tools).toMatchObject([{ tool_name: "plain" }]);
  });

  it("a Python tool is not ready without a runtime that runs it, and every response says why", async () => {
    const { server } = await tenant();
    const { id } = (await server.post<Agent>("/api/v1/agents", { name: "A" })).body;
    const reason = expect.stringMatching(/^the tool is written in Python, .*VOICE_RUNTIME_URL/);
    for (const tool_name of ["work_out_total", "end_call"]) {
      const [ready, why] = tool_name === "end_call" ? [true, null] : [false, reason];
      const attached = await server.put(`/api/v1/agents/${id}/tools`, { tool_name });
      expect(attached.body).toMatchObject({ tool_name, ready, reason: why });
    }
    const states = [
      { tool_name: "end_call", ready: true, reason: null },
      { tool_name: "work_out_total", ready: false, reason },
    ];
    const byName = (tools: State[]) => tools.toSorted((a, b) => (a.tool_name < b.tool_name ? -1 : 1));
    const path = `/api/v1/agents/${id}`;
    expect(byName((await server.get<Agent>(path)).body.tools)).toMatchObject(states);
    expect(byName((await server.get<Agent[]>("/api/v1/agents")).body[0]?.tools ?? [])).toMatchObject(states);
    expect(byName((await server.get<{ tools: State[] }>(`${path}/tools`)).body.tools)).toMatchObject(states);
    expect(byName((await server.patch<Agent>(path, { name: "B" })).body.tools)).toMatchObject(states);
  });

  it("a Python tool is ready if a custom runtime is configured", () => {
    const python = { name: "mine", implementation_type: "python" as const, implementation_config: {} };
    const own = { VOICE_RUNTIME_URL: "wss://runtime.example" };
    expect(readinessOfTool(python, [], own)).toEqual({ ready: true, reason: null });
    expect(readinessOfTool(python, [], { VOICE_RUNTIME_URL: "" }).ready).toBe(false);
    const needing = Object.assign({}, python, { implementation_config: lookUp.implementation_config });
    expect(readinessOfTool(needing, [], own).reason).toBe("the integration shopify is not installed");
  });

  it("another account's integrations do not make a tool ready", async () => {
    const [one, two] = [await tenant(), await tenant()];
    await two.server.post("/api/v1/integrations/shopify/install", SHOPIFY);
    await one.server.post("/api/v1/tools", lookUp);
    const { id } = (await one.server.post<Agent>("/api/v1/agents", { name: "A" })).body;
    const taken = await one.server.post<State>(`/api/v1/agents/${id}/tools`, { tool_name: "mine" });
    expect(taken.body.ready).toBe(false);
  });
});
