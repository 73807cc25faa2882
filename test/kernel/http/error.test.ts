import { describe, expect, it } from "vitest";
import { type Client, call, tenant } from "../../support/client.ts";

const AGENTS = "/api/v1/agents";
const json = { "content-type": "application/json" };
const post = (client: Client, raw: BodyInit, headers: Record<string, string> = json) =>
  client.send("POST", AGENTS, raw, headers);

describe("an error", () => {
  it("an error is a JSON string with a code", async () => {
    const answer = await call("GET", "/nowhere");
    expect([answer.status, answer.body, answer.code]).toEqual([404, "resource not found", "not_found"]);
    expect(answer.headers.get("content-type")).toBe("application/json");
  });

  it.each(["text/html, application/problem+json", "Application/Problem+JSON"])(
    "an error is an RFC 9457 object if Accept asks for it: %s",
    async (accept) => {
      const answer = await call<Record<string, unknown>>("GET", "/nowhere", { headers: { accept } });
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
      expect(answer.body).toMatchObject({ title: "resource not found", status: 404, code: "not_found" });
      expect(answer.body.instance).toBe(`urn:uuid:${answer.headers.get("x-request-id")}`);
    },
  );

  it("carries the request id and the security headers, as every response does", async () => {
    const { server } = await tenant();
    const answers = [
      await call("GET", "/nowhere"),
      await call("GET", AGENTS),
      await call("PUT", AGENTS),
      await call("OPTIONS", AGENTS),
      await call("GET", "/openapi.json"),
      await call("GET", "/docs/nothing"),
      await server.get(AGENTS),
      await post(server, "{"),
    ];
    for (const { headers } of answers) {
      expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    }
    expect(new Set(answers.map(({ headers }) => headers.get("x-request-id"))).size).toBe(answers.length);
  });
});

describe("methods", () => {
  it.each(["PUT", "DELETE", "PATCH"])(
    "a method that is not served is refused, and the allowed ones are named: %s",
    async (method) => {
      const answer = await call(method, AGENTS);
      expect([answer.status, answer.code]).toEqual([405, "method_not_allowed"]);
      expect(answer.headers.get("allow")?.split(", ").sort()).toEqual(["GET", "HEAD", "OPTIONS", "POST"]);
    },
  );

  it("include OPTIONS and HEAD", async () => {
    const { server } = await tenant();
    const options = await call("OPTIONS", `${AGENTS}/${crypto.randomUUID()}`);
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, PATCH, DELETE, HEAD, OPTIONS"]);
    const head = await call("HEAD", AGENTS, { headers: server.headers });
    expect([head.status, head.body]).toEqual([200, ""]);
  });

  it.each([
    "/api",
    "/api/v1/nothing/",
    "/api/v1/agents//",
    "/API/v1/agents",
    "/api/v2/agents",
    "//api/v1/agents",
    "//evil.example/",
    "//evil.example/api/v1/agents/",
    "/hub-api//evil.example/",
  ])("the service does not know the path %s", async (path) => {
    expect((await call("GET", path)).status).toBe(404);
  });
});

