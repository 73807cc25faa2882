import { beforeAll, describe, expect, it } from "vitest";
import { namesIgnoredFields } from "../../../src/kernel/http/ignored-fields.ts";
import { served } from "../../../src/kernel/http/serve.ts";
import { type Answer, apiKey, type Client, operator, type Tenant, tenant } from "../../support/client.ts";
import { type Document, isObject, type Json, nameIn, operationsOf, reference } from "./reference.ts";

interface Problem {
  code: string;
  errors: { field: string; code: string; message: string }[];
}
const JSON_TYPE = { "content-type": "application/json" };
const STRICT = { prefer: "handling=strict" };
const PROBLEM = { accept: "application/problem+json" };
const UNKNOWN = "zz_unknown";

let who: Tenant;
let document: Document;
beforeAll(async () => {
  who = await tenant();
  document = await reference();
});

const ignored = ({ headers }: Answer) => headers.get("ignored-fields");

/** Sends JSON with these headers. */
function send<T = unknown>(client: Client, method: string, path: string, body: unknown, headers = {}) {
  return client.send<T>(method, path, JSON.stringify(body), { ...JSON_TYPE, ...headers });
}

/** Yields the paths of the objects in a value that have a closed schema, for which the reference names all members. */
function* closedObjects(
  schema: unknown,
  value: unknown,
  path: string[] = [],
): Generator<{ path: string[]; strict: boolean }> {
  if (!isObject(schema)) return;
  if (typeof schema.$ref === "string") {
    yield* closedObjects(document.components.schemas[nameIn(schema.$ref)], value, path);
    return;
  }
  for (const key of ["allOf", "anyOf", "oneOf"])
    if (Array.isArray(schema[key])) for (const part of schema[key]) yield* closedObjects(part, value, path);
  if (Array.isArray(value))
    for (const [i, item] of value.entries()) yield* closedObjects(schema.items, item, [...path, String(i)]);
  if (!isObject(value) || !isObject(schema.properties)) return;
  if (!isObject(schema.additionalProperties)) yield { path, strict: schema.additionalProperties === false };
  for (const [name, member] of Object.entries(value))
    yield* closedObjects(schema.properties[name], member, [...path, name]);
}

/** Adds an unknown field to the object at this path. */
function withUnknown(value: unknown, [name, ...path]: string[]): unknown {
  if (name === undefined) return { ...(value as Json), [UNKNOWN]: "x" };
  if (Array.isArray(value)) return value.map((item, i) => (String(i) === name ? withUnknown(item, path) : item));
  return { ...(value as Json), [name]: withUnknown((value as Json)[name], path) };
}

/**
 * Returns every place in every body where an unknown field can be sent. Each uses a new account, because the request
 * may change its settings.
 */
async function places() {
  const { server, user } = await tenant();
  const clients = { server, user, operator: await operator() };
  return operationsOf(document).flatMap(({ name, operation }) => {
    const [method = "", path = ""] = name.split(" ");
    const endpoint = served.find(({ operationId }) => operationId === operation.operationId);
    const media = operation.requestBody?.content["application/json"];
    if (!endpoint || !media || !namesIgnoredFields(endpoint)) return [];
    const example = media.example ?? Object.values(media.examples ?? {})[0]?.value ?? {};
    const ids = path.replace(/\{\w+\}/g, () => crypto.randomUUID());
    const by = endpoint.access === "operator" ? "operator" : endpoint.access === "console" ? "user" : "server";
    const found = [...closedObjects(media.schema, example)];
    const seen = new Set<string>();
    return found.flatMap((place) => {
      const field = [...place.path, UNKNOWN].join(".");
      if (seen.has(field)) return [];
      seen.add(field);
      const body = withUnknown(example, place.path);
      return [
        { name, method: method.toUpperCase(), path: ids, client: clients[by], field, body, refused: place.strict },
      ];
    });
  });
}

