import { describe, expect, it } from "vitest";
import { apiKey, type Client, call, consoleUser, tenant } from "../../support/client.ts";
import { agentPath, newAgent } from "../versions/support.ts";

const FOREIGN = { method: "POST", url: "https://api.vendor.example/notes", body: { note: "{note}" } };
const SCHEMA = { type: "object", properties: { note: { type: "string" } } };

const storageOf = async (client: Client, id: string) =>
  (await client.get<{ storage: string }>(agentPath(id))).body.storage;

/** Creates an account with an agent, and a key that has only the scope `build`. */
async function built(fields: Record<string, unknown> = {}) {
  const who = await tenant();
  const { server: builder } = await apiKey(who.user, { scopes: ["build"] });
  return Object.assign(who, { builder, id: await newAgent(who.server, fields) });
}

describe("a key with only build", () => {
  it("can create agents that store as much as the default, or less", async () => {
    const { builder } = await built();
    for (const fields of [{}, { storage: "all" }, { storage: "redacted", redact: ["card"] }, { storage: "metadata" }])
      expect((await builder.post("/api/v1/agents", { name: "a", ...fields })).status).toBe(201);
  });

  it("can make an agent store the same or less", async () => {
    const { builder, id } = await built();
    for (const fields of [
      { storage: "all" },
      { storage: "redacted", redact: ["card", "iban"] },
      { redact: ["iban", "card", "email"] },
      { storage: "metadata", greeting_message: "Hello" },
    ])
      expect((await builder.patch(agentPath(id), fields)).status, JSON.stringify(fields)).toBe(200);
  });

  it("cannot remove a kind from the redacted ones, for any storage", async () => {
    for (const storage of ["all", "redacted", "metadata"]) {
      const { builder, id } = await built({ storage });
      const refused = await builder.patch(agentPath(id), { redact: [], greeting_message: "Hello" });
      expect([refused.status, refused.code]).toEqual([403, "missing_scope"]);
      expect((await builder.get(agentPath(id))).body).toMatchObject({ greeting_message: "" });
    }
  });

  it("cannot remove a redacted kind while making storage stricter, except from none", async () => {
    for (const storage of ["all", "redacted"]) {
      const { builder, id } = await built({ storage });
      const refused = await builder.patch(agentPath(id), { storage: "metadata", redact: ["card"] });
      expect([refused.status, refused.code], storage).toEqual([403, "missing_scope"]);
      expect((await builder.patch(agentPath(id), { storage: "metadata" })).status).toBe(200);
    }
  });

  it("cannot loosen storage by another spelling", async () => {
    const { builder, id } = await built({ storage: "redacted", redact: ["card", "iban"] });
    for (const [fields, status] of [
      [{ redact: null }, 400],
      [{ storage: null }, 400],
      [{ storage: "ALL" }, 400],
      [{ redact: ["card", "card"] }, 403],
      [{ redact: ["iban", "email"] }, 403],
      [{ storage: "redacted", redact: ["email", "iban", "phone"] }, 403],
      [{ versioning: "manual", redact: [] }, 403],
      [{ versioning: "auto", storage: "all" }, 403],
      [{ redact: ["iban", "card"] }, 200],
    ] as const) {
      const answer = await builder.patch(agentPath(id), fields);
      expect([JSON.stringify(fields), answer.status]).toEqual([JSON.stringify(fields), status]);
    }
    expect((await builder.get(agentPath(id))).body).toMatchObject({ storage: "redacted", redact: ["iban", "card"] });
  });

  it("cannot gain by attaching a tool what enabling or ordering it would refuse", async () => {
    const { server, builder, id } = await built();
    const tools = `${agentPath(id)}/tools`;
    const asking = (body: object) => builder.put(tools, body);
    await server.post("/api/v1/tools", { name: "note", implementation_config: FOREIGN, schema: SCHEMA });
    expect((await asking({ tool_name: "note", enabled: false })).status).toBe(200);
    expect((await asking({ tool_name: "note", enabled: true })).status).toBe(403);
    expect((await asking({ tool_name: "note", config: { a: 1 } })).status).toBe(403);
    expect((await asking({ tool_name: "note", enabled: false, config: { a: 1 } })).status).toBe(200);
    await server.put(tools, { tool_name: "note" });
    // The attachments of a deleted tool don't apply to another tool with its name.
    expect((await builder.delete("/api/v1/tools/note")).status).toBeLessThan(300);
    const again = { name: "note", implementation_config: FOREIGN, schema: SCHEMA };
    expect((await builder.post("/api/v1/tools", again)).status).toBe(201);
    expect((await server.get<{ tools: unknown[] }>(tools)).body.tools).toEqual([]);
    expect((await asking({ tool_name: "note" })).status).toBe(403);
  });

  it("cannot change what an enabled tool sends, how often, or for whom", async () => {
    const { server, builder, id } = await built();
    const bind = { note: "call.from_number" };
    const tool = { name: "note", implementation_config: FOREIGN, schema: SCHEMA, bind, effect: "write", max_runs: 1 };
    expect((await server.post("/api/v1/tools", tool)).status).toBe(201);
    await server.put(`${agentPath(id)}/tools`, { tool_name: "note" });
    for (const change of [
      { bind: {} },
      { bind: { note: { from: "call.from_number", unverified: true } } },
      { max_runs: 9 },
      { max_runs: null },
      { effect: "read" },
      { schema: { type: "object", properties: { note: { type: "string" }, more: { type: "string" } } } },
      { implementation_config: { ...FOREIGN, headers: { "x-note": "{note}" } } },
    ]) {
      const refused = await builder.put("/api/v1/tools/note", change);
      expect([JSON.stringify(change), refused.code]).toEqual([JSON.stringify(change), "missing_scope"]);
    }
    expect((await builder.put("/api/v1/tools/note", { bind, max_runs: 1, effect: "write" })).status).toBe(200);
  });

  it("cannot add transfer targets to a manual draft, or get the owner's response by the same Idempotency-Key", async () => {
    const { server, builder, id } = await built({ versioning: "manual" });
    const body = { transfer_targets: [{ label: "Desk", number: "+12025550177" }] };
    expect((await builder.patch(agentPath(id), body)).status).toBe(403);
    const key = crypto.randomUUID();
    const attach = (client: Client) => {
      const headers = Object.assign({ "idempotency-key": key }, client.headers);
      return call("POST", `${agentPath(id)}/tools`, { headers, body: { tool_name: "note" } });
    };
    await server.post("/api/v1/tools", { name: "note", implementation_config: FOREIGN, schema: SCHEMA });
    const tools = `${agentPath(id)}/tools`;
    expect((await attach(server)).status).toBe(200);
    await server.delete(`${tools}/note`);
    expect((await attach(builder)).status).toBe(403);
    expect((await server.get<{ tools: unknown[] }>(tools)).body.tools).toEqual([]);
  });

  it("a key with only build is told that an agent does not exist, and nothing about other accounts' agents", async () => {
    const { builder } = await built();
    const other = await built();
    for (const id of [crypto.randomUUID(), other.id])
      expect((await builder.patch(agentPath(id), { storage: "all" })).status).toBe(404);
  });

  it("can attach tools that send nothing, and tools that stay disabled", async () => {
    const { server, builder, id } = await built();
    await server.post("/api/v1/tools", { name: "note", implementation_config: FOREIGN, schema: SCHEMA });
    expect((await builder.put(`${agentPath(id)}/tools`, { tool_name: "work_out_total" })).status).toBe(200);
    expect((await builder.put(`${agentPath(id)}/tools`, { tool_name: "note", enabled: false })).status).toBe(200);
    await server.put(`${agentPath(id)}/tools`, { tool_name: "note" });
    const settings = { tool_name: "note", config: { calendar: "front-desk" } };
    expect((await builder.put(`${agentPath(id)}/tools`, settings)).status).toBe(200);
  });

  it("can change a tool with an address while no agent uses it, and otherwise only its displayed texts", async () => {
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
  it("can attach and try tools that use an integration, but cannot loosen storage", async () => {
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
  it("never store more than the strictest allows, if the caller may not loosen it", async () => {
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
