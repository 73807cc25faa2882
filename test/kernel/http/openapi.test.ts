import { describe, expect, it } from "vitest";
import { app } from "../../../src/app.ts";
import { EVENTS } from "../../../src/campaign/streams-contract.ts";
import { TAGS } from "../../../src/kernel/http/tags.ts";
import { EVENTS as CONVERSATION_EVENTS } from "../../../src/records/conversations/contract.ts";
import { call, tenant } from "../../support/client.ts";

type Json = Record<string, unknown>;
interface Media {
  schema: Json;
  encoding?: Json;
}
interface Answer {
  $ref?: string;
  description?: string;
  headers?: Record<string, Json>;
  content?: Record<string, Media>;
}
interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, []>[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Answer>;
  parameters?: { $ref?: string; name: string; in: string; required?: boolean; schema: Json }[];
}
interface Document {
  openapi: string;
  info: { version: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, Json>>;
}

const contentOf = ({ responses }: Operation) => responses["200"]?.content ?? {};

const document = async () => (await call<Document>("GET", "/openapi.json")).body;

async function operations() {
  return Object.entries((await document()).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, name: `${method} ${path}`, operation })),
  );
}

async function operation(operationId: string): Promise<Operation> {
  const found = (await operations()).find(({ operation }) => operation.operationId === operationId);
  if (!found) throw new Error(`no operation ${operationId}`);
  return found.operation;
}

interface ObjectSchema {
  properties: Record<string, Json>;
  required: string[];
  anyOf: { $ref: string }[];
  description: string;
}
async function schema(name: string): Promise<ObjectSchema> {
  const found = (await document()).components.schemas?.[name];
  if (!found) throw new Error(`no schema ${name}`);
  return found as unknown as ObjectSchema;
}

/** Returns the full response if an operation only refers to it. */
const resolve = ({ components }: Document, answer: Answer): Answer =>
  answer.$ref ? (components.responses?.[answer.$ref.split("/").at(-1) ?? ""] as Answer) : answer;

/** Yields every object in the document with its path. */
function* objects(value: unknown, path: string[] = []): Generator<{ path: string[]; object: Json }> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield { path, object: value as Json };
  for (const [key, child] of Object.entries(value)) yield* objects(child, [...path, key]);
}

describe("the OpenAPI document", () => {
  it("describes this version, both mounts and every way to sign in", async () => {
    const { openapi, info, servers, components } = await document();
    expect([openapi, info.version]).toEqual(["3.1.0", "0.3.0"]);
    expect(servers.map(({ url }) => url)).toEqual(["/", "/hub-api"]);
    expect(Object.keys(components.securitySchemes ?? {}).sort()).toEqual([
      "apiKey",
      "console",
      "operatorToken",
      "session",
      "visitorToken",
    ]);
  });

  it("describes every mounted endpoint and no other", async () => {
    const mounted = app.routes
      // OpenAPI cannot describe WebSockets.
      .filter(({ method, path }) => method !== "ALL" && path !== "/openapi.json" && !path.startsWith("/runtime"))
      .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)(\{[^}]*\})?/g, "{$1}")}`);
    expect((await operations()).map(({ name }) => name).sort()).toEqual([...new Set(mounted)].sort());
  });

  it("describes each operation's input, response and errors", async () => {
    for (const { path, name, operation } of await operations()) {
      expect(operation.tags, name).toHaveLength(1);
      expect(Object.keys(operation.responses), name).toContain("500");
      const parameters = operation.parameters?.filter((p) => p.in === "path").map((p) => `{${p.name}}`) ?? [];
      expect(parameters.sort(), name).toEqual((path.match(/\{\w+\}/g) ?? []).sort());
      if (operation.security.length > 0) {
        expect(Object.keys(operation.responses), name).toEqual(expect.arrayContaining(["400", "401", "403", "429"]));
      }
    }
  });

  it("has a description for every operation and tag, and no tag without an operation", async () => {
    const { tags } = await document();
    const all = await operations();
    for (const { name, operation } of all) {
      expect(operation.summary, name).toMatch(/^[A-Z].{8,}/);
      expect(operation.description, name).toMatch(/^[A-Z`].{10,}/s);
      expect(operation.description, name).not.toBe(operation.summary);
    }
    for (const { name, description } of tags) expect(description, name).toMatch(/^[A-Z].{10,}\.$/);
    expect(tags.map(({ name }) => name)).toEqual(Object.keys(TAGS));
    expect(tags.map(({ name }) => name).sort()).toEqual(
      [...new Set(all.flatMap(({ operation }) => operation.tags))].sort(),
    );
  });

  it("the OpenAPI document is shown at /docs without resources from other hosts", async () => {
    const page = await call<string>("GET", "/docs");
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(page.headers.get("content-security-policy")).toMatch(/script-src 'self';/);
    expect(page.body).not.toMatch(/https?:\/\//);
    expect(page.body).not.toMatch(/<script(?![^>]*src=)/);
  });
});

