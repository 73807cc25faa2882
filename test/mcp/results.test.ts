import { type Schema, Validator } from "@cfworker/json-schema";
import { describe, expect, it, vi } from "vitest";
import { Refused } from "../../src/mcp/api.ts";
import { refusalOf, resultOf } from "../../src/mcp/result.ts";
import { TOOLS } from "../../src/mcp/tools/index.ts";
import { contactsCsv, ready, upload } from "../campaign/support.ts";
import { held, PLAIN, TURNS } from "../records/conversations/support.ts";
import { apiKey, Client, tenant } from "../support/client.ts";
import { confirmed, confirmTokenOf, legacy, modern, type ToolResult, textOf, use } from "./support.ts";

interface Listed {
  tools: { name: string; outputSchema: Schema; annotations: Record<string, boolean | string> }[];
}

describe("results of MCP tools", () => {
  it("a tool's result matches its schema for both protocol generations, and is repeated as text", async () => {
    const who = await tenant();
    const { agent_id, from_number } = await ready(who);
    const { server } = who;
    const { id: campaign_id } = (await upload(server, contactsCsv(2), { agent_id, from_number })).body;
    const conversation_id = await held(who);
    const order = { agent_id, from_number, to_number: "+13035550110" };
    const confirm = await confirmTokenOf(server, "place_call", order);
    await confirmed(server, "place_call", { ...order, confirm });
    const { calls } = (await server.get<{ calls: { call_id: string }[] }>("/api/v1/calls")).body;
    const args: Record<string, object> = {
      show_agent: { agent_id },
      edit_agent: { agent_id, changes: { name: "Eve" } },
      try_agent: { agent_id, says: ["Hello"] },
      show_campaign: { campaign_id },
      plan_campaign: { campaign_id },
      why_waiting: { campaign_id },
      start_campaign: { campaign_id },
      show_call: { call_id: calls[0]?.call_id },
      place_call: order,
      read_conversation: { conversation_id },
      search_knowledge: { query: "opening hours" },
      search_docs: { query: "webhooks" },
    };
    const { tools } = (await legacy<Listed>(server, "tools/list")).result ?? { tools: [] };
    expect(tools.map(({ name }) => name).sort()).toEqual(TOOLS.map(({ name }) => name).sort());
    for (const { name, outputSchema, annotations } of tools) {
      expect(outputSchema, name).toMatchObject({ type: "object" });
      for (const hint of ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"])
        expect(typeof annotations[hint], `${name} ${hint}`).toBe("boolean");
      // A draft cannot be paused.
      if (name === "pause_campaign") continue;
      const call = { name, arguments: args[name] ?? {} };
      for (const { result } of [
        await legacy(server, "tools/call", call),
        await modern<ToolResult>(server, "tools/call", call),
      ]) {
        expect(result?.isError, `${name}: ${textOf(result ?? {})}`).toBeUndefined();
        const { valid, errors } = new Validator(outputSchema, "2020-12").validate(result?.structuredContent);
        expect(valid, `${name}: ${JSON.stringify(errors)}`).toBe(true);
        expect(JSON.parse(result?.content?.at(-1)?.text ?? "")).toEqual(result?.structuredContent);
      }
    }
  });

  it("list_voices returns as many voices as were asked for, and their total", async () => {
    const { server } = await tenant();
    const found = async (args: object) => (await use(server, "list_voices", args)).structuredContent;
    const { voices, total } = (await found({ limit: 2, provider: "elevenlabs" })) as { voices: []; total: number };
    expect(voices).toHaveLength(2);
    expect(total).toBeGreaterThan(2);
  });

  it("list_voices refuses an invalid language", async () => {
    const { server } = await tenant();
    const refused = await use(server, "list_voices", { language: "not a language" });
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining("language")]);
  });

  it("a long conversation is paged within a model's reach", async () => {
    const who = await tenant();
    const text = "word ".repeat(500);
    const turns = Array.from({ length: 60 }, (_, i) => ({
      ...PLAIN,
      seq: i + 1,
      at: TURNS[0]?.at ?? "",
      role: "user" as const,
      text,
    }));
    const conversation_id = await held(who, {}, turns);
    const seen: number[] = [];
    let after_seq: number | null = -1;
    while (after_seq !== null) {
      const read = await use(who.server, "read_conversation", { conversation_id, after_seq });
      expect(textOf(read).length).toBeLessThan(61_000);
      const page = read.structuredContent as { turns: { seq: number }[]; next: number | null };
      seen.push(...page.turns.map(({ seq }) => seq));
      after_seq = page.next;
    }
    expect(seen).toEqual(turns.map(({ seq }) => seq));
  });

  it("a result about an agent shows the beginning of a long prompt and all that was done", async () => {
    const who = await tenant();
    const system_prompt = "\u0001Be kind. ".repeat(10_000);
    const { id: agent_id } = (await who.server.post<{ id: string }>("/api/v1/agents", { name: "Ada", system_prompt }))
      .body;
    const shown = await use(who.server, "show_agent", { agent_id });
    expect(shown.isError, textOf(shown)).toBeUndefined();
    const change = { agent_id, changes: { name: "Eve" } };
    const confirm = await confirmTokenOf(who.server, "edit_agent", change);
    expect(await confirmed(who.server, "edit_agent", { ...change, confirm })).toContain('"done":true');
  });
});

