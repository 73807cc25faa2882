import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Client, tenant } from "../../support/client.ts";
import { run, vendor } from "./support.ts";

afterEach(() => vi.unstubAllGlobals());

const URL_ = "https://api.vendor.example/x";
const create = (client: Client, body: object) =>
  client.post<string>("/api/v1/tools", { name: `t_${crypto.randomUUID().slice(0, 8)}`, ...body });

describe("a tool that is created or changed", () => {
  const doubling = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [
      `d${i}`,
      { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
    ]),
  );

  it.each<[string, object, string]>([
    ["an unknown type", { type: "object", properties: { a: { type: "strng" } } }, "properties.a.type: must be one of"],
    ["arguments that are not an object", { type: "array" }, "type: must be object"],
    ["a property that is not a schema", { properties: { a: "text" } }, "properties.a: must be a schema"],
    ["`required` that is not a list", { required: "a" }, "required: must be a list of names"],
    ["a limit that is not a number", { properties: { a: { minimum: "1" } } }, "properties.a.minimum: must be a number"],
    [
      "an invalid pattern",
      { properties: { a: { pattern: "(" } } },
      "properties.a.pattern: is not a supported regular expression",
    ],
    [
      "look-ahead",
      { properties: { a: { pattern: "^(?=a)" } } },
      "properties.a.pattern: is not a supported regular expression",
    ],
    ["a reference to elsewhere", { $ref: "https://evil.example/schema" }, "$ref: must point to a place in this schema"],
    [
      "a reference to nothing",
      { properties: { a: { $ref: "#/$defs/b" } } },
      'properties.a.$ref: "#/$defs/b" points to nothing',
    ],
    ["a choice of nothing", { properties: { a: { enum: [] } } }, "properties.a.enum: must be a list that is not empty"],
    ["a reference round in a circle", { properties: { a: { $ref: "#" } } }, "is circular"],
    ["references that double", { $ref: "#/$defs/d0", $defs: { ...doubling, d40: {} } }, "must not"],
  ])("a tool is refused if its schema has %s", async (_, schema, why) => {
    const { server } = await tenant();
    const answer = await create(server, { schema });
    expect([answer.status, answer.code]).toEqual([400, "invalid_tool"]);
    expect(answer.body).toMatch(/^schema is not a JSON Schema/);
    expect(answer.body).toContain(why);
    await server.post("/api/v1/tools", { name: "mine" });
    expect((await server.put("/api/v1/tools/mine", { schema })).status).toBe(400);
  });

  it.each<[string, object, string]>([
    ["another method", { url: URL_, method: "TRACE" }, "implementation_config.method: must be GET"],
    ["no url", { method: "GET" }, "implementation_config.url is required"],
    [
      "plain http",
      { url: "http://api.vendor.example/" },
      "implementation_config.url: the address must use https:, not http:",
    ],
    ["an own address", { url: "https://switchboard.test/x" }, "implementation_config.url: switchboard.test"],
    ["a private address", { url: "https://127.1/" }, "implementation_config.url: 127.0.0.1"],
    ["credentials", { url: "https://a:b@api.vendor.example/" }, "must not contain credentials"],
    ["a template in the scheme", { url: "{a}://api.vendor.example/" }, "implementation_config.url: must be an address"],
    ["an argument in the host", { url: "https://{a}.vendor.example/" }, "must not have an argument in its host"],
    ["a secret in the host", { url: "https://{{slack.bot_token}}.vendor.example/" }, "the secret slack.bot_token"],
    [
      "a template in the port",
      { url: "https://api.vendor.example:{{slack.channel}}/" },
      "must not have a template in its port",
    ],
    ["dot segments", { url: "https://api.vendor.example/a/%2e./{a}" }, "must not have dot segments"],
    ["a fragment", { url: `${URL_}#{a}` }, "must not have a fragment"],
    [
      "a hop-by-hop header",
      { url: URL_, headers: { "Transfer-Encoding": "x" } },
      "implementation_config.headers.Transfer-Encoding",
    ],
    ["a Host", { url: URL_, headers: { HOST: "x" } }, "implementation_config.headers.HOST"],
    ["an invalid header", { url: URL_, headers: { "a b": "x" } }, "implementation_config.headers.a b"],
    ["too long a wait", { url: URL_, timeout_ms: 10_001 }, "implementation_config.timeout_ms"],
    ["a body of GET", { url: URL_, body: {} }, "implementation_config.body: cannot be sent with GET"],
    ["a body and a form", { url: URL_, method: "POST", body: {}, form: {} }, "implementation_config.form"],
    ["a path that is not a string", { url: URL_, response: { path: 1 } }, "implementation_config.response.path"],
    ["an unknown integration", { url: URL_, query: { a: "{{nobody.x}}" } }, "nobody is not a known integration"],
    ["an unknown secret", { url: URL_, query: { a: "{{slack.nothing}}" } }, "slack.nothing is not a known integration"],
    ["an unknown argument", { url: `${URL_}/{b}`, headers: { x: "{c}" } }, "{b} is not one of the schema's properties"],
    ["a template in a name", { url: URL_, query: { "x{a}": "1" } }, "the name x{a} must not contain a template"],
    ["stray braces", { url: `${URL_}/{{a}}` }, "{{a}} must be {argument} or {{integration.name}}"],
    [
      "braces left open",
      { url: URL_, headers: { x: "Bearer {{slack.bot_token" } },
      "implementation_config.headers.x: must close {{slack.bot_token with }}",
    ],
  ])("a tool is refused with %s, and the error names it", async (_, implementation_config, why) => {
    const { server } = await tenant();
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const answer = await create(server, { implementation_config, schema });
    expect([answer.status, answer.code]).toEqual([400, "invalid_tool"]);
    expect(answer.body).toContain(why);
    await server.post("/api/v1/tools", { name: "mine", schema });
    expect((await server.put("/api/v1/tools/mine", { implementation_config })).status).toBe(400);
  });

  it("an invalid tool is refused with all errors at once", async () => {
    const { server } = await tenant();
    const config = { url: `${URL_}/{b}?a={{nobody.x}}`, method: "HEAD", timeout_ms: 0 };
    const { body } = await create(server, { implementation_config: config, schema: { type: 1 } });
    for (const piece of ["schema is no", "config.method", "config.timeout_ms", "nobody", "{b}"])
      expect(body).toContain(piece);
  });

  it("keeps an invalid configuration stored earlier, and says why it cannot run", async () => {
    const { server, account } = await tenant();
    await server.post("/api/v1/tools", { name: "old" });
    const set = (column: string, value: object) =>
      env.DB.prepare(`UPDATE tools SET ${column} = ? WHERE account = ? AND name = 'old'`)
        .bind(JSON.stringify(value), account)
        .run();
    vendor(() => Response.json({}));
    await set("implementation_config", { method: "SPY", url: "ftp://x" });
    expect((await server.get("/api/v1/tools/old")).status).toBe(200);
    expect((await server.put("/api/v1/tools/old", { description: "still" })).status).toBe(200);
    expect((await run(server, "old")).body).toMatchObject({
      ok: false,
      error: expect.stringContaining("method: must be"),
    });
    await set("implementation_config", { url: "https://10.0.0.1/" });
    expect((await run(server, "old")).body).toMatchObject({ ok: false, error: expect.stringContaining("10.0.0.1") });
    expect((await run(server, "old", {}, { dry_run: true })).body).toMatchObject({ ok: false, response: null });
    await set("schema", { type: "object", properties: { a: { pattern: "(?=a)" } } });
    const answer = await run(server, "old");
    expect([answer.status, String(answer.body)]).toEqual([
      400,
      expect.stringContaining("the tool's schema cannot be used"),
    ]);
  });
});