describe("a JSON body", () => {
  it.each([
    ["malformed JSON", '{"name": ', "malformed_json"],
    ["text that is not UTF-8", new Uint8Array([0x22, 0xff, 0xfe, 0x22]), "malformed_json"],
    ["an empty body", "", "malformed_json"],
    ["an array", "[]", "invalid_request"],
    ["null", "null", "invalid_request"],
    ["a wrong type", '{"name": 1}', "invalid_request"],
    ["a missing field", "{}", "invalid_request"],
    ["a bad enum", '{"name": "a", "status": "asleep"}', "invalid_request"],
    ["a prototype key", '{"name": "a", "__proto__": {"admin": true}}', "forbidden_key"],
    ["a nested prototype key", '{"name": "a", "x": [{"__proto__": 1}]}', "forbidden_key"],
    ["a nesting bomb", `{"name": ${"[".repeat(50_000)}${"]".repeat(50_000)}}`, "nesting_too_deep"],
  ])("a JSON body is refused for %s", async (_, raw, code) => {
    const { server } = await tenant();
    const answer = await post(server, raw);
    expect([answer.status, answer.code]).toEqual([400, code]);
    expect((await server.get(AGENTS)).body).toEqual([]);
  });

  it("gets an error that names the wrong field", async () => {
    const { server } = await tenant();
    expect((await post(server, "{}")).body).toBe("name is required");
    expect((await post(server, '{"name": " "}')).body).toBe("name: must not be empty");
  });

  it.each([undefined, "text/plain", "application/x-www-form-urlencoded", "application/jsonx"])(
    "a JSON body is refused with the content type %s",
    async (type) => {
      const { server } = await tenant();
      const raw = new TextEncoder().encode('{"name": "a"}');
      const answer = await post(server, raw, type === undefined ? {} : { "content-type": type });
      expect([answer.status, answer.code]).toEqual([400, "unsupported_content_type"]);
    },
  );

  it("may have a charset, a JSON suffix and a byte order mark", async () => {
    const { server } = await tenant();
    for (const type of ["application/json; charset=utf-8", "APPLICATION/JSON", "application/vnd.acme+json"]) {
      expect((await post(server, '\ufeff{"name": "a"}', { "content-type": type })).status).toBe(201);
    }
  });

  it("may have exactly 1 MiB, announced or streamed", async () => {
    const { server } = await tenant();
    // The body is padded with white space, because a text of this size would be refused for its length.
    const body = (size: number) => `{"name": "a"${" ".repeat(size - 14)} }`;
    expect(body(1024 * 1024)).toHaveLength(1024 * 1024);
    expect((await post(server, body(1024 * 1024))).status).toBe(201);
    const tooLarge = await post(server, body(1024 * 1024 + 1));
    expect([tooLarge.status, tooLarge.code]).toEqual([413, "body_too_large"]);
    const stream = new Blob([body(2 * 1024 * 1024)]).stream();
    expect((await post(server, stream)).status).toBe(413);
  });

  it("may have fields that the resource does not have, which are ignored", async () => {
    const { server } = await tenant();
    const id = crypto.randomUUID();
    const created = await server.post<{ id: string }>(AGENTS, { name: "a", id, account: "other", constructor: 1 });
    expect(created.status).toBe(201);
    expect(created.body.id).not.toBe(id);
    expect(created.body).not.toHaveProperty("account");
  });

  it("never gets a 5xx for an odd path, query or header", async () => {
    const { server } = await tenant();
    for (const path of [
      "/api/v1/agents/%00",
      "/api/v1/agents/%E0%A4%A",
      "/api/v1/agents/..%2f",
      "/api/v1/agents?limit=%",
    ]) {
      expect((await server.get(path)).status).toBeLessThan(500);
    }
  });
});

describe("a trailing slash", () => {
  it.each([
    ["GET", "/api/v1/agents/?limit=1", "/api/v1/agents?limit=1"],
    ["POST", "/v1/agents/", "/v1/agents"],
    ["DELETE", "/hub-api/v1/faqs/hours/", "/hub-api/v1/faqs/hours"],
    ["GET", "/api/v1/", "/api/v1"],
    ["GET", "/healthz/", "/healthz"],
  ])("redirects %s %s to %s with the same method", async (method, path, location) => {
    const answer = await call(method, path);
    expect([answer.status, answer.headers.get("location")]).toEqual([308, location]);
  });

  it.each(["/api/v1/nothing/", "/api/v1/agents//", "//evil.example/", "//evil.example/healthz/"])(
    "a trailing slash does not redirect %s",
    async (path) => {
      const answer = await call("GET", path);
      expect([answer.status, answer.headers.get("location")]).toEqual([404, null]);
    },
  );
});

it("the index lists the entry points at the API's own address", async () => {
  const [index, root] = [await call("GET", "/api/v1"), await call("GET", "/")];
  expect([index.status, index.body]).toEqual([200, root.body]);
});
