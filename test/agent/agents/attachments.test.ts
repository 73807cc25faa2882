import { describe, expect, it } from "vitest";
import { type Client, tenant } from "../../support/client.ts";

interface Agent {
  id: string;
  system_prompt: string;
  active_prompt_id: string;
  faqs: { id: string; name: string }[];
  playbooks: { id: string; name: string; tool_names: string[] }[];
}
const newAgent = async (client: Client) =>
  (await client.post<Agent>("/api/v1/agents", { name: "A", system_prompt: "one" })).body;

describe("an agent's attachments", () => {
  it("include its FAQs and playbooks wherever the agent is shown", async () => {
    const { server } = await tenant();
    const { id } = await newAgent(server);
    const other = await newAgent(server);
    const faq = (await server.post<{ id: string }>("/api/v1/faqs", { name: "hours", title: "Hours?" })).body;
    await server.post("/api/v1/playbooks", { name: "greet", tool_names: ["wave"] });
    expect((await server.post<Agent>(`/api/v1/agents/${id}/faqs`, { faq_id: faq.id })).body.faqs).toMatchObject([
      { name: "hours" },
    ]);
    expect((await server.post<Agent>(`/api/v1/agents/${id}/faqs`, { faq_id: "hours" })).body.faqs).toHaveLength(1);
    const attached = await server.post<Agent>(`/api/v1/agents/${id}/playbooks`, { playbook_id: "greet" });
    expect(attached.body).toMatchObject({
      faqs: [{ id: faq.id }],
      playbooks: [{ name: "greet", tool_names: ["wave"] }],
    });
    const list = (await server.get<Agent[]>("/api/v1/agents")).body;
    expect(list.find((agent) => agent.id === id)).toEqual(attached.body);
    expect(list.find((agent) => agent.id === other.id)).toMatchObject({ faqs: [], playbooks: [] });
    expect((await server.delete(`/api/v1/agents/${id}/faqs/hours`)).status).toBe(204);
    expect((await server.delete(`/api/v1/agents/${id}/faqs/hours`)).status).toBe(404);
    expect((await server.delete(`/api/v1/agents/${id}/playbooks/greet`)).status).toBe(204);
    expect((await server.get<Agent>(`/api/v1/agents/${id}`)).body).toMatchObject({ faqs: [], playbooks: [] });
  });

  it("attaching a tool to an agent creates or updates the attachment", async () => {
    const { server } = await tenant();
    const { id } = await newAgent(server);
    await server.post("/api/v1/tools", { name: "wave" });
    const path = `/api/v1/agents/${id}/tools`;
    expect((await server.post(path, { tool_name: "wave" })).body).toMatchObject({
      agent_id: id,
      enabled: true,
      config: {},
    });
    const changed = await server.put(path, { tool_name: "wave", enabled: false, config: { hand: "left" } });
    expect([changed.status, changed.body]).toMatchObject([200, { enabled: false, config: { hand: "left" } }]);
    expect((await server.get<{ tools: unknown[] }>(path)).body.tools).toEqual([changed.body]);
    expect((await server.delete(`${path}/wave`)).status).toBe(204);
    expect((await server.delete(`${path}/wave`)).status).toBe(404);
  });

  it("include every version of the prompt, and an earlier one can be activated", async () => {
    const { server } = await tenant();
    const { id, active_prompt_id } = await newAgent(server);
    const changed = (await server.patch<Agent>(`/api/v1/agents/${id}`, { system_prompt: "two" })).body;
    expect(changed.active_prompt_id).not.toBe(active_prompt_id);
    expect(
      (await server.patch<Agent>(`/api/v1/agents/${id}`, { system_prompt: "two", name: "B" })).body.active_prompt_id,
    ).toBe(changed.active_prompt_id);
    const { prompts } = (await server.get<{ prompts: Record<string, unknown>[] }>(`/api/v1/agents/${id}/prompts`)).body;
    expect(prompts).toMatchObject([
      { version: 2, system_prompt: "two", active: true },
      { version: 1, system_prompt: "one", active: false },
    ]);
    const back = await server.post<Agent>(`/api/v1/agents/${id}/prompts/${active_prompt_id}/activate`);
    expect(back.body).toMatchObject({ system_prompt: "one", active_prompt_id });
  });
});

describe("an invalid attachment", () => {
  it("answers 404 for an unknown agent, FAQ, playbook or tool, and 400 for a body that names none", async () => {
    const { server } = await tenant();
    const { id } = await newAgent(server);
    const missing = "0190b1a0-0000-7000-8000-000000000000";
    for (const [path, what, body] of [
      ["faqs", "FAQ", { faq_id: "none" }],
      ["playbooks", "playbook", { playbook_id: "none" }],
      ["tools", "tool", { tool_name: "none" }],
    ] as const) {
      const unknown = await server.post(`/api/v1/agents/${id}/${path}`, body);
      expect([unknown.status, unknown.code, unknown.body], path).toEqual([
        404,
        "not_found",
        expect.stringContaining(what),
      ]);
      expect((await server.post(`/api/v1/agents/${missing}/${path}`, body)).status, path).toBe(404);
      expect((await server.post(`/api/v1/agents/${id}/${path}`, {})).status, path).toBe(400);
    }
    expect((await server.post(`/api/v1/agents/${id}/prompts/${missing}/activate`)).status).toBe(404);
  });

  it("answers 404 for an item of another account", async () => {
    const [one, two] = [await tenant(), await tenant()];
    const { id } = await newAgent(one.server);
    const faq = (await two.server.post<{ id: string }>("/api/v1/faqs", { name: "theirs" })).body;
    expect((await one.server.post(`/api/v1/agents/${id}/faqs`, { faq_id: faq.id })).status).toBe(404);
  });
});