describe("errors of MCP tools", () => {
  it("an error of a tool says what to do next", async () => {
    const refusalText = (error: Refused) => textOf(refusalOf(error) as ToolResult);
    expect(refusalText(new Refused(429, "too many requests (rate_limited)", "rate_limited", "7"))).toContain(
      "in 7 seconds",
    );
    expect(refusalText(new Refused(429, "no (rate_limited)", "rate_limited", "<script>"))).not.toContain("script");
    expect(refusalText(new Refused(403, "no (missing_scope)", "missing_scope"))).toContain("in the console");
    expect(refusalText(new Refused(503, "no"))).toContain("Check whether it was done");
  });

  it("malicious arguments are refused", async () => {
    const { server } = await tenant();
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const message = (args: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_agents","arguments":${args}}}`;
    const send = (raw: string) =>
      server.send("POST", "/mcp", raw, {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      });
    for (const args of [`{"query":${deep}}`, `{"__proto__":{"query":1}}`, `{"constructor":1}`, deep])
      expect((await send(message(args))).status, args.slice(0, 40)).toBeLessThan(500);
    expect(
      (await legacy(server, "resources/read", { uri: "switchboard://transcripts/..%2f..%2fagents" })).error,
    ).toBeDefined();
    expect(
      (await legacy(server, "resources/read", { uri: "switchboard://guides/../../openapi.json" })).error,
    ).toBeDefined();
  });
});

describe("the security of MCP results", () => {
  it("a result hides internal failures, which the log contains", () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const answer = textOf(refusalOf(new Error("D1_ERROR: no such table: SELECT secret FROM keys")) as ToolResult);
    expect(answer).not.toMatch(/SELECT|D1_ERROR/);
    expect(log.mock.calls.join()).toContain("D1_ERROR");
    log.mockRestore();
  });

  it("a result contains nothing that the tool's schema does not name", () => {
    const [tool] = TOOLS.filter(({ name }) => name === "find_agents");
    const one = { id: "1", name: "Ada", description: "", status: "active", llm_model: "gpt-4o", secret: "s" };
    const result = tool && resultOf(tool, { agents: [one], total: 1, secret: "s" });
    expect(JSON.stringify(result)).not.toContain("secret");
  });

  it("a key without listen gets no transcript in any list or at any address", async () => {
    const who = await tenant();
    const conversation_id = await held(who);
    const { server } = await apiKey(who.user, { scopes: ["dial", "build"] });
    type Templates = { resourceTemplates: { name: string }[] };
    const { result } = await legacy<Templates>(server, "resources/templates/list");
    expect(result?.resourceTemplates.map(({ name }) => name)).toEqual(["guides"]);
    const uri = `switchboard://transcripts/${conversation_id}`;
    expect((await legacy(server, "resources/read", { uri })).error).toBeDefined();
    expect(JSON.stringify((await legacy(server, "resources/list")).result)).not.toContain("transcripts");
    const found = await use(server, "search_conversations");
    expect(textOf(found)).toContain(conversation_id);
    expect(textOf(found)).not.toContain("Book me a table");
  });

  it("no token appears in a log", async () => {
    const lines: string[] = [];
    const spies = (["log", "error", "warn", "info"] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation((...words) => void lines.push(words.join(" "))),
    );
    const who = await tenant();
    const order = { ...(await ready(who)), to_number: "+13035550110" };
    const confirm = await confirmTokenOf(who.server, "place_call", order);
    await confirmed(who.server, "place_call", { ...order, confirm, from_number: "+12025550199" });
    await confirmed(who.server, "place_call", { ...order, confirm });
    await modern(who.server, "subscriptions/listen", { notifications: { toolsListChanged: true } });
    for (const spy of spies) spy.mockRestore();
    expect(lines.filter((line) => /responseMode|subscriptions/.test(line))).toEqual([]);
    expect(lines.join("\n")).not.toContain(confirm);
    const entries = JSON.stringify((await who.user.get("/api/v1/audit-log")).body);
    expect(entries).not.toContain(confirm);
  });

  it("a change is not approved by a request of another site or by a GET", async () => {
    const who = await tenant();
    const order = { ...(await ready(who)), to_number: "+13035550110" };
    const { id } = (await use(who.server, "place_call", order)).structuredContent as { id: string };
    const path = `/api/v1/confirmations/${id}`;
    expect((await who.user.get(`${path}/approve`)).status).toBe(405);
    // A browser does not add a bearer token by itself. Without a token nothing is approved, regardless of cookies.
    const other = await tenant();
    expect((await other.user.post(`${path}/approve`)).status).toBe(404);
    expect((await new Client({ cookie: "session=1" }).post(`${path}/approve`)).status).toBe(401);
    expect((await who.user.get(path)).body).toMatchObject({ status: "pending" });
  });
});
