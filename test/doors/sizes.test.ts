import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import limits from "../../docs/limits.md?raw";
import { app } from "../../src/app.ts";
import { MAX_WAITING_CHARS, MAX_WAITING_FRAMES, WaitingFrames } from "../../src/conversation/runtime/open-socket.ts";
import { served } from "../../src/kernel/http/serve.ts";
import { MAX_PARAMETER_CHARS, MAX_SEGMENT_CHARS } from "../../src/kernel/http/validate.ts";
import { SCOPES } from "../../src/kernel/scopes.ts";
import { countingBindings } from "../bench/yardstick/count-round-trips.ts";
import { isObject, type Json, nameIn, operationsOf, reference } from "../kernel/http/reference.ts";
import { charactersBuilt } from "../support/characters-built.ts";
import { apiKey, BASE, call, operator } from "../support/client.ts";
import { openRuntime } from "../support/runtime.ts";
import { widgetTenant } from "../support/widget.ts";
import ownText from "./sizes.test.ts?raw";
import { documented } from "./sizes-documented.ts";
import { ELSEWHERE } from "./sizes-elsewhere.ts";
import { type Around, SIZES, type Sized } from "./sizes-table.ts";

/** The maximum number of characters that any request may have joined into texts. */
const FEW_CHARACTERS = 8_192;

const JSON_TYPE = { "content-type": "application/json" };
const TESTS = import.meta.glob<string>(
  [
    "../agent/knowledge/*.test.ts",
    "../campaign/*.test.ts",
    "../kernel/http/*.test.ts",
    "../phone/voices/*.test.ts",
    "../account-data/backup/*.test.ts",
    "../conversation/**/*.test.ts",
  ],
  { query: "?raw", import: "default", eager: true },
);

/**
 * Returns the text of a test by its path in the repository. Files are found relative to this one, which does not find
 * itself.
 */
