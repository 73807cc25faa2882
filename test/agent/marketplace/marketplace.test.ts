import { describe, expect, it } from "vitest";
import { tenant } from "../../support/client.ts";

interface Template {
  id: string;
  name: string;
  category: string;
  kb_count: number;
  tool_count: number;
  knowledge_items: unknown[];
  playbooks: { name: string }[];
  tools: { name: string }[];
  system_prompt: string;
  [field: string]: unknown;
}
interface Page {
  agents: Template[];
  total: number;
}

describe("the marketplace", () => {
  it("lists the categories with the right count of templates", async () => {
    const { server } = await tenant();
    const { categories } = (
      await server.get<{ categories: { category: string; count: number }[] }>("/api/v1/marketplace/categories")
    ).body;
    expect(categories.map(({ category }) => category)).toEqual(["custom", "customer_support", "operations", "sales"]);
    for (const { category, count } of categories) {
      expect((await server.get<Page>(`/api/v1/marketplace/agents?category=${category}`)).body.total).toBe(count);
    }
  });

  it("searches templates by name literally, ignoring case", async () => {
    const { server } = await tenant();
    const all = (await server.get<Page>("/api/v1/marketplace/agents?limit=100")).body;
    expect(all.total).toBeGreaterThanOrEqual(16);
    const [first] = all.agents;
    const found = (
      await server.get<Page>(`/api/v1/marketplace/agents?search=${encodeURIComponent(first?.name.toUpperCase() ?? "")}`)
    ).body;
    expect(found.agents.map(({ id }) => id)).toContain(first?.id);
    expect((await server.get<Page>("/api/v1/marketplace/agents?search=%25")).body.total).toBeLessThan(all.total);
  });

  it("shows a full record with the right counts", async () => {
    const { server } = await tenant();
    const [first] = (await server.get<Page>("/api/v1/marketplace/agents")).body.agents;
    const { body } = await server.get<Template>(`/api/v1/marketplace/agents/${first?.id}`);
    expect(body).toEqual(first);
    expect(body.kb_count).toBe(body.knowledge_items.length);
    expect(body.tool_count).toBe(body.tools.length);
    expect(Object.keys(body).sort()).toEqual(
      "agent_id author category created_at description greeting_message icon id kb_count knowledge_items llm_model name playbooks system_prompt tags tests tool_count tools version voice_id voice_provider".split(
        " ",
      ),
    );
  });

  it("installs repeatedly, each time as another agent, without duplicating playbooks", async () => {
    const { server } = await tenant();
    const [template] = (await server.get<Page>("/api/v1/marketplace/agents")).body.agents;
    const playbooks = async () => (await server.get<{ total: number }>("/api/v1/playbooks")).body.total;
    const before = await playbooks();
    const path = `/api/v1/marketplace/agents/${template?.id}/install`;
    const json = { "content-type": "application/json" };
    const installs = [
      await server.post<{ agent_id: string }>(path),
      await server.send<{ agent_id: string }>("POST", path, "", json),
      await server.post<{ agent_id: string }>(path, { name: "Mine" }),
    ];
    expect(installs.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(installs.map(({ body }) => body.agent_id)).size).toBe(3);
    expect(await playbooks()).toBe(before);
  });

  it("installs everything the template names, under the requested name", async () => {
    const { server } = await tenant();
    const [template] = (await server.get<Page>("/api/v1/marketplace/agents")).body.agents;
    const path = `/api/v1/marketplace/agents/${template?.id}/install`;
    const { body } = await server.post<{ agent_id: string; name: string }>(path, { name: "Mine" });
    expect(body.name).toBe("Mine");
    const agent = (await server.get<Record<string, unknown>>(`/api/v1/agents/${body.agent_id}`)).body;
    expect(agent).toMatchObject({ name: "Mine", template_id: template?.id, system_prompt: template?.system_prompt });
    expect((agent.faqs as unknown[]).length).toBe(template?.kb_count);
    expect((agent.playbooks as { name: string }[]).map(({ name }) => name).sort()).toEqual(
      template?.playbooks.map(({ name }) => name).sort(),
    );
    const { tools } = (await server.get<{ tools: { tool_name: string }[] }>(`/api/v1/agents/${body.agent_id}/tools`))
      .body;
    expect(tools.map(({ tool_name }) => tool_name).sort()).toEqual(template?.tools.map(({ name }) => name).sort());
    const { prompts } = (await server.get<{ prompts: unknown[] }>(`/api/v1/agents/${body.agent_id}/prompts`)).body;
    expect(prompts).toMatchObject([{ version: 1, active: true }]);
  });

  it("uses a new agent's defaults for fields that the template omits", async () => {
    const { server } = await tenant();
    const [template] = (await server.get<Page>("/api/v1/marketplace/agents")).body.agents;
    const { body } = await server.post<{ agent_id: string }>(`/api/v1/marketplace/agents/${template?.id}/install`);
    const installed = (await server.get<Record<string, unknown>>(`/api/v1/agents/${body.agent_id}`)).body;
    const created = (await server.post<Record<string, unknown>>("/api/v1/agents", { name: "Plain" })).body;
    const omittedFields = (agent: Record<string, unknown>) =>
      ["status", "greeting_mode", "auth_mode", "noise_suppression_enabled", "ringing_enabled"]
        .concat(["background_audio_enabled", "background_audio_volume"])
        .map((field) => [field, agent[field]]);
    expect(omittedFields(installed)).toEqual(omittedFields(created));
  });
});

describe("the marketplace", () => {
  it("answers 404 for an unknown template, and creates nothing", async () => {
    const { server } = await tenant();
    const missing = "/api/v1/marketplace/agents/0190b1a0-0000-7000-8000-000000000000";
    expect((await server.get(missing)).status).toBe(404);
    expect((await server.post(`${missing}/install`)).status).toBe(404);
    expect((await server.get("/api/v1/marketplace/agents/x")).status).toBe(404);
    expect((await server.get<unknown[]>("/api/v1/agents")).body).toEqual([]);
    expect((await server.get("/api/v1/marketplace/agents?limit=0")).status).toBe(400);
  });
});
