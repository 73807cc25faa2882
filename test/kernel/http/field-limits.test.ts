import { describe, expect, it } from "vitest";
import { type Answer, type Client, call, tenant } from "../../support/client.ts";
import { runtimeSession } from "../../support/runtime.ts";

const MAX_BYTES = 256 * 1024;
const ADA = { name: "Ada", greeting_message: "", auth_mode: "public", status: "active" };

/** The fields with the longest texts, each with a request that writes one. */
const LONG: [field: string, path: string, body: object][] = [
  ["system_prompt", "/api/v1/agents", ADA],
  ["implementation_code", "/api/v1/tools", { name: "long", implementation_type: "python" }],
  ["content", "/api/v1/playbooks", { name: "long" }],
  ["content", "/api/v1/faqs", { name: "long" }],
];

/** Sends a body whose characters beyond ASCII are escaped, as many clients do. */
function postEscaped(client: Client, path: string, body: object): Promise<Answer<Record<string, unknown>>> {
  const raw = JSON.stringify(body).replaceAll(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return client.send("POST", path, raw, { "content-type": "application/json" });
}

describe("a text field", () => {
  it.each(LONG)(
    "a text field accepts exactly 256 KB of UTF-8, however it is escaped: %s of %s",
    async (field, path, body) => {
      const { server } = await tenant();
      for (const character of ["é", "日", "😀"]) {
        const size = new TextEncoder().encode(character).length;
        const text = character.repeat(Math.floor(MAX_BYTES / size)) + "x".repeat(MAX_BYTES % size);
        const over = await postEscaped(server, path, Object.assign({}, body, { [field]: `${text}x` }));
        expect([over.status, over.body]).toEqual([400, `${field}: must not be larger than 256 KB`]);
        const created = await postEscaped(server, path, Object.assign({}, body, { [field]: text }));
        expect(created.status, JSON.stringify(created.body).slice(0, 200)).toBe(201);
        const read = await server.get<Record<string, unknown>>(`${path}/${created.body.id}`);
        expect(read.body[field] === text, character).toBe(true);
        expect((await server.delete(`${path}/${created.body.id}`)).status).toBeLessThan(300);
      }
    },
  );

  it("a text field that is too long is named in the error wherever it is", async () => {
    const { server } = await tenant();
    const text = "x".repeat(MAX_BYTES + 1);
    const bodyOf = async (path: string, body: object) => (await server.post(path, body)).body;
    expect(await bodyOf("/api/v1/tools", { name: "a", schema: { a: [{ b: text }] } })).toBe(
      "schema.a.0.b: must not be larger than 256 KB",
    );
    expect(await bodyOf("/api/v1/agents", { name: text })).toBe("name: must not be larger than 256 KB");
  });

  it("a text field of the largest size reaches the agent's session and a replayed response", async () => {
    const { server } = await tenant();
    const system_prompt = "é".repeat(MAX_BYTES / 2);
    const headers = Object.assign({ "idempotency-key": "one" }, server.headers);
    const create = () => call<{ id: string }>("POST", "/api/v1/agents", { headers, body: { ...ADA, system_prompt } });
    const [{ body: agent }, again] = [await create(), await create()];
    expect([again.status, again.headers.get("idempotent-replayed"), again.body]).toEqual([201, "true", agent]);
    const { client } = await runtimeSession({ system_prompt });
    const session = await client.get<{ agent: { system_prompt: string } }>("/api/runtime/v1/session");
    expect(session.body.agent.system_prompt === system_prompt).toBe(true);
    expect((await server.patch(`/api/v1/agents/${agent.id}`, { system_prompt: "日".repeat(87_381) })).status).toBe(200);
  });
});

describe("a JSON field", () => {
  it("may have 64 KB, including a playbook's phrases", async () => {
    const { server } = await tenant();
    const refused = await server.post("/api/v1/playbooks", { name: "a", triggers: Array(50).fill("日".repeat(500)) });
    expect([refused.status, refused.body]).toEqual([400, "triggers: must not be larger than 64 KB as JSON"]);
  });
});