const textOf = (file: string) =>
  file === "test/doors/sizes.test.ts" ? ownText : TESTS[file.replace(/^test\//, "../")];

let around: Around;
let console_: Record<string, string>;
beforeAll(async () => {
  const { account, agentId, widgetKey, user } = await widgetTenant();
  const { server } = await apiKey(user, { scopes: [...SCOPES] });
  around = { account, agentId, clientKey: widgetKey.key, server: server.headers };
  console_ = user.headers;
});

/** Returns headers that are authorized for this access. */
async function headersFor(access: string): Promise<Record<string, string>> {
  if (access === "public") return {};
  if (access === "operator") return (await operator()).headers;
  return access === "console" || access === "session" ? console_ : around.server;
}

const pathOf = (path: string) =>
  path
    .replaceAll("{account}", around.account)
    .replaceAll("{bucket}", "recordings")
    .replaceAll(/\{\w+\}/g, ID);
const ID = "019aa5c4-0000-7000-8000-000000000000";

/** Returns the response to a request and the number of its storage round trips. */
async function ask({ method = "GET", path, headers = {}, body }: Sized) {
  const trips = { d1: 0, replica: 0, objects: 0 };
  const context = createExecutionContext();
  const request = new Request(BASE + path, body === undefined ? { method, headers } : { method, headers, body });
  const response = await app.fetch(request, countingBindings(env, trips), context);
  const code = response.headers.get("x-error-code");
  const text = await response.text();
  await waitOnExecutionContext(context);
  const answer = [response.status, code].filter((part) => part !== null).join(" ");
  return { answer, text: text.slice(0, 300), trips: trips.d1 + trips.replica + trips.objects };
}

describe("a size that callers choose", () => {
  it.each(SIZES)(
    "a size that callers choose is bounded: $name",
    async ({ bound, request, at, over, trips, built = 0 }) => {
      const sent = await request(bound, around);
      const { result: inside, characters } = await charactersBuilt(() => ask(sent));
      expect(inside.answer, inside.text).toBe(at);
      expect(inside.text, "the path of an endpoint").not.toContain("resource not found");
      expect(inside.trips).toBeLessThanOrEqual(trips);
      expect(characters).toBeLessThanOrEqual(Math.max(built, FEW_CHARACTERS));
      const outside = await ask(await request(bound + 1, around));
      expect(outside.answer, outside.text).toBe(over);
    },
  );
});

it("the table of sizes is the one that docs/limits.md shows", () => {
  const shown = limits.split("\n").map((line) => line.replaceAll(/ +/g, " ").replaceAll(/-{3,}/g, "---"));
  expect(shown).toEqual(expect.arrayContaining(documented()));
});

it("each size that is tested elsewhere has its test there", () => {
  for (const { name, test } of ELSEWHERE) {
    const [file, title] = test;
    expect([name, textOf(file)?.includes(title)]).toEqual([name, true]);
  }
});

describe("frames before a token is shown", () => {
  it("a limited number of frames is kept before a token is shown, however short they are", () => {
    const frames = new WaitingFrames();
    for (let n = 0; n < MAX_WAITING_FRAMES; n++) expect(frames.add("")).toBeNull();
    expect(frames.add("")).toEqual([4429, "too many frames at once"]);
    expect(frames.take()).toHaveLength(MAX_WAITING_FRAMES);
  });

  it("the frames close the socket only beyond their limit", async () => {
    const at = await openRuntime();
    at.send("x".repeat(MAX_WAITING_CHARS));
    expect((await at.closed).code).toBe(1007);
    const over = await openRuntime();
    over.send("x".repeat(MAX_WAITING_CHARS + 1));
    expect((await over.closed).code).toBe(1009);
  });
});

describe("every operation of the reference", () => {
  it("refuses a query parameter that is too long, by its name", async () => {
    const long = "x".repeat(MAX_PARAMETER_CHARS + 1);
    const others: string[] = [];
    for (const { name, operation } of operationsOf(await reference())) {
      const [method = "", path = ""] = name.split(" ");
      const access = served.find(({ operationId }) => operationId === operation.operationId)?.access;
      if (access === undefined || access === "runtime") continue;
      for (const parameter of operation.parameters ?? []) {
        if (parameter.in !== "query") continue;
        // A filter by the values of an analysis includes the value's name in the parameter's name.
        const asked = parameter.schema.type === "object" ? `${parameter.name}.name` : parameter.name;
        const { status, body } = await call<{ errors?: { field: string; code: string }[] }>(
          method.toUpperCase(),
          `${pathOf(path)}?${asked}=${long}`,
          {
            headers: Object.assign({ accept: "application/problem+json" }, JSON_TYPE, await headersFor(access)),
            ...(method === "get" || method === "delete" ? {} : { raw: "{}" }),
          },
        );
        const found = body.errors?.find(({ field }) => field === asked);
        if (status !== 400 || found?.code !== "too_long") others.push(`${name} ${asked}: ${status}`);
      }
    }
    expect(others).toEqual([]);
  });

  it("refuses a segment of its path that is too long", async () => {
    const others: string[] = [];
    for (const { method, path, access, operationId } of served) {
      if (!path.includes("{") || access === "runtime") continue;
      const filled = path.replaceAll(/\{\w+\}/g, "x".repeat(MAX_SEGMENT_CHARS + 1));
      const { status, code } = await call(method.toUpperCase(), filled, {
        headers: Object.assign({}, JSON_TYPE, await headersFor(access)),
        ...(method === "get" ? {} : { raw: "{}" }),
      });
      if (![404, 400].includes(status)) others.push(`${operationId}: ${status} ${code}`);
    }
    expect(others).toEqual([]);
  });

  it("limits each list in a JSON body", async () => {
    const document = await reference();
    const unbounded = new Set<string>();
    const seen = new Set<unknown>();
    const visit = (schema: unknown, at: string): void => {
      if (Array.isArray(schema)) for (const part of schema) visit(part, at);
      if (!isObject(schema) || seen.has(schema)) return;
      seen.add(schema);
      if (typeof schema.$ref === "string") visit(document.components.schemas[nameIn(schema.$ref)], at);
      const isList = schema.type === "array" || (Array.isArray(schema.type) && schema.type.includes("array"));
      const isOfWords = isObject(schema.items) && Array.isArray((schema.items as Json).enum);
      if (isList && schema.maxItems === undefined && !isOfWords) unbounded.add(at);
      if (isObject(schema.properties))
        for (const [key, property] of Object.entries(schema.properties)) visit(property, `${at}.${key}`);
      for (const key of ["items", "additionalProperties", "allOf", "anyOf", "oneOf"]) visit(schema[key], at);
    };
    for (const { operation } of operationsOf(document))
      visit(operation.requestBody?.content["application/json"]?.schema, operation.operationId);
    expect([...unbounded].sort()).toEqual([]);
  });
});
