import { describe, expect, it } from "vitest";
import { apiKey, type Client, consoleUser, tenant } from "../../support/client.ts";
import { agentPath, newAgent } from "../versions/support.ts";

const FOREIGN = { method: "POST", url: "https://api.vendor.example/notes", body: { note: "{note}" } };
const SCHEMA = { type: "object", properties: { note: { type: "string" } } };

const storageOf = async (client: Client, id: string) =>
  (await client.get<{ storage: string }>(agentPath(id))).body.storage;

/** An account with an agent, and a key that may build and nothing else. */
async function built(fields: Record<string, unknown> = {}) {
  const who = await tenant();
  const { server: builder } = await apiKey(who.user, { scopes: ["build"] });
  return Object.assign(who, { builder, id: await newAgent(who.server, fields) });
}

describe("a key with build alone", () => {
  it("creates agents that store what the default does, or less", async () => {
    const { builder } = await built();
    for (const fields of [{}, { storage: "all" }, { storage: "redacted", redact: ["card"] }, { storage: "metadata" }])
      expect((await builder.post("/api/v1/agents", { name: "a", ...fields })).status).toBe(201);
  });

  it("makes an agent store less, or as much as it does", async () => {
    const { builder, id } = await built();
    for (const fields of [
      { storage: "all" },
      { storage: "redacted", redact: ["card", "iban"] },
      { redact: ["iban", "card", "email"] },
      { storage: "metadata", greeting_message: "Hello" },
    ])
      expect((await builder.patch(agentPath(id), fields)).status, JSON.stringify(fields)).toBe(200);
  });

  it("does not take a kind off the list of what is redacted, whatever the storage", async () => {
    for (const storage of ["all", "redacted", "metadata"]) {
      const { builder, id } = await built({ storage });
      const refused = await builder.patch(agentPath(id), { redact: [], greeting_message: "Hello" });
      expect([refused.status, refused.code]).toEqual([403, "missing_scope"]);
      expect((await builder.get(agentPath(id))).body).toMatchObject({ greeting_message: "" });
    }
  });

  it("learns that an agent does not exist, and nothing of other accounts' agents", async () => {
    const { builder } = await built();
    const other = await built();
    for (const id of [crypto.randomUUID(), other.id])
      expect((await builder.patch(agentPath(id), { storage: "all" })).status).toBe(404);
  });

  it("attaches tools that send nothing, and those it leaves switched off", async () => {
    const { server, builder, id } = await built();
    await server.post("/api/v1/tools", { name: "note", implementation_config: FOREIGN, schema: SCHEMA });
    expect((await builder.put(`${agentPath(id)}/tools`, { tool_name: "spell_back" })).status).toBe(200);
    expect((await builder.put(`${agentPath(id)}/tools`, { tool_name: "note", enabled: false })).status).toBe(200);
    await server.put(`${agentPath(id)}/tools`, { tool_name: "note" });
    const settings = { tool_name: "note", config: { calendar: "front-desk" } };
    expect((await builder.put(`${agentPath(id)}/tools`, settings)).status).toBe(200);
  });

  it("changes a tool with an address while no agent uses it, and then only what is for people", async () => {
    const { server, builder, id } = await built();
    const made = await builder.post("/api/v1/tools", { name: "note", implementation_config: FOREIGN, schema: SCHEMA });
    expect(made.status).toBe(201);
    expect((await builder.put("/api/v1/tools/note", { description: "Writes a note." })).status).toBe(200);
    await server.put(`${agentPath(id)}/tools`, { tool_name: "note" });
    expect((await builder.put("/api/v1/tools/note", { tags: ["notes"] })).status).toBe(200);
    const elsewhere = Object.assign({}, FOREIGN, { url: "https://thief.example/notes" });
    const refused = await builder.put("/api/v1/tools/note", { implementation_config: elsewhere });
    expect([refused.status, refused.code]).toEqual([403, "missing_scope"]);
    await server.put(`${agentPath(id)}/tools`, { tool_name: "note", enabled: false });
    expect((await builder.put("/api/v1/tools/note", { implementation_config: elsewhere })).status).toBe(200);
  });
});

describe("a member with the role builder", () => {
  it("attaches and tries tools that use an integration, and does not loosen what is stored", async () => {
    const { account, id } = await built({ storage: "redacted" });
    const builder = await consoleUser(account, "builder");
    expect((await builder.put(`${agentPath(id)}/tools`, { tool_name: "book_appointment" })).status).toBe(200);
    expect((await builder.post(`${agentPath(id)}/session`)).status).toBe(200);
    const refused = await builder.patch<string>(agentPath(id), { storage: "all" });
    expect(refused.status).toBe(403);
    expect(JSON.stringify(refused.body)).toContain("the scope manage, which the role builder does not have");
  });
});

describe("concurrent changes of what an agent stores", () => {
  it("never end in more than the stricter of them keeps, where nobody may loosen it", async () => {
    const { server, builder, id } = await built();
    for (let round = 0; round < 8; round++) {
      await server.patch(agentPath(id), { storage: "all" });
      const [loose, strict] = await Promise.all([
        builder.patch(agentPath(id), { storage: "redacted", redact: ["card"] }),
        server.patch(agentPath(id), { storage: "metadata" }),
      ]);
      expect(strict.status).toBe(200);
      expect([200, 403]).toContain(loose.status);
      expect(await storageOf(server, id)).toBe("metadata");
      await server.patch(agentPath(id), { storage: "all", redact: ["card", "iban", "email", "phone", "ssn"] });
    }
  });
});
