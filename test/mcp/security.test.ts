import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { Scope } from "../../src/kernel/scopes.ts";
import { contactsCsv, ready, upload } from "../campaign/support.ts";
import { apiKey, BASE, Client, call, tenant } from "../support/client.ts";
import { AGREED, confirmTokenOf, legacy, modern, textOf, use } from "./support.ts";

const LOOKS = [
  "find_agents",
  "find_numbers",
  "list_campaigns",
  "list_models",
  "list_voices",
  "plan_campaign",
  "recent_events",
  "search_conversations",
  "search_docs",
  "search_knowledge",
  "show_agent",
  "show_call",
  "show_campaign",
  "usage",
  "why_waiting",
];
const DIALS = ["pause_campaign", "place_call", "start_campaign"];

const SHOWN: [Scope[], string[]][] = [
  [["read"], LOOKS],
  [["listen"], [...LOOKS, "read_conversation"]],
  [["build"], [...LOOKS, "edit_agent"]],
  [
    ["build", "listen"],
    [...LOOKS, "edit_agent", "read_conversation", "try_agent"],
  ],
  [["dial"], [...LOOKS, ...DIALS]],
];

describe("the security of MCP", () => {
  for (const [scopes, names] of SHOWN)
    it(`a key with ${scopes.join(" and ")} sees and uses only the tools that it may`, async () => {
      const { user } = await tenant();
      const { server } = await apiKey(user, { scopes });
      const { result } = await legacy<{ tools: { name: string }[] }>(server, "tools/list");
      expect(result?.tools.map(({ name }) => name).sort()).toEqual([...names].sort());
      for (const name of [...DIALS, "edit_agent", "try_agent", "read_conversation"]) {
        if (names.includes(name)) continue;
        expect((await legacy(server, "tools/call", { name, arguments: {} })).error, name).toBeDefined();
      }
    });

  it("MCP accepts only keys with explicitly chosen scopes", async () => {
    const { user } = await tenant();
    const { key } = (await user.post<{ key: string }>("/api/v1/api-keys", { name: "default" })).body;
    const server = new Client({ authorization: `Bearer ${key}` });
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    const refused = await server.post<string>("/mcp", ping);
    expect([refused.status, refused.code]).toEqual([403, "scopes_not_named"]);
    expect((await user.post("/mcp", ping)).code).toBe("api_key_required");
    const runtime = await apiKey(user, { scopes: ["runtime"] });
    expect((await runtime.server.post("/mcp", ping)).code).toBe("missing_scope");
  });

  it("MCP answers no page of another site", async () => {
    const { server } = await tenant();
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    for (const origin of ["https://evil.example", "null", BASE.replace("switchboard", "other")]) {
      const answer = await call("POST", "/mcp", { headers: { ...server.headers, origin }, body: ping });
      expect([answer.status, answer.code]).toEqual([403, "origin_not_allowed"]);
    }
  });

  it("a key limited to agents sees nothing of the others through MCP", async () => {
    const who = await tenant();
    const { agent_id, from_number } = await ready(who);
    const other = (await who.server.post<{ id: string }>("/api/v1/agents", { name: "Other" })).body.id;
    const { id: campaign_id } = (await upload(who.server, contactsCsv(1), { agent_id, from_number })).body;
    const { server } = await apiKey(who.user, { scopes: ["dial", "build", "listen"], agent_ids: [other] });
    expect((await use(server, "find_agents")).structuredContent).toMatchObject({ agents: [{ id: other }], total: 1 });
    expect((await use(server, "list_campaigns")).structuredContent).toMatchObject({ campaigns: [] });
    const edit = { agent_id, changes: { name: "x" } };
    const call = { agent_id, from_number, to_number: "+13035550110" };
    for (const [name, args] of [
      ["show_agent", { agent_id }],
      ["edit_agent", edit],
      ["place_call", call],
      ["show_campaign", { campaign_id }],
      ["start_campaign", { campaign_id }],
      ["pause_campaign", { campaign_id }],
    ] as const)
      expect(textOf(await use(server, name, args)), name).toContain("not_found");
  });

  it("MCP masks what the key's scopes do not show", async () => {
    const who = await tenant();
    const { agent_id, from_number } = await ready(who);
    await who.server.post("/api/v1/calls/originate", { agent_id, from_number, to_number: "+13035550110" });
    const { server } = await apiKey(who.user, { scopes: ["read"] });
    await vi.waitFor(async () => {
      const found = await use(server, "recent_events", {});
      expect(textOf(found)).toContain("call.started");
      expect(textOf(found)).not.toContain("3035550110");
    });
  });

  it("MCP does exactly what was confirmed, once, for the same key", async () => {
    const who = await tenant();
    const order = { ...(await ready(who)), to_number: "+13035550110" };
    const name = "place_call";
    const confirm = await confirmTokenOf(who.server, name, order);
    const other = await apiKey(who.user, { scopes: ["dial"] });
    const yes = { inputResponses: AGREED };
    const confirmedText = async (client: Client, args: object) =>
      textOf((await modern(client, "tools/call", { name, arguments: args }, yes)).result ?? {});
    expect(await confirmedText(other.server, { ...order, confirm })).toContain("belongs to another key");
    expect(await confirmedText(who.server, { ...order, to_number: "+13035550111", confirm })).toContain(
      "no longer what was",
    );
    expect(await confirmedText(who.server, { ...order, confirm })).toContain('"done":true');
    expect(await confirmedText(who.server, { ...order, confirm })).toContain("already used");
    expect((await who.server.get<{ calls: object[] }>("/api/v1/calls")).body.calls).toHaveLength(1);
  });

  it("a confirmation waits at most five minutes", async () => {
    const who = await tenant();
    const order = { ...(await ready(who)), to_number: "+13035550110" };
    const confirm = await confirmTokenOf(who.server, "place_call", order);
    const gate = env.ACCOUNT_GATE.getByName(who.account);
    await runInDurableObject(gate, (_, { storage }) => {
      storage.sql.exec("UPDATE confirmations SET expires_at = expires_at - 300000");
    });
    const args = { name: "place_call", arguments: { ...order, confirm } };
    const { result } = await modern(who.server, "tools/call", args, { inputResponses: AGREED });
    expect(textOf(result ?? {})).toContain("older than 5 minutes");
  });

  it("a model cannot approve its own change", async () => {
    const who = await tenant();
    const order = { ...(await ready(who)), to_number: "+13035550110" };
    const name = "place_call";
    const confirm = await confirmTokenOf(who.server, name, order);
    const args = { name, arguments: { ...order, confirm } };
    // Tried with an argument, from a client without a user, and with the key at the console's endpoint. None of them
    // approves.
    expect((await use(who.server, name, { ...order, confirm, approved: "by_client" })).isError).toBe(true);
    const old = await legacy(who.server, "tools/call", { ...args, inputResponses: AGREED });
    expect(textOf(old.result ?? {})).toContain("a person has to approve this");
    const silent = await modern(who.server, "tools/call", args, { elicitation: false, inputResponses: AGREED });
    expect(textOf(silent.result ?? {})).not.toContain('"done":true');
    const { id } = (await use(who.server, name, order)).structuredContent as { id: string };
    expect((await who.server.post(`/api/v1/confirmations/${id}/approve`)).code).toBe("console_required");
    expect((await who.server.get<{ calls: object[] }>("/api/v1/calls")).body.calls).toEqual([]);
  });
});
