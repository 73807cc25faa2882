import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { integrationsIn } from "../../src/browser/console/api/integration-references.ts";
import { givenValue, initialValue } from "../../src/browser/console/screens/tools/argument-values.ts";
import { configOf, requestOf } from "../../src/browser/console/screens/tools/request-fields.ts";
import { emptyRow, rowsOf, schemaOf } from "../../src/browser/console/screens/tools/schema-rows.ts";

const name = fc.stringMatching(/^[a-z_][a-z0-9_]{0,8}$/).filter((text) => text !== "__proto__");
const text = fc.string({ maxLength: 12 });

describe("a schema's rows", () => {
  const property = fc.oneof(
    fc.record(
      {
        type: fc.constantFrom("string", "integer", "number", "boolean", "array", "object"),
        description: text.filter((words) => words !== ""),
        maxLength: fc.nat(),
        items: fc.constant({ type: "string" }),
        enum: fc.array(fc.oneof(text, fc.integer()), { minLength: 1, maxLength: 3 }),
      },
      { requiredKeys: ["type"] },
    ),
    // A property that no row can express is kept.
    fc.record({ type: fc.constant(["string", "null"]), description: text }),
    fc.record({ anyOf: fc.constant([{ type: "string" }, { type: "integer" }]) }),
    fc.record({ $ref: fc.constant("#/$defs/line"), description: fc.nat() }),
  );
  const schema = fc
    .record({ properties: fc.dictionary(name, property, { maxKeys: 5 }), isClosed: fc.boolean(), which: fc.nat(4) })
    .map(({ properties, isClosed, which }) => {
      const required = Object.keys(properties).slice(0, which);
      return {
        type: "object",
        properties,
        ...(required.length > 0 && { required }),
        ...(isClosed && { additionalProperties: false }),
      };
    });

  it("express everything in the schema", () => {
    fc.assert(
      fc.property(schema, (before) => {
        const rows = rowsOf(before);
        expect(rows && schemaOf(rows)).toEqual(before);
      }),
    );
  });

  it("a schema has no rows if it is not an object's schema or requires unknown properties", () => {
    const schemas = [null, [], "text", { type: "array" }, { properties: { a: true } }, { properties: [] }];
    for (const schema of [...schemas, { properties: {}, required: ["a"] }]) expect(rowsOf(schema)).toBeUndefined();
  });

  it("write choices of numbers as numbers, and omit rows without a name", () => {
    const row = { ...emptyRow(), name: "count", type: "integer" as const, choices: ["1", "2"] };
    expect(schemaOf({ rows: [row, emptyRow()], rest: {} })).toEqual({
      type: "object",
      properties: { count: { type: "integer", enum: [1, 2] } },
      required: ["count"],
    });
  });
});

describe("a request's form", () => {
  const pairs = fc.dictionary(name, text, { minKeys: 1, maxKeys: 3 });
  const config = fc
    .record(
      {
        method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE"),
        url: text,
        headers: pairs,
        query: pairs,
        auth: fc.oneof(
          fc.record({ type: fc.constant("bearer"), token: text }),
          fc.record({ type: fc.constant("basic"), username: text, password: text }),
          fc.record({ type: fc.constant("header"), name: text, value: text }),
        ),
        sends: fc.oneof(fc.record({ body: fc.jsonValue() }), fc.record({ form: pairs })),
        timeout_ms: fc.integer({ min: 1, max: 10_000 }),
        response: fc.oneof(
          fc.record({ path: text.filter((path) => path !== "") }),
          fc.record({ path: fc.constant("data.0"), max_chars: fc.integer({ min: 1, max: 100 }) }),
        ),
      },
      { requiredKeys: ["method", "url"] },
    )
    .map(({ sends = {}, ...rest }) => ({ ...rest, ...sends }));

  it("expresses everything in the configuration", () => {
    fc.assert(
      fc.property(config, (before) => {
        const fields = requestOf(before);
        // Compared as JSON, in which -0 is 0.
        expect(fields && JSON.parse(JSON.stringify(configOf(fields)))).toEqual(JSON.parse(JSON.stringify(before)));
      }),
    );
  });

  it("a request has no form if it cannot express the configuration", () => {
    const more = [
      { integration: "shopify" },
      { query: { limit: 5 } },
      { method: "PURGE" },
      { auth: { type: "bearer", token: "t", realm: "r" } },
      { auth: { type: "digest" } },
      { body: {}, form: {} },
      { response: { path: "a", trim: true } },
      { timeout_ms: "5000" },
    ];
    for (const config of more) expect(requestOf({ url: "https://shop.example/", ...config })).toBeUndefined();
  });

  it("omits incomplete entries", () => {
    const fields = requestOf({ method: "POST", url: "https://shop.example/", body: {} });
    expect(fields).toBeDefined();
    if (!fields) return;
    const headers = [
      { name: "", value: "x" },
      { name: "x-a", value: "1" },
    ];
    expect(configOf({ ...fields, headers, body: "{" })).toEqual({
      method: "POST",
      url: "https://shop.example/",
      headers: { "x-a": "1" },
    });
  });
});

describe("the arguments of a run", () => {
  const schema = {
    type: "object",
    properties: {
      lines: {
        type: "array",
        minItems: 2,
        items: { type: "object", properties: { sku: { type: "string" }, note: { type: "string" } }, required: ["sku"] },
      },
      speed: { enum: ["slow", "fast"], default: "slow" },
      address: { type: "object", properties: { city: { type: "string" } } },
      tags: { type: "array", items: { type: "string" } },
    },
    required: ["lines"],
  };

  it("begin with defaults and fields for the required ones", () => {
    expect(initialValue(schema, true)).toEqual({
      lines: [
        { sku: undefined, note: undefined },
        { sku: undefined, note: undefined },
      ],
      speed: "slow",
      address: { city: undefined },
      tags: [],
    });
  });

  it("a run's arguments are sent without empty fields, except required ones", () => {
    const entered = { lines: [{ sku: "", note: "" }], speed: undefined, address: { city: "" }, tags: [] };
    expect(givenValue(schema, entered, true)).toEqual({ lines: [{ sku: "" }] });
    const full = { lines: [], speed: "fast", address: { city: "Graz" }, tags: [""] };
    expect(givenValue(schema, full, true)).toEqual(full);
  });
});

describe("the integrations that a configuration refers to", () => {
  it("a configuration's integrations are listed once each, wherever they occur", () => {
    const config = {
      url: "https://{{shopify.shop_domain}}/orders/{order_id}",
      headers: { "x-key": "{{ shopify.access_token }}" },
      body: { text: "{{slack.channel}} {{nobody}} {slack.no}" },
    };
    expect(integrationsIn(config)).toEqual(["shopify", "slack"]);
    expect(integrationsIn(undefined)).toEqual([]);
  });
});
