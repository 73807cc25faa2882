import { describe, expect, it } from "vitest";
import { newAgent } from "../../agent/versions/support.ts";
import { apiKey, tenant } from "../../support/client.ts";

const SETTINGS = "/api/v1/call-settings";
type Settings = { disclosure: { mode: string; texts: Record<string, string> } };

describe("the account's disclosure", () => {
  it("an account's disclosure is off by default", async () => {
    const { server } = await tenant();
    expect((await server.get<Settings>(SETTINGS)).body.disclosure).toEqual({ mode: "off", texts: {} });
  });

  it("keeps fields that a change omits", async () => {
    const { server } = await tenant();
    const texts = { en: "An AI of {{account_name}}.", de: 'Eine KI, "sagt" sie ]]> & <b>.' };
    await server.patch(SETTINGS, { disclosure: { mode: "calls", texts } });
    const { status, body } = await server.patch<Settings>(SETTINGS, { disclosure: { mode: "everywhere" } });
    expect([status, body.disclosure]).toEqual([200, { mode: "everywhere", texts: { de: texts.de, en: texts.en } }]);
    expect((await server.patch<Settings>(SETTINGS, { disclosure: { texts: {} } })).body.disclosure).toEqual({
      mode: "everywhere",
      texts: {},
    });
    expect((await server.get<Settings>(SETTINGS)).body.disclosure).toEqual({ mode: "everywhere", texts: {} });
  });

  it("names languages by their canonical tags", async () => {
    const { server } = await tenant();
    const { body } = await server.patch<Settings>(SETTINGS, { disclosure: { texts: { "DE-de": "KI" } } });
    expect(body.disclosure.texts).toEqual({ "de-DE": "KI" });
  });

  it.each([
    ["a tag that is not a language", { xx: "AI" }],
    ["an empty tag", { "": "AI" }],
    ["one language twice", { de: "KI", DE: "KI" }],
    ["301 characters", { en: "x".repeat(301) }],
    ["nothing but spaces", { en: "  " }],
    ["a line break", { en: "An\nAI" }],
    ["another placeholder", { en: "An AI, {{first_name}}." }],
    ["a default", { en: "An AI of {{account_name|us}}." }],
    ["an open placeholder", { en: "An AI of {{account_name" }],
    ["a number", { en: 1 }],
  ])("the account's disclosure refuses %s", async (_, texts) => {
    const { server } = await tenant();
    const { status } = await server.patch(SETTINGS, { disclosure: { mode: "calls", texts } });
    expect(status).toBe(400);
    expect((await server.get<Settings>(SETTINGS)).body.disclosure.mode).toBe("off");
  });

  it("refuses a mode that does not exist", async () => {
    const { server } = await tenant();
    expect((await server.patch(SETTINGS, { disclosure: { mode: "sometimes" } })).status).toBe(400);
  });
});

describe("an agent's disclosure", () => {
  type Agent = { disclosure: unknown };

  it("an agent uses its account's disclosure unless it sets its own", async () => {
    const { server } = await tenant();
    const path = `/api/v1/agents/${await newAgent(server)}`;
    expect((await server.get<Agent>(path)).body.disclosure).toBe("account");
    for (const disclosure of ["off", { texts: { en: "I am an AI." } }, "account"]) {
      expect((await server.patch<Agent>(path, { disclosure })).body.disclosure).toEqual(disclosure);
      expect((await server.get<Agent>(path)).body.disclosure).toEqual(disclosure);
    }
  });

  it.each([["on"], [null], [{}], [{ texts: { xx: "AI" } }]])("an agent's disclosure refuses %j", async (disclosure) => {
    const { server } = await tenant();
    const path = `/api/v1/agents/${await newAgent(server)}`;
    expect((await server.patch(path, { disclosure })).status).toBe(400);
  });

  it("an agent's disclosure belongs to no version of the agent", async () => {
    const { server } = await tenant();
    const path = `/api/v1/agents/${await newAgent(server, { versioning: "manual" })}`;
    await server.post(`${path}/publish`);
    await server.patch(path, { disclosure: "off" });
    await server.post(`${path}/versions/1/restore`);
    expect((await server.get<Agent>(path)).body.disclosure).toBe("off");
    expect((await server.get<{ agent: object }>(`${path}/versions/1`)).body.agent).not.toHaveProperty("disclosure");
  });

  it("returns to the account's without the scope manage", async () => {
    const owner = await tenant();
    const path = `/api/v1/agents/${await newAgent(owner.server, { disclosure: "off" })}`;
    const { server: builder } = await apiKey(owner.user, { scopes: ["read", "build"] });
    expect((await builder.patch(path, { disclosure: "off", name: "Desk" })).status).toBe(200);
    expect((await builder.patch(path, { disclosure: { texts: { en: "AI" } } })).status).toBe(403);
    expect((await builder.patch(path, { disclosure: "account" })).status).toBe(200);
    expect((await builder.patch(path, { disclosure: "off" })).status).toBe(403);
    expect((await builder.post("/api/v1/agents", { name: "New", disclosure: "off" })).status).toBe(403);
  });
});
