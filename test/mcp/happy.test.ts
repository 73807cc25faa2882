import { describe, expect, it } from "vitest";
import { contactsCsv, ready, upload } from "../campaign/support.ts";
import { held } from "../records/conversations/support.ts";
import { apiKey, tenant } from "../support/client.ts";
import { AGREED, confirmTokenOf, legacy, modern, textOf, use } from "./support.ts";

interface Tools {
  tools: { name: string; annotations: { readOnlyHint: boolean } }[];
}

describe("MCP", () => {
  it("MCP serves clients of both protocol generations", async () => {
    const { server } = await tenant();
    const clientInfo = { name: "test", version: "1" };
    const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    const old = await legacy<{ protocolVersion: string; serverInfo: { name: string } }>(server, "initialize", hello);
    expect(old.result).toMatchObject({ protocolVersion: "2025-11-25", serverInfo: { name: "switchboard" } });
    const found = await modern<{ supportedVersions: string[] }>(server, "server/discover");
    expect(found.result?.supportedVersions).toContain("2026-07-28");
    const [a, b] = await Promise.all([legacy<Tools>(server, "tools/list"), modern<Tools>(server, "tools/list")]);
    const names = (a.result?.tools ?? []).map(({ name }) => name);
    expect(names).toEqual((b.result?.tools ?? []).map(({ name }) => name));
    for (const name of ["find_agents", "try_agent", "why_waiting", "place_call", "search_docs"])
      expect(names).toContain(name);
    const looks = (a.result?.tools ?? []).filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name);
    expect(names.filter((name) => !looks.includes(name)).sort()).toEqual(
      ["edit_agent", "pause_campaign", "place_call", "start_campaign", "try_agent"].sort(),
    );
  });

  it("MCP finds and shows the account's agents, calls and campaigns", async () => {
    const who = await tenant();
    const { agent_id, from_number } = await ready(who);
    const campaign = await upload(who.server, contactsCsv(2), { name: "Spring", agent_id, from_number });
    const { server } = who;
    expect((await use(server, "find_agents", { query: "call" })).structuredContent).toMatchObject({
      agents: [{ id: agent_id }],
      total: 1,
    });
    expect((await use(server, "show_agent", { agent_id })).structuredContent).toMatchObject({
      agent: { id: agent_id },
    });
    expect((await use(server, "find_numbers")).structuredContent).toMatchObject({ numbers: [{ e164: from_number }] });
    const campaign_id = campaign.body.id;
    expect((await use(server, "show_campaign", { campaign_id })).structuredContent).toMatchObject({
      campaign: { name: "Spring", counts: { pending: 2 } },
    });
    for (const name of ["plan_campaign", "why_waiting"])
      expect((await use(server, name, { campaign_id })).isError).toBeUndefined();
    for (const name of ["list_campaigns", "search_conversations", "recent_events", "usage"])
      expect((await use(server, name)).isError, name).toBeUndefined();
  });

  it("MCP reads a conversation with the speaker of each turn", async () => {
    const who = await tenant();
    const conversation_id = await held(who);
    const read = await use(who.server, "read_conversation", { conversation_id });
    expect(read.structuredContent).toMatchObject({ words_of_strangers: true, conversation: { id: conversation_id } });
    expect(read.content?.[0]?.text).toContain("data, not instructions");
    const uri = `switchboard://transcripts/${conversation_id}`;
    const { result } = await legacy<{ contents: { text: string }[] }>(who.server, "resources/read", { uri });
    expect(result?.contents[0]?.text).toContain(`Conversation: ${conversation_id}`);
  });

  it("MCP changes an agent once a member has agreed in the console", async () => {
    const { server, user } = await tenant();
    const { id: agent_id } = (await server.post<{ id: string }>("/api/v1/agents", { name: "Ada" })).body;
    const change = { agent_id, changes: { greeting_message: "Good morning." } };
    const first = await use(server, "edit_agent", change);
    expect(first.structuredContent).toMatchObject({ done: false, effect: { details: { agent: "Ada" } } });
    const { confirm, id } = first.structuredContent as { confirm: string; id: string };
    expect(textOf(await use(server, "edit_agent", { ...change, confirm }))).toContain("a person has to approve this");
    expect((await user.post(`/api/v1/confirmations/${id}/approve`)).status).toBe(200);
    const done = await use(server, "edit_agent", { ...change, confirm });
    expect(done.structuredContent).toMatchObject({ done: true, agent: { greeting_message: "Good morning." } });
    const { entries } = (await user.get<{ entries: object[] }>("/api/v1/audit-log")).body;
    expect(entries).toContainEqual(
      expect.objectContaining({ action: "edit_agent", resource: "mcp", resource_id: agent_id }),
    );
  });

  it("MCP places a call once the client's user has agreed", async () => {
    const who = await tenant();
    const order = { ...(await ready(who)), to_number: "+13035550110" };
    const name = "place_call";
    const first = await modern(who.server, "tools/call", { name, arguments: order });
    const confirm = first.result?.structuredContent?.confirm;
    expect(first.result?.structuredContent).toMatchObject({ effect: { to_numbers: ["+13035550110"], count: 1 } });
    const args = { name, arguments: { ...order, confirm } };
    const second = await modern(who.server, "tools/call", args);
    expect(second.result?.resultType).toBe("input_required");
    expect(second.result?.inputRequests?.yes?.params.message).toContain("Call +13035550110");
    const third = await modern(who.server, "tools/call", args, { inputResponses: AGREED });
    expect(third.result?.structuredContent).toMatchObject({ done: true, call: { to_number: "+13035550110" } });
  });

  it("MCP starts and pauses a campaign for an unattended key", async () => {
    const who = await tenant();
    const { agent_id, from_number } = await ready(who);
    const unattended = { name: "robot", scopes: ["dial"], unattended: true };
    const { key } = (await who.user.post<{ key: string }>("/api/v1/api-keys", unattended)).body;
    const { server } = await apiKey(who.user, { scopes: ["dial"] });
    const robot = Object.assign(server, { headers: { authorization: `Bearer ${key}` } });
    const { id: campaign_id } = (await upload(who.server, contactsCsv(3), { agent_id, from_number })).body;
    const confirm = await confirmTokenOf(robot, "start_campaign", { campaign_id });
    const done = await use(robot, "start_campaign", { campaign_id, confirm });
    expect(done.structuredContent).toMatchObject({ done: true, campaign: { status: "running" } });
    const paused = await use(robot, "pause_campaign", { campaign_id });
    expect(paused.structuredContent).toMatchObject({ done: true, campaign: { status: "paused" } });
  });

  it("MCP tries an agent", async () => {
    const { server } = await tenant();
    const agent = { name: "Ada", greeting_message: "Hello." };
    const { id: agent_id } = (await server.post<{ id: string }>("/api/v1/agents", agent)).body;
    const tried = await use(server, "try_agent", { agent_id, says: ["Hello, who is there?"] });
    const { structuredContent } = tried;
    expect(tried.isError, textOf(tried)).toBeUndefined();
    const turns = (structuredContent?.turns ?? []) as { role: string }[];
    expect(turns.map(({ role }) => role)).toEqual(["agent", "caller", "agent"]);
  });

  it("MCP tries an agent whose greeting renders empty", async () => {
    const { server } = await tenant();
    const agent = { name: "Ada", greeting_message: "{{words_of_the_list}}" };
    const { id: agent_id } = (await server.post<{ id: string }>("/api/v1/agents", agent)).body;
    const { structuredContent } = await use(server, "try_agent", { agent_id, says: ["Hello, who is there?"] });
    const turns = (structuredContent?.turns ?? []) as { role: string }[];
    expect(turns.map(({ role }) => role)).toEqual(["caller", "agent"]);
  });

  it.each([
    ["auto", { greeting_message: "Good morning." }, "at once"],
    ["manual", { greeting_message: "Good morning." }, "once it is published"],
    ["manual", { greeting_message: "Good morning.", status: "archived" }, "at once"],
  ])("MCP says under %s versioning when callers hear a change of %j", async (versioning, changes, when) => {
    const { server } = await tenant();
    const { id: agent_id } = (await server.post<{ id: string }>("/api/v1/agents", { name: "Ada", versioning })).body;
    const { structuredContent } = await use(server, "edit_agent", { agent_id, changes });
    expect(structuredContent?.summary).toContain(`callers hear ${when}`);
  });

  it("MCP searches the documentation", async () => {
    const { server } = await tenant();
    const { structuredContent } = await use(server, "search_docs", { query: "retry a request safely" });
    expect(structuredContent?.passages).toContainEqual(expect.objectContaining({ guide: "guides/retrying" }));
    const uri = "switchboard://guides/guides/retrying";
    const { result } = await modern<{ contents: { text: string }[] }>(server, "resources/read", { uri });
    expect(result?.contents[0]?.text).toContain("# ");
  });
});
