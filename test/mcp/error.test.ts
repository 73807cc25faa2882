import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { contactsCsv, ready, upload } from "../campaign/support.ts";
import { BASE, call, tenant } from "../support/client.ts";
import { AGREED, legacy, modern, textOf, use } from "./support.ts";

describe("MCP", () => {
  it.each(["*/*", "application/json", null])("MCP answers in JSON to a client that accepts %s", async (accept) => {
    const { server } = await tenant();
    const headers = Object.assign({ "content-type": "application/json" }, server.headers, accept && { accept });
    const body = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
    const response = await exports.default.fetch(
      new Request(`${BASE}/mcp`, { method: "POST", headers, body: JSON.stringify(body) }),
    );
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(await response.json()).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
  });
});

describe("invalid requests to MCP", () => {
  it("MCP has neither sessions nor streams of its own", async () => {
    const { server } = await tenant();
    for (const method of ["GET", "DELETE", "PUT"])
      expect((await server.send(method, "/mcp", undefined)).status).toBe(405);
  });

  it("MCP refuses an invalid message", async () => {
    const { server } = await tenant();
    const json = { ...server.headers, "content-type": "application/json" };
    expect((await call("POST", "/mcp", { headers: json, raw: "{" })).code).toBe("malformed_json");
    expect((await call("POST", "/mcp", { headers: json, raw: `"${"x".repeat(300_000)}"` })).status).toBe(413);
  });

  it("MCP refuses long batches, and any in a protocol without them", async () => {
    const { server } = await tenant();
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    const send = (body: object[], version: string) =>
      call("POST", "/mcp", { headers: { ...server.headers, "mcp-protocol-version": version }, body });
    expect((await send([ping], "2025-06-18")).code).toBe("batch_not_allowed");
    expect((await send(Array(11).fill(ping), "2025-03-26")).code).toBe("batch_too_large");
  });

  it("MCP names wrong arguments and unknown tools", async () => {
    const { server } = await tenant();
    expect((await use(server, "show_agent", { agent_id: "x" })).isError).toBe(true);
    expect((await use(server, "find_agents", { nonsense: 1 })).isError).toBe(true);
    const missing = await use(server, "show_agent", { agent_id: crypto.randomUUID() });
    expect(textOf(missing)).toMatch(/^agent not found \(not_found\)\. Find its id/);
    expect((await legacy(server, "tools/call", { name: "nothing", arguments: {} })).error).toBeDefined();
  });

  it("MCP runs nothing but what was confirmed", async () => {
    const who = await tenant();
    const { agent_id, from_number } = await ready(who);
    const { server } = who;
    const { id: campaign_id } = (await upload(server, contactsCsv(2), { agent_id, from_number })).body;
    const name = "start_campaign";
    const first = await modern(server, "tools/call", { name, arguments: { campaign_id } });
    const confirm = first.result?.structuredContent?.confirm;
    expect((await server.patch(`/api/v1/campaigns/${campaign_id}`, { name: "other" })).status).toBe(200);
    const args = { name, arguments: { campaign_id, confirm } };
    const second = await modern(server, "tools/call", args, { inputResponses: AGREED });
    expect(textOf(second.result ?? {})).toContain("no longer what was confirmed");
    const { status } = (await server.get<{ status: string }>(`/api/v1/campaigns/${campaign_id}`)).body;
    expect(status).toBe("draft");
  });

  it("a campaign checks that it is unchanged since it was read before MCP starts it", async () => {
    const who = await tenant();
    const { agent_id, from_number } = await ready(who);
    const { server } = who;
    const { id } = (await upload(server, contactsCsv(2), { agent_id, from_number })).body;
    const start = `/api/v1/campaigns/${id}/start`;
    const stale = await server.send("POST", start, undefined, { "if-match": '"99.x"' });
    expect([stale.status, stale.code]).toEqual([412, "changed_meanwhile"]);
    expect((await server.post(`${start}?pending=3`)).code).toBe("changed_meanwhile");
    expect((await server.post(`${start}?pending=2`)).status).toBe(200);
  });

  it("a declined change is final for MCP", async () => {
    const who = await tenant();
    const order = { ...(await ready(who)), to_number: "+13035550110" };
    const name = "place_call";
    const first = await modern(who.server, "tools/call", { name, arguments: order });
    const confirm = first.result?.structuredContent?.confirm;
    const inputResponses = { yes: { action: "decline" } };
    const args = { name, arguments: { ...order, confirm } };
    const { result } = await modern(who.server, "tools/call", args, { inputResponses });
    expect(textOf(result ?? {})).toContain("declined");
    expect((await who.server.get<{ calls: object[] }>("/api/v1/calls")).body.calls).toEqual([]);
  });
});