describe("the OpenAPI document for generated clients", () => {
  it("names each operation once, by what it does", async () => {
    const all = await operations();
    const ids = all.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]+$/);
    expect(ids).toEqual(
      expect.arrayContaining([
        "listAgents",
        "createAgent",
        "getAgent",
        "updateAgent",
        "deleteAgent",
        "attachAgentFaq",
        "getCallLimits",
        "listDoNotCall",
        "addDoNotCall",
        "createGuestSession",
        "listAuditEntries",
        "updateTool",
        "getWidgetSettings",
        "listPhoneNumbers",
        "hangUpCall",
        "streamCampaignEvents",
        "getCampaignPlan",
      ]),
    );
  });

  it("names exactly the operations that return a list list…", async () => {
    const { components } = await document();
    for (const { name, operation } of await operations()) {
      const ref = operation.responses["200"]?.content?.["application/json"]?.schema.$ref;
      const schema = components.schemas?.[String(ref).split("/").at(-1) ?? ""];
      const { type, properties = {} } = (schema ?? {}) as { type?: string; properties?: Record<string, Json> };
      const gives = type === "array" || ("total" in properties && name.startsWith("get"));
      const lists = /^list[A-Z]/.test(operation.operationId);
      if (gives) expect(lists, `${name} ${operation.operationId}`).toBe(true);
      if (lists) expect(Object.values(properties).some((p) => p.type === "array") || gives, name).toBe(true);
    }
  });

  it("has a named schema for every JSON body", async () => {
    const whole = await document();
    for (const { name, operation } of await operations()) {
      const { "application/octet-stream": _file, ...bodies } = operation.requestBody?.content ?? {};
      for (const { schema } of Object.values(bodies))
        expect(schema, name).toEqual({ $ref: expect.stringMatching(/^#\/components\/schemas\/\w+$/) });
      for (const answer of Object.values(operation.responses)) {
        for (const [type, { schema }] of Object.entries(resolve(whole, answer).content ?? {})) {
          if (type.includes("json") && type !== "application/x-ndjson")
            expect(schema, name).toEqual({ $ref: expect.stringMatching(/^#\/components\/schemas\/\w+$/) });
        }
      }
    }
  });

  it("has no broken references", async () => {
    const whole = await document();
    for (const { path, object } of objects(whole)) {
      if (typeof object.$ref !== "string") continue;
      const found = object.$ref
        .slice(2)
        .split("/")
        .reduce<unknown>((at, key) => (at as Json)?.[key], whole);
      expect(found, path.join("/")).toBeDefined();
    }
  });

  it("describes a body's defaults in words, because generators treat a field with a default as required", async () => {
    const { components } = await document();
    for (const { path, object } of objects(components.schemas)) {
      if (path.at(-1) !== "properties") expect(object, path.join("/")).not.toHaveProperty("default");
    }
    const { properties, required } = await schema("CreateAgentRequest");
    expect(required).toEqual(["name"]);
    expect(properties.category?.description).toMatch(/ Default: `"custom"`\.$/);
    expect(properties.background_audio_volume?.description).toMatch(/ Default: `0\.5`\.$/);
  });

  it("has only keys of the specification", async () => {
    const { paths, components } = await document();
    const standard = "tags summary description operationId parameters requestBody responses security";
    const expected = {
      operation: `${standard} x-scope x-scope-if-named x-operator-scopes`.split(" "),
      parameter: "name in description required schema example style explode".split(" "),
      answer: "$ref description headers content".split(" "),
      media: "schema encoding example examples".split(" "),
    };
    const check = (kind: keyof typeof expected, value: object, where: string) =>
      expect(
        Object.keys(value).filter((key) => !expected[kind].includes(key)),
        `${kind} of ${where}`,
      ).toEqual([]);
    for (const [path, methods] of Object.entries(paths)) {
      for (const operation of Object.values(methods)) {
        check("operation", operation, path);
        for (const parameter of operation.parameters ?? [])
          if (!parameter.$ref) check("parameter", parameter, `${path} ${parameter.name}`);
        for (const media of Object.values(operation.requestBody?.content ?? {})) check("media", media, path);
        for (const answer of Object.values(operation.responses)) {
          check("answer", answer, path);
          for (const media of Object.values(answer.content ?? {})) check("media", media, path);
        }
      }
    }
    expect(Object.keys(components).sort()).toEqual([
      "headers",
      "parameters",
      "responses",
      "schemas",
      "securitySchemes",
    ]);
  });
});

describe("the OpenAPI document", () => {
  it("documents the request id on every response, the code on every error, Retry-After on every 429", async () => {
    const whole = await document();
    for (const { name, operation } of await operations()) {
      for (const [status, answer] of Object.entries(operation.responses)) {
        const { headers } = resolve(whole, answer);
        expect(headers?.["x-request-id"], `${name} ${status}`).toEqual({ $ref: "#/components/headers/RequestId" });
        if (Number(status) >= 400)
          expect(headers?.["x-error-code"], `${name} ${status}`).toEqual({ $ref: "#/components/headers/ErrorCode" });
        if (status === "429")
          expect(headers?.["Retry-After"], `${name} ${status}`).toEqual({ $ref: "#/components/headers/RetryAfter" });
      }
    }
  });

  it("documents that carriers send forms and JSON, and receive XML or JSON", async () => {
    for (const id of ["receiveCallWebhook", "answerInboundCall"]) {
      const { requestBody, responses } = await operation(id);
      expect(Object.keys(requestBody?.content ?? {})).toEqual([
        "application/x-www-form-urlencoded",
        "application/json",
      ]);
      expect(Object.keys(responses["200"]?.content ?? {})).toEqual(["application/xml", "application/json"]);
      expect(responses).toHaveProperty("204");
    }
  });

  it.each([
    ["streamCampaignEvents", "CampaignEvent", EVENTS, "ContactOriginatedEvent"],
    ["streamConversationEvents", "ConversationStreamEvent", CONVERSATION_EVENTS, "ConversationAgentTurnEvent"],
  ])(
    "the OpenAPI document has a schema for every kind of event in %s, and the header to resume with",
    async (id, union, events, one) => {
      const { parameters = [], responses } = await operation(id);
      expect(parameters.find(({ name }) => name === "Last-Event-ID")).toMatchObject({ in: "header", required: false });
      const stream = responses["200"]?.content?.["text/event-stream"];
      expect(stream?.schema).toEqual({ $ref: `#/components/schemas/${union}` });
      const { anyOf, description } = await schema(union);
      const names = anyOf.map(({ $ref }) => $ref.split("/").at(-1));
      expect(names).toHaveLength(Object.keys(events).length);
      expect(names).toContain(one);
      for (const name of Object.keys(events)) expect(description).toContain(`\`${name}\``);
    },
  );

  it("describes the status of a contact", async () => {
    expect((await schema("ContactOriginatedEvent")).properties.status).toMatchObject({ enum: ["originated"] });
  });

  it("documents audio, whole or in part", async () => {
    const { parameters = [], responses } = await operation("playRecording");
    expect(parameters.filter((p) => p.in === "header").map(({ name }) => name)).toEqual(["Range", "If-Range"]);
    for (const status of ["200", "206"]) {
      expect(responses[status]?.headers).toHaveProperty("Content-Range");
      for (const type of ["audio/mpeg", "audio/wav"])
        expect(responses[status]?.content?.[type]).toEqual({ schema: { type: "string", format: "binary" } });
    }
    expect(responses).toHaveProperty("416");
  });

  it("describes the pages that end a sign-in as they are served", async () => {
    for (const [id, path, statuses] of [
      ["startLogin", "/api/login", ["400", "404", "503"]],
      ["finishLogin", "/api/login/callback", ["200", "400", "401", "403", "404", "503"]],
    ] as const) {
      const { responses } = await operation(id);
      const withPage = Object.keys(responses).filter((status) => responses[status]?.content?.["text/html"]);
      expect(withPage, id).toEqual(statuses);
      for (const status of withPage) {
        expect(responses[status]?.content, id).toMatchObject({ "application/json": {} });
        expect(responses[status]?.content?.["text/html"]?.schema, id).toMatchObject({ type: "string" });
      }
      const page = await call<string>("GET", path, { headers: { accept: "text/html" } });
      expect([page.status, page.headers.get("content-type"), page.code]).toEqual([
        404,
        expect.stringMatching(/^text\/html; charset=utf-8$/i),
        "not_found",
      ]);
    }
  });

  it("describes which parts of the campaign form are a file, and which JSON", async () => {
    const { requestBody, responses } = await operation("createCampaign");
    const form = requestBody?.content["multipart/form-data"];
    expect(form?.encoding).toEqual({
      contacts: { contentType: "text/csv" },
      columns: { contentType: "application/json" },
      rows: { contentType: "application/json" },
      schedule_config: { contentType: "application/json" },
      retry_config: { contentType: "application/json" },
    });
    const { properties, required } = await schema("CreateCampaignRequest");
    expect(required).toEqual(["contacts"]);
    expect(properties.contacts).toMatchObject({ type: "string", format: "binary" });
    expect(properties.columns).toMatchObject({
      type: "object",
      additionalProperties: { type: ["string", "null"] },
    });
    expect(properties.rows).toMatchObject({
      type: "object",
      additionalProperties: { type: ["object", "null"], additionalProperties: { type: "string" } },
    });
    expect(properties.schedule_config).toMatchObject({ type: ["array", "null"] });
    expect(properties.retry_config).toMatchObject({ type: "object" });
    expect(Object.keys(responses).sort()).toEqual(["201", "400", "401", "403", "409", "413", "415", "429", "500"]);
  });

  it("describes which requests may have an Idempotency-Key, and the responses that this adds", async () => {
    const key = "#/components/parameters/IdempotencyKey";
    for (const { name, method, operation } of await operations()) {
      const { parameters = [], requestBody, responses, security, operationId } = operation;
      const schemes = security.flatMap((one) => Object.keys(one));
      const isOperators = operationId === "reencryptSecrets" || name.includes("/api/admin/");
      // Session endpoints are not below the API of accounts.
      const isSession = !name.includes("/api/v1/");
      const isUpload = "multipart/form-data" in (requestBody?.content ?? {});
      const isAccounts = schemes.some((scheme) => scheme === "apiKey" || scheme === "console");
      const isRuntimes = schemes.includes("session");
      const takesKey = method === "post" && isAccounts && !isRuntimes && !isOperators && !isSession && !isUpload;
      expect(
        parameters.some(({ $ref }) => $ref === key),
        name,
      ).toBe(takesKey);
      if (!takesKey) continue;
      expect(responses["409"]?.description, name).toContain("idempotency_conflict");
      expect(responses["409"]?.headers, name).toHaveProperty("Retry-After");
      const [success] = Object.entries(responses).filter(([status]) => status.startsWith("2"));
      expect(success?.[1].headers, name).toHaveProperty("idempotent-replayed");
    }
    const { properties } = await schema("CreatedApiKey");
    expect(properties.key).toMatchObject({ type: ["string", "null"] });
    expect((await schema("Problem")).properties.errors).toMatchObject({ type: "array" });
  });

  it("describes If-None-Match and 304 exactly for responses with an ETag", async () => {
    const { user } = await tenant();
    const agent = await user.post<{ id: string }>("/api/v1/agents", { name: "Ada" });
    const ofAgent = ["/api/v1/agents/{id}", "/api/v1/agents/{id}/widget-settings", "/api/v1/agents/{id}/tools"];
    let tagged = 0;
    for (const { path, method, name, operation } of await operations()) {
      const isList = path.startsWith("/api/v1") && !path.includes("{") && !path.includes("/export");
      if (method !== "get" || !(isList || ofAgent.includes(path)) || "text/event-stream" in contentOf(operation))
        continue;
      const address = path.replace("{id}", agent.body.id);
      const etag = (await user.get(address)).headers.get("etag");
      const taken = (operation.parameters ?? []).map(({ $ref }) => $ref);
      expect(taken.includes("#/components/parameters/IfNoneMatch"), name).toBe(etag !== null);
      expect(operation.responses["304"] !== undefined, name).toBe(etag !== null);
      if (etag === null) continue;
      tagged++;
      expect(operation.responses["200"]?.headers, name).toHaveProperty("ETag");
      expect((await user.get(address, { "if-none-match": etag })).status, name).toBe(304);
    }
    expect(tagged).toBeGreaterThan(10);
  });

  it("contains only statuses that are sent", async () => {
    const given = [
      200, 201, 202, 204, 206, 302, 304, 400, 401, 403, 404, 409, 412, 413, 415, 416, 421, 429, 500, 502, 503,
    ].map(String);
    for (const { name, operation } of await operations())
      expect(given, name).toEqual(expect.arrayContaining(Object.keys(operation.responses)));
  });
});
