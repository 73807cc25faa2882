import { describe, expect, it } from "vitest";
import { answering } from "../../phone/inbound/support.ts";
import { apiKey, tenant } from "../../support/client.ts";
import { agentPath, held, newAgent, tries, versionsPath } from "./support.ts";

const TARGETS = [{ label: "Front desk", number: "+12025550177" }];

describe("publishing or restoring a version", () => {
  it("requires the scope for what it changes", async () => {
    const who = await tenant();
    const { server, user } = who;
    const id = await newAgent(server, {
      transfer_targets: TARGETS,
      storage: "all",
      versioning: "manual",
    });
    const { server: builder } = await apiKey(user, { scopes: ["build"] });
    const first = await builder.post(`${agentPath(id)}/publish`);
    expect([first.status, first.code]).toEqual([403, "missing_scope"]);
    expect((await server.post(`${agentPath(id)}/publish`)).status).toBe(200);
    expect((await builder.post(`${agentPath(id)}/publish`)).status).toBe(200);
    await server.patch(agentPath(id), { transfer_targets: [], storage: "metadata" });
    await server.post(`${agentPath(id)}/publish`);
    for (const [scopes, missing] of [
      [["build", "manage"], "dial"],
      [["build", "dial"], "manage"],
    ] as const) {
      const { server: key } = await apiKey(user, { scopes: [...scopes] });
      const refused = await key.post<string>(`${versionsPath(id)}/1/restore`);
      expect(refused.status).toBe(403);
      expect(JSON.stringify(refused.body)).toContain(missing);
    }
    const { server: both } = await apiKey(user, { scopes: ["build", "dial", "manage"] });
    expect((await both.post(`${versionsPath(id)}/1/restore`)).status).toBe(200);
  });

  it("requires `connect` if a tool that names an integration is restored", async () => {
    const who = await tenant();
    const { server, user } = who;
    const id = await newAgent(server);
    const config = { integration: "slack", method: "GET", url: "https://slack.com/api/api.test" };
    const made = await server.post("/api/v1/tools", {
      name: "ask_slack",
      implementation_type: "http",
      implementation_config: config,
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    await server.put(`${agentPath(id)}/tools`, { tool_name: "ask_slack" });
    await tries(who, id);
    await server.delete(`${agentPath(id)}/tools/ask_slack`);
    const { server: builder } = await apiKey(user, { scopes: ["build"] });
    const refused = await builder.post<string>(`${versionsPath(id)}/1/restore`);
    expect(refused.status).toBe(403);
    expect(JSON.stringify(refused.body)).toContain("connect");
    expect((await server.post(`${versionsPath(id)}/1/restore`)).status).toBe(200);
  });

  it("requires `connect` to restore a deleted tool that names an integration, even if it was disabled", async () => {
    const who = await tenant();
    const { server, user } = who;
    const id = await newAgent(server);
    await server.post("/api/v1/tools", {
      name: "ask_slack",
      implementation_type: "http",
      implementation_config: { integration: "slack", method: "GET", url: "https://slack.com/api/api.test" },
    });
    await server.put(`${agentPath(id)}/tools`, { tool_name: "ask_slack", enabled: false });
    await tries(who, id);
    await server.delete("/api/v1/tools/ask_slack");
    const { server: builder } = await apiKey(user, { scopes: ["build"] });
    expect((await builder.post(`${versionsPath(id)}/1/restore`)).code).toBe("missing_scope");
    expect((await server.get("/api/v1/tools/ask_slack")).status).toBe(404);
    expect((await server.post(`${versionsPath(id)}/1/restore`)).status).toBe(200);
  });

  it("cannot attach what none of the key's agents has", async () => {
    const who = await tenant();
    const { server, user } = who;
    const [id, other] = [await newAgent(server), await newAgent(server)];
    await server.post("/api/v1/faqs", { name: "hours", content: "9 to 5" });
    await server.post(`${agentPath(id)}/faqs`, { faq_id: "hours" });
    await tries(who, id);
    await server.delete(`${agentPath(id)}/faqs/hours`);
    const { server: key } = await apiKey(user, { scopes: ["build"], agent_ids: [id] });
    expect((await key.post(`${versionsPath(id)}/1/restore`)).code).toBe("agent_not_allowed");
    expect((await key.get("/api/v1/faqs/hours")).status).toBe(404);
    const { server: both } = await apiKey(user, { scopes: ["build"], agent_ids: [id, other] });
    await server.post(`${agentPath(other)}/faqs`, { faq_id: "hours" });
    expect((await both.post(`${versionsPath(id)}/1/restore`)).status).toBe(200);
  });

  it("cannot be replaced by switching versioning without the scopes", async () => {
    const who = await tenant();
    const id = await newAgent(who.server, { transfer_targets: TARGETS });
    await who.server.post(`${agentPath(id)}/publish`);
    await who.server.patch(agentPath(id), { transfer_targets: [] });
    const { server: builder } = await apiKey(who.user, { scopes: ["build"] });
    expect((await builder.patch(agentPath(id), { versioning: "manual" })).code).toBe("missing_scope");
    expect((await who.server.patch(agentPath(id), { versioning: "manual" })).status).toBe(200);
  });

  it("publishing or restoring a version is refused to a key for other agents", async () => {
    const who = await tenant();
    const [own, other] = [await newAgent(who.server), await newAgent(who.server)];
    const { server: key } = await apiKey(who.user, { scopes: ["read", "build"], agent_ids: [own] });
    expect((await key.post(`${agentPath(own)}/publish`)).status).toBe(200);
    for (const path of [versionsPath(other), `${versionsPath(other)}/1`])
      expect((await key.get(path)).status, path).toBe(404);
    expect((await key.post(`${agentPath(other)}/publish`)).status).toBe(404);
  });
});

describe("a version that is not in force", () => {
  it("a version that is not in force is tried with no more authority than the one in force", async () => {
    const who = await tenant();
    const { server } = who;
    const id = await newAgent(server, { transfer_targets: TARGETS, greeting_message: "one" });
    await server.put(`${agentPath(id)}/tools`, { tool_name: "send_sms" });
    await server.post("/api/v1/tools", { name: "look_up", description: "old" });
    await server.put(`${agentPath(id)}/tools`, { tool_name: "look_up" });
    await tries(who, id);
    await server.patch(agentPath(id), {
      transfer_targets: [],
      storage: "redacted",
      redact: ["card"],
      greeting_message: "two",
    });
    await server.delete(`${agentPath(id)}/tools/send_sms`);
    await server.put("/api/v1/tools/look_up", { description: "new" });
    const pinned = await tries(who, id, 1);
    expect(pinned.agent).toMatchObject({
      version: 1,
      greeting_message: "one",
      transfer_targets: [],
      storage: "redacted",
      redact: ["card"],
    });
    const names = [...pinned.tools, ...pinned.unavailable_tools].map(({ name }) => name);
    expect(names).toEqual(["look_up"]);
    expect(pinned.tools).toMatchObject([{ name: "look_up", description: "old" }]);
  });
});

describe("a draft under manual versioning", () => {
  it("changes nothing that is live", async () => {
    const who = await answering({ greeting_message: "one", transfer_targets: TARGETS });
    const id = who.agent_id;
    await who.server.post("/api/v1/faqs", { name: "hours", content: "9 to 5" });
    await who.server.post(`${agentPath(id)}/faqs`, { faq_id: "hours" });
    await who.server.post("/api/v1/tools", { name: "look_up", description: "old" });
    await who.server.put(`${agentPath(id)}/tools`, { tool_name: "look_up" });
    await who.server.patch(agentPath(id), { versioning: "manual" });
    await who.server.post(`${agentPath(id)}/publish`);
    const before = await held(who, "+13035550101");
    await who.server.patch(agentPath(id), { greeting_message: "two", transfer_targets: [], storage: "metadata" });
    await who.server.put("/api/v1/faqs/hours", { content: "10 to 6" });
    await who.server.put("/api/v1/tools/look_up", { description: "new" });
    await who.server.delete(`${agentPath(id)}/tools/look_up`);
    await who.server.post(`${agentPath(id)}/faqs`, { faq_id: "opening_hours" });
    const { agent, faqs, tools } = await held(who, "+13035550102");
    expect({ agent, faqs, tools }).toEqual({ agent: before.agent, faqs: before.faqs, tools: before.tools });
  });
});
