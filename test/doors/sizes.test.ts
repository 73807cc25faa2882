import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { app } from "../../src/app.ts";
import { MAX_WAITING_CHARS } from "../../src/conversation/runtime/open-socket.ts";
import { served } from "../../src/kernel/http/serve.ts";
import { MAX_PARAMETER_CHARS } from "../../src/kernel/http/validate.ts";
import { SCOPES } from "../../src/kernel/scopes.ts";
import { countingBindings } from "../bench/yardstick/count-round-trips.ts";
import { isObject, type Json, nameIn, operationsOf, reference } from "../kernel/http/reference.ts";
import { apiKey, BASE, call } from "../support/client.ts";
import { openRuntime } from "../support/runtime.ts";
import { widgetTenant } from "../support/widget.ts";
import { type Around, SIZES, type Sized } from "./sizes-table.ts";

/** Lists without a count of their own: the bytes and values of a body bound them. */
const WITHOUT_A_COUNT = [
  "createApiKey.allowed_addresses",
  "createTestRun.tests",
  "createWebhook.types",
  "mcp",
  "orderAgentAttachments.faqs",
  "orderAgentAttachments.playbooks",
  "orderAgentAttachments.tools",
  "reportRuntimeEvents.events",
  "updateApiKey.allowed_addresses",
  "updateWebhook.types",
  "writeRestorePage.tables.columns",
  "writeRestorePage.tables.rows",
  "writeRestorePage.tables",
];

let around: Around;
beforeAll(async () => {
  const { account, agentId, widgetKey, user } = await widgetTenant();
  const { server } = await apiKey(user, { scopes: [...SCOPES] });
  around = { account, agentId, clientKey: widgetKey.key, server: server.headers };
});

/** What the request is answered, and how often it asks storage. */
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
  it.each(SIZES)("is bounded: $name", async ({ bound, request, at, over, trips }) => {
    const inside = await ask(await request(bound, around));
    expect(inside.answer, inside.text).toBe(at);
    expect(inside.trips).toBeLessThanOrEqual(trips);
    const outside = await ask(await request(bound + 1, around));
    expect(outside.answer, outside.text).toBe(over);
  });
});

describe("frames before a token is shown", () => {
  it("close the socket beyond their bound, and not below it", async () => {
    const at = await openRuntime();
    at.send("x".repeat(MAX_WAITING_CHARS));
    expect((await at.closed).code).toBe(1007);
    const over = await openRuntime();
    over.send("x".repeat(MAX_WAITING_CHARS + 1));
    expect((await over.closed).code).toBe(1009);
  });
});

describe("every operation of the reference", () => {
  it("refuses a query parameter that is too long", async () => {
    const long = "x".repeat(MAX_PARAMETER_CHARS + 1);
    const taken: string[] = [];
    for (const { name, operation } of operationsOf(await reference())) {
      const [method = "", path = ""] = name.split(" ");
      const access = served.find(({ operationId }) => operationId === operation.operationId)?.access;
      if (access !== "account" && access !== "public") continue;
      for (const parameter of operation.parameters ?? []) {
        if (parameter.in !== "query") continue;
        const filled = path.replaceAll(/\{\w+\}/g, "019aa5c4-0000-7000-8000-000000000000");
        const { status } = await call(method.toUpperCase(), `${filled}?${parameter.name}=${long}`, {
          headers: access === "public" ? {} : around.server,
        });
        if (status < 400) taken.push(`${name} ${parameter.name}`);
      }
    }
    expect(taken).toEqual([]);
  });

  it("bounds each list that it takes in a JSON body", async () => {
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
    expect([...unbounded].sort()).toEqual(WITHOUT_A_COUNT.toSorted());
  });
});