describe("an unknown field of any operation", () => {
  it("an unknown field is named in the header, at the top level or nested", async () => {
    const all = await places();
    expect(new Set(all.map(({ name }) => name)).size).toBeGreaterThan(45);
    expect(all.filter(({ field }) => field !== UNKNOWN).length).toBeGreaterThan(10);
    for (const { name, method, path, client, field, body } of all) {
      const answer = await send(client, method, path, body);
      expect.soft([name, ignored(answer)]).toEqual([name, field]);
      expect.soft([name, answer.code]).not.toEqual([name, "unknown_fields"]);
    }
  });

  it("an unknown field is refused under strict handling, at the top level or nested", async () => {
    for (const { name, method, path, client, field, body } of await places()) {
      const answer = await send<Problem>(client, method, path, body, { ...STRICT, ...PROBLEM });
      expect.soft([name, answer.status, answer.body.code]).toEqual([name, 400, "unknown_fields"]);
      expect.soft(answer.body.errors, name).toContainEqual(expect.objectContaining({ field, code: "unknown" }));
      expect.soft([name, answer.headers.get("preference-applied")]).toEqual([name, "handling=strict"]);
    }
  });

  it("the reference describes how unknown fields are handled", () => {
    for (const { name, operation } of operationsOf(document)) {
      const endpoint = served.find(({ operationId }) => operationId === operation.operationId);
      const named = endpoint !== undefined && namesIgnoredFields(endpoint);
      const parameters = operation.parameters?.map(({ $ref }) => nameIn($ref)) ?? [];
      expect.soft([name, parameters.includes("Prefer")]).toEqual([name, named]);
    }
  });
});

describe("a request with unknown fields", () => {
  it("succeeds, and the header names them", async () => {
    const body = { name: "hours", summry: "9 to 5", tags: [], "a,b.c": 1 };
    const answer = await who.server.post<Json>("/api/v1/faqs", body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(ignored(answer)).toBe("summry, a%2Cb%2Ec");
    expect(answer.headers.get("preference-applied")).toBeNull();
  });

  it("succeeds without the header if all its fields are known", async () => {
    const answer = await who.server.post("/api/v1/faqs", { name: "parking", content: "behind the house" });
    expect([answer.status, ignored(answer)]).toEqual([201, null]);
  });

  it("changes nothing under strict handling, and names the nearest known field", async () => {
    const order = { name: "Reception", greting_message: "Hello", max_tokens: 5 };
    const answer = await send<Problem>(who.server, "POST", "/api/v1/agents", order, { ...STRICT, ...PROBLEM });
    expect([answer.status, answer.code]).toEqual([400, "unknown_fields"]);
    expect(answer.body.errors).toEqual([
      { field: "greting_message", code: "unknown", message: "is unknown; the nearest known field is greeting_message" },
      { field: "max_tokens", code: "unknown", message: expect.stringContaining("the nearest known field is ") },
    ]);
    const { body } = await who.server.get<{ name: string }[]>("/api/v1/agents");
    expect(body.filter(({ name }) => name === "Reception")).toEqual([]);
  });

  it("gets its response under strict handling too if all its fields are known", async () => {
    const answer = await send(who.server, "POST", "/api/v1/faqs", { name: "prices" }, STRICT);
    expect([answer.status, answer.headers.get("preference-applied")]).toEqual([201, "handling=strict"]);
  });

  it.each([
    ["handling=lenient", 201],
    ["respond-async", 201],
    ["handling=strictly", 201],
    ["handling=lenient, handling=strict", 201],
    ["HANDLING=Strict", 400],
    ['respond-async, wait=10, handling="strict"', 400],
    ["handling=strict; why=tests", 400],
  ])("under Prefer: %s is answered with %s", async (prefer, status) => {
    const { server } = who;
    const body = { name: `f_${crypto.randomUUID().slice(0, 8)}`, [UNKNOWN]: 1 };
    expect((await send(server, "POST", "/api/v1/faqs", body, { prefer })).status).toBe(status);
  });

  it("gets the misspelled field beside the missing one", async () => {
    const answer = await send<Problem>(who.server, "POST", "/api/v1/agents", { nmae: "x" }, { ...STRICT, ...PROBLEM });
    expect([answer.status, answer.body.code]).toEqual([400, "unknown_fields"]);
    expect(answer.body.errors.map(({ field }) => field)).toEqual(["nmae", "name"]);
    const lenient = await who.server.post("/api/v1/agents", { nmae: "x" });
    expect([lenient.status, lenient.code, ignored(lenient)]).toEqual([400, "invalid_request", "nmae"]);
  });

  it("gets at most 20 of their names, in at most 1 KB", async () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`unknown_${n}`, n]));
    const short = await who.server.post("/api/v1/faqs", { name: "many", ...many });
    expect(ignored(short)?.split(", ")).toEqual(Object.keys(many).slice(0, 20));
    const long = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`ü${"é".repeat(40)}${n}`, n]));
    const cut = await who.server.post("/api/v1/faqs", { name: "many_long", ...long });
    expect(ignored(cut)?.length).toBeLessThanOrEqual(1_024);
    expect(ignored(cut)?.split(", ").map(decodeURIComponent)).toEqual(Object.keys(long).slice(0, 4));
    const one = await who.server.post("/api/v1/faqs", { name: "one_long", ["é".repeat(250)]: 1 });
    expect(decodeURIComponent(ignored(one) ?? "")).toBe("é".repeat(170));
    const strict = await send<Problem>(
      who.server,
      "POST",
      "/api/v1/faqs",
      { name: "x", ...many },
      { ...STRICT, ...PROBLEM },
    );
    expect(strict.body.errors).toHaveLength(20);
  });

  it("gets no suggestion for a name of more than 64 characters", async () => {
    const body = { name: "x", [`tags${"x".repeat(61)}`]: 1 };
    const { body: problem } = await send<Problem>(who.server, "POST", "/api/v1/faqs", body, { ...STRICT, ...PROBLEM });
    expect(problem.errors[0]?.message).toBe("is unknown");
  });

  it("strict handling makes a different request under the same Idempotency-Key", async () => {
    const key = { "idempotency-key": crypto.randomUUID() };
    const body = { name: `f_${crypto.randomUUID().slice(0, 8)}` };
    const first = await send(who.server, "POST", "/api/v1/faqs", body, key);
    const strict = await send(who.server, "POST", "/api/v1/faqs", body, { ...key, ...STRICT });
    const again = await send(who.server, "POST", "/api/v1/faqs", body, key);
    expect([first.status, strict.status, strict.code, again.status]).toEqual([201, 409, "idempotency_conflict", 201]);
  });

  it("gets their names again when it is replayed for its Idempotency-Key", async () => {
    const key = { "idempotency-key": crypto.randomUUID() };
    const body = { name: `f_${crypto.randomUUID().slice(0, 8)}`, [UNKNOWN]: 1 };
    for (const replayed of [null, "true"]) {
      const answer = await send(who.server, "POST", "/api/v1/faqs", body, key);
      expect([answer.status, ignored(answer)]).toEqual([201, UNKNOWN]);
      expect(answer.headers.get("idempotent-replayed")).toBe(replayed);
    }
  });
});

