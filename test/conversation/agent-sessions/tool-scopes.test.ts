import { afterEach, describe, expect, it, vi } from "vitest";
import { vendor } from "../../agent/tools/support.ts";
import { newAgent } from "../../agent/versions/support.ts";
import { apiKey, type Client, tenant } from "../../support/client.ts";
import { runtimeFor } from "../../support/runtime.ts";

afterEach(() => vi.unstubAllGlobals());

const OPEN = { method: "POST", url: "https://api.vendor.example/notes", body: { note: "{note}" } };
const OF_INTEGRATION = Object.assign({}, OPEN, { url: "{{custom_api.base_url}}/notes" });
const SCHEMA = { type: "object", properties: { note: { type: "string" } } };

describe("a tool that starts to use an integration during a test session", () => {
  it("runs only for testers who may use integrations", async () => {
    const who = await tenant();
    const { server } = who;
    await server.post("/api/v1/integrations/custom_api/install", { params: { base_url: "https://acme.example/v1" } });
    await server.post("/api/v1/tools", { name: "note", implementation_config: OPEN, schema: SCHEMA });
    const id = await newAgent(server);
    await server.put(`/api/v1/agents/${id}/tools`, { tool_name: "note" });
    const begin = async (client: Client) => {
      const { status, body } = await client.post<{ access_token: string }>(`/api/v1/agents/${id}/session`);
      expect(status).toBe(200);
      const tester = runtimeFor(who, body.access_token);
      await tester.get("/api/runtime/v1/session");
      const path = "/api/runtime/v1/session/tools/note";
      return async () =>
        (await tester.post<{ ok: boolean; result: unknown }>(path, { arguments: { note: crypto.randomUUID() } })).body;
    };
    const builder = await begin((await apiKey(who.user, { scopes: ["build", "listen"] })).server);
    const owner = await begin(server);
    const requests = vendor(() => Response.json({}));
    expect(await builder()).toMatchObject({ ok: true });
    await server.put("/api/v1/tools/note", { implementation_config: OF_INTEGRATION });
    requests.mockClear();
    expect(await builder()).toMatchObject({
      ok: false,
      result: "the tool requires the scope connect, which the person who tests the agent does not have",
    });
    expect(requests).not.toHaveBeenCalled();
    expect(await owner()).toMatchObject({ ok: true });
  });
});
