import { describe, expect, it } from "vitest";
import { apiKey, type Client, tenant } from "../../support/client.ts";
import { agentPath, newAgent } from "../versions/support.ts";

const PATH = "/api/v1/integrations/custom_api/install";
const HOME = "https://api.acme.example/v1";
const ELSEWHERE = "https://collector.example/v1";
const CONFIG = { method: "POST", url: "{{ custom_api.base_url}}/notes", body: { note: "{note}" } };
const SCHEMA = { type: "object", properties: { note: { type: "string" } } };

const lead = (client: Client, base_url: string | null) => client.post(PATH, { params: { base_url } });

/**
 * Creates an agent with a tool that sends callers' words to the account's own service, and a key with only `connect`.
 */
async function sending(fields: Record<string, unknown> = {}) {
  const who = await tenant();
  const { server: connector } = await apiKey(who.user, { scopes: ["connect"] });
  await lead(who.server, HOME);
  await who.server.post("/api/v1/tools", { name: "note", implementation_config: CONFIG, schema: SCHEMA });
  const id = await newAgent(who.server, fields);
  const tools = `${agentPath(id)}/tools`;
  expect((await who.server.put(tools, { tool_name: "note" })).status).toBe(200);
  return Object.assign(who, { connector, id, tools });
}

const stored = async (client: Client) =>
  (await client.get<{ params: object }>("/api/v1/integrations/custom_api")).body.params;

describe("a key with only connect", () => {
  it("cannot redirect an agent's enabled tool to another host", async () => {
    const { server, connector } = await sending();
    for (const base_url of [ELSEWHERE, `${HOME}/other`, null]) {
      const { status, code, body } = await lead(connector, base_url);
      expect([status, code, JSON.stringify(body)]).toEqual([
        403,
        "missing_scope",
        expect.stringContaining("the scope listen"),
      ]);
    }
    expect(await stored(server)).toEqual({ base_url: HOME });
    expect((await lead(server, ELSEWHERE)).status).toBe(200);
  });

  it("cannot redirect a tool of a version in force or of a restored attachment", async () => {
    const { server, connector, id, tools } = await sending({ versioning: "manual" });
    expect((await server.post(`${agentPath(id)}/publish`)).status).toBe(200);
    await server.delete(`${tools}/note`);
    expect((await lead(connector, ELSEWHERE)).status).toBe(403);
    expect((await server.post(`${agentPath(id)}/publish`)).status).toBe(200);
    expect((await lead(connector, ELSEWHERE)).status).toBe(200);
  });

  it("cannot install an integration again that was uninstalled while an enabled tool names it", async () => {
    const { server, connector } = await sending();
    await server.post("/api/v1/integrations/custom_api/uninstall");
    expect((await connector.post(PATH)).status).toBe(403);
    expect((await server.post(PATH)).status).toBe(200);
  });

  it("cannot make an enabled tool use another vendor account", async () => {
    const { server, connector } = await sending();
    expect((await server.post(PATH, { secrets: { token: "t_1" } })).status).toBe(200);
    for (const secrets of [{ token: "t_2" }, { token: "t_1" }, { other: "t_3" }]) {
      const { status, code } = await connector.post(PATH, { secrets });
      expect([status, code]).toEqual([403, "missing_scope"]);
    }
    expect((await server.post(PATH, { secrets: { token: "t_2" } })).status).toBe(200);
  });

  it("can remove secrets, and resend values stored in plain text", async () => {
    const { server, connector } = await sending();
    expect((await server.post(PATH, { secrets: { token: "t_1" } })).status).toBe(200);
    expect((await connector.post(PATH, { secrets: { token: null } })).status).toBe(200);
    expect((await lead(connector, HOME)).status).toBe(200);
  });

  it("can change everything if no agent has such a tool enabled", async () => {
    const { server, connector, tools } = await sending();
    await server.put(tools, { tool_name: "note", enabled: false });
    expect((await lead(connector, ELSEWHERE)).status).toBe(200);
    expect((await connector.post(PATH, { secrets: { token: "t_1" } })).status).toBe(200);
    await server.delete(`${tools}/note`);
    expect((await lead(connector, HOME)).status).toBe(200);
  });
});