describe("an operation without a body", () => {
  it("names the sent fields", async () => {
    const { id } = (await who.server.post<{ id: string }>("/api/v1/agents", { name: "a" })).body;
    await who.server.post(`/api/v1/agents/${id}/publish`);
    const path = `/api/v1/agents/${id}/versions/1/restore`;
    const answer = await who.server.post(path, { note: "back" });
    expect([answer.status, ignored(answer)]).toEqual([200, "note"]);
    const strict = await send(who.server, "POST", path, { note: "back" }, STRICT);
    expect([strict.status, strict.code]).toEqual([400, "unknown_fields"]);
    for (const raw of ["{}", "", "not JSON"]) {
      const { status, headers } = await who.server.send("POST", path, raw, { ...JSON_TYPE, ...STRICT });
      expect([raw, status, headers.get("ignored-fields")]).toEqual([raw, 200, null]);
    }
    const removed = await send(who.server, "DELETE", `/api/v1/agents/${id}`, { force: true });
    expect([removed.status, ignored(removed)]).toEqual([204, "force"]);
  });

  it("compares the sent fields under an Idempotency-Key", async () => {
    const { id } = (await who.server.post<{ id: string }>("/api/v1/agents", { name: "a" })).body;
    await who.server.post(`/api/v1/agents/${id}/publish`);
    const path = `/api/v1/agents/${id}/versions/1/restore`;
    const key = { "idempotency-key": crypto.randomUUID() };
    const sent = async (note: string) => (await send(who.server, "POST", path, { note }, key)).code;
    expect([await sent("a"), await sent("a"), await sent("b")]).toEqual([null, null, "idempotency_conflict"]);
  });
});

