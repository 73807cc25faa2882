import { describe, expect, it } from "vitest";
import { answering } from "../../phone/inbound/support.ts";
import { tenant } from "../../support/client.ts";
import { agentPath, calls, held, newAgent, tries, type Version, versionsOf, versionsPath } from "./support.ts";

interface Agent {
  id: string;
  status: string;
  greeting_message: string;
  system_prompt: string;
  active_prompt_id: string;
  published_version: number | null;
  faqs: { id: string; content: string }[];
}

describe("versions of an agent", () => {
  it("the first use of an agent's content creates its version, and equal content reuses it", async () => {
    const who = await tenant();
    const id = await newAgent(who.server, { greeting_message: "one" });
    const [unused] = await versionsOf(who.server, id);
    expect(unused).toMatchObject({ number: null, live: true, created_at: null });
    expect((await tries(who, id)).agent.version).toBe(1);
    expect((await tries(who, id)).agent.version).toBe(1);
    await who.server.patch(agentPath(id), { greeting_message: "two" });
    expect((await tries(who, id)).agent.version).toBe(2);
    await who.server.patch(agentPath(id), { greeting_message: "one" });
    expect((await tries(who, id)).agent.version).toBe(1);
    const versions = await versionsOf(who.server, id);
    expect(versions.map(({ number, live }) => ({ number, live }))).toEqual([
      { number: 2, live: false },
      { number: 1, live: true },
    ]);
    expect(versions[1]?.hash).toBe(unused?.hash);
  });

  it("contain the agent's FAQs, playbooks and tools as they were", async () => {
    const who = await tenant();
    const id = await newAgent(who.server, { system_prompt: "Be brief." });
    const faq = (await who.server.post<{ id: string }>("/api/v1/faqs", { name: "hours", content: "9 to 5" })).body;
    await who.server.post(`${agentPath(id)}/faqs`, { faq_id: faq.id });
    await who.server.post("/api/v1/playbooks", { name: "book", content: "# Book" });
    await who.server.post(`${agentPath(id)}/playbooks`, { playbook_id: "book" });
    await who.server.post("/api/v1/tools", { name: "look_up", description: "Looks up." });
    await who.server.put(`${agentPath(id)}/tools`, { tool_name: "look_up", enabled: false, config: { a: 1 } });
    expect((await tries(who, id)).agent.version).toBe(1);
    await who.server.put("/api/v1/faqs/hours", { content: "10 to 6" });
    expect((await tries(who, id)).faqs).toMatchObject([{ content: "10 to 6" }]);
    const { status, body } = await who.server.get(`${versionsPath(id)}/1`);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({
      number: 1,
      live: false,
      agent: {
        system_prompt: "Be brief.",
        faqs: [{ id: faq.id, content: "9 to 5" }],
        playbooks: [{ name: "book", content: "# Book" }],
        tools: [{ name: "look_up", enabled: false, config: { a: 1 } }],
      },
    });
  });

  it("a version is live once it is published under manual versioning", async () => {
    const who = await answering({ greeting_message: "one", versioning: "manual" });
    const id = who.agent_id;
    const published = await who.server.post<Version>(`${agentPath(id)}/publish`, { note: "first" });
    expect(published.status, JSON.stringify(published.body)).toBe(200);
    expect(published.body).toMatchObject({ number: 1, note: "first", live: true });
    await who.server.patch(agentPath(id), { greeting_message: "two" });
    expect((await held(who)).agent).toMatchObject({ version: 1, greeting_message: "one" });
    expect((await tries(who, id)).agent).toMatchObject({ version: 2, greeting_message: "two" });
    expect((await tries(who, id, "live")).agent).toMatchObject({ version: 1, greeting_message: "one" });
    const again = await who.server.post<Version>(`${agentPath(id)}/publish`);
    expect(again.body).toMatchObject({ number: 2, note: null, live: true });
    expect((await held(who)).agent).toMatchObject({ version: 2, greeting_message: "two" });
  });

  it("make a draft agent active when they are published", async () => {
    const { server } = await tenant();
    const id = await newAgent(server, { versioning: "manual" });
    await server.post(`${agentPath(id)}/publish`);
    const { body } = await server.get<Agent>(agentPath(id));
    expect(body).toMatchObject({ status: "active", published_version: 1 });
  });

  it("publishing a published version returns it unchanged", async () => {
    const { server } = await tenant();
    const id = await newAgent(server, { versioning: "manual" });
    const first = await server.post<Version>(`${agentPath(id)}/publish`, { note: "first" });
    const second = await server.post<Version>(`${agentPath(id)}/publish`);
    expect(second.status).toBe(200);
    expect(second.body).toEqual(first.body);
    expect(await versionsOf(server, id)).toEqual([first.body]);
  });

  it("can be restored, with their texts in place of later edits until the item is attached again", async () => {
    const who = await tenant();
    const { server } = who;
    const id = await newAgent(server, { greeting_message: "one", system_prompt: "old" });
    for (const [name, content] of [
      ["hours", "9 to 5"],
      ["parking", "behind the house"],
    ] as const) {
      await server.post("/api/v1/faqs", { name, content });
      await server.post(`${agentPath(id)}/faqs`, { faq_id: name });
    }
    const before = await tries(who, id);
    const [first] = await versionsOf(server, id);
    await server.patch(agentPath(id), { greeting_message: "two", system_prompt: "new" });
    await server.put("/api/v1/faqs/hours", { content: "10 to 6" });
    await server.delete(`${agentPath(id)}/faqs/parking`);
    const restored = await server.post<Agent>(`${versionsPath(id)}/1/restore`);
    expect(restored.status, JSON.stringify(restored.body)).toBe(200);
    expect(restored.body).toMatchObject({ greeting_message: "one", system_prompt: "old" });
    expect(restored.body.faqs.map(({ content }) => content)).toEqual(["9 to 5", "behind the house"]);
    const after = await tries(who, id);
    expect(after).toMatchObject({ agent: before.agent, faqs: before.faqs });
    expect((await versionsOf(server, id)).find(({ live }) => live)).toEqual(first);
    // An unchanged item follows later edits; a restored one does not.
    await server.put("/api/v1/faqs/parking", { content: "nowhere" });
    await server.put("/api/v1/faqs/hours", { content: "never" });
    expect((await tries(who, id)).faqs.map(({ content }) => content)).toEqual(["9 to 5", "nowhere"]);
    await server.post(`${agentPath(id)}/faqs`, { faq_id: "hours" });
    expect((await tries(who, id)).faqs.map(({ content }) => content)).toEqual(["never", "nowhere"]);
  });

  it("restore what was deleted since, under its id", async () => {
    const who = await tenant();
    const { server } = who;
    const id = await newAgent(server);
    const faq = (await server.post<{ id: string }>("/api/v1/faqs", { name: "hours", content: "9 to 5" })).body.id;
    await server.post(`${agentPath(id)}/faqs`, { faq_id: faq });
    await server.post("/api/v1/tools", { name: "look_up", description: "Looks up." });
    await server.put(`${agentPath(id)}/tools`, { tool_name: "look_up" });
    await server.post("/api/v1/playbooks", { name: "book" });
    await server.post(`${agentPath(id)}/playbooks`, { playbook_id: "book" });
    const before = await tries(who, id);
    await server.delete("/api/v1/faqs/hours");
    await server.delete("/api/v1/tools/look_up");
    await server.delete("/api/v1/playbooks/book");
    const restored = await server.post<Agent>(`${versionsPath(id)}/1/restore`);
    expect(restored.status, JSON.stringify(restored.body)).toBe(200);
    expect(restored.body.faqs).toMatchObject([{ id: faq, content: "9 to 5" }]);
    expect(await tries(who, id)).toMatchObject({ agent: { version: 1 }, faqs: before.faqs, tools: before.tools });
  });

  it("can be compared", async () => {
    const who = await tenant();
    const { server } = who;
    const id = await newAgent(server, { greeting_message: "one" });
    await server.post("/api/v1/faqs", { name: "hours", content: "9 to 5" });
    await server.post(`${agentPath(id)}/faqs`, { faq_id: "hours" });
    await tries(who, id);
    await server.patch(agentPath(id), { greeting_message: "two" });
    await server.put("/api/v1/faqs/hours", { content: "10 to 6" });
    await server.put(`${agentPath(id)}/tools`, { tool_name: "send_sms" });
    const { body } = await server.get<{ changes: unknown[] }>(`${versionsPath(id)}/1/diff/draft`);
    expect(body.changes).toEqual([
      { field: "greeting_message", old: "one", new: "two" },
      { field: "tools.send_sms", old: null, new: expect.objectContaining({ name: "send_sms", enabled: true }) },
      { field: "faqs.hours.content", old: "9 to 5", new: "10 to 6" },
    ]);
    expect((await server.get<{ changes: unknown[] }>(`${versionsPath(id)}/1/diff/1`)).body.changes).toEqual([]);
  });

  it("a conversation, its call and their lists show the agent's version", async () => {
    const who = await answering({ greeting_message: "one" });
    await held(who);
    const { client, call_id } = await calls(who, "+13035550107");
    const { body } = await client.get<{ session_id: string }>("/api/runtime/v1/session");
    const listed = async (path: string) => (await who.server.get(path)).body;
    await expect.poll(() => listed(`/api/v1/conversations/${body.session_id}`)).toMatchObject({ agent_version: 1 });
    await expect.poll(() => listed(`/api/v1/calls/${call_id}`)).toMatchObject({ agent_version: 1 });
  });
});