describe("an open object", () => {
  it("accepts any field, even under strict handling", async () => {
    const { id } = (await who.server.post<{ id: string }>("/api/v1/agents", { name: "a" })).body;
    await who.server.post("/api/v1/tools", { name: "look_up" });
    const tool = { tool_name: "look_up", config: { anything: { deep: [{ at: "all" }] } } };
    expect((await send(who.server, "PUT", `/api/v1/agents/${id}/tools`, tool, STRICT)).status).toBe(200);
    const session = { variables: { first_name: "Ada" } };
    expect((await send(who.user, "POST", `/api/v1/agents/${id}/session`, session, STRICT)).status).toBe(200);
  });
});

describe("a read-only field of the resource", () => {
  it("a read-only field is named only if its value differs", async () => {
    const { id } = (await who.server.post<{ id: string }>("/api/v1/agents", { name: "a" })).body;
    const path = `/api/v1/agents/${id}`;
    const read = (await who.server.get<Json>(path)).body;
    const same = await send(who.server, "PATCH", path, { ...read, name: "b" }, STRICT);
    expect([same.status, ignored(same)]).toEqual([200, null]);
    const other = await who.server.patch(path, { ...read, name: "c", faqs: [1], created_by: "me" });
    expect([other.status, ignored(other)]).toEqual([200, "faqs, created_by"]);
    const strict = await send(who.server, "PATCH", path, { ...read, created_by: "me" }, STRICT);
    expect([strict.status, strict.code]).toEqual([400, "unknown_fields"]);
  });

  it("a sent-back id or time is never named as unknown", async () => {
    const { id } = (await who.server.post<{ id: string }>("/api/v1/agents", { name: "a" })).body;
    const stamps = { id: "other", created_at: "1999", updated_at: null };
    const changed = await send(who.server, "PATCH", `/api/v1/agents/${id}`, { ...stamps, name: "b" }, STRICT);
    expect([changed.status, ignored(changed)]).toEqual([200, null]);
    const made = await send(who.server, "POST", "/api/v1/agents", { ...stamps, name: "b" }, STRICT);
    expect([made.status, ignored(made)]).toEqual([201, null]);
  });

  it("a read-only field is compared as the caller sees it, even if only a list contains it", async () => {
    const { id } = await apiKey(who.user, { scopes: ["read"] });
    const path = `/api/v1/api-keys/${id}`;
    const keys = (await who.user.get<{ id: string; last8: string }[]>("/api/v1/api-keys")).body;
    const read = keys.find((key) => key.id === id);
    expect((await send(who.user, "PATCH", path, { last8: read?.last8, name: "n" }, STRICT)).status).toBe(204);
    const other = await who.user.patch(path, { last8: "12345678", name: "n" });
    expect([other.status, ignored(other)]).toEqual([204, "last8"]);
  });

  it("the read-only fields of an agent's tool are compared, too", async () => {
    const { id } = (await who.server.post<{ id: string }>("/api/v1/agents", { name: "a" })).body;
    await who.server.post("/api/v1/tools", { name: "own_fields" });
    const path = `/api/v1/agents/${id}/tools`;
    const { body } = await who.server.put<Json>(path, { tool_name: "own_fields" });
    expect((await send(who.server, "PUT", path, body, STRICT)).status).toBe(200);
    expect(ignored(await who.server.put(path, { ...body, ready: false }))).toBe("ready");
  });
});

describe("sign-ins, widgets and runtimes", () => {
  it("do not name the fields they ignore", async () => {
    const answers = [
      await send(
        who.server,
        "POST",
        "/api/login",
        { account: "x", email: "a@b.example", password: "p", more: 1 },
        STRICT,
      ),
      await send(who.server, "POST", "/api/v1/widget/auth/guest", { client_key: "pk_live_x", more: 1 }, STRICT),
    ];
    for (const answer of answers) {
      expect(answer.code).not.toBe("unknown_fields");
      expect([ignored(answer), answer.headers.get("preference-applied")]).toEqual([null, null]);
    }
  });
});
