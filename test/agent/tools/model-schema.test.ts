import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CATALOG } from "../../../src/agent/catalog/index.ts";
import { checkSchema } from "../../../src/agent/tools/run/arguments.ts";
import { modelSchema } from "../../../src/agent/tools/run/model-schema.ts";
import { isObject } from "../../../src/kernel/objects.ts";

const TEXT = { type: "string" };
const REFUSED_AT_TOP = ["allOf", "anyOf", "oneOf", "not", "enum", "const", "if", "then", "else", "$ref", "$defs"];

describe("a tool's schema as models see it", () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["nothing", {}, { type: "object", properties: {} }],
    ["an object or null", { type: ["object", "null"] }, { type: "object", properties: {} }],
    [
      "alternatives at the top",
      {
        type: "object",
        properties: { name: TEXT, phone: TEXT, email: TEXT },
        required: ["name"],
        anyOf: [{ required: ["phone"] }, { required: ["email"] }],
      },
      {
        type: "object",
        properties: { name: TEXT, phone: TEXT, email: TEXT },
        required: ["name"],
        description: "Also required: phone, or email.",
      },
    ],
    [
      "kinds that each have arguments of their own",
      {
        oneOf: [
          { type: "object", properties: { kind: { const: "a" }, a: TEXT }, required: ["kind", "a"] },
          { type: "object", properties: { kind: { const: "b" }, b: TEXT }, required: ["kind", "b"] },
        ],
      },
      {
        type: "object",
        properties: { kind: { anyOf: [{ const: "a" }, { const: "b" }] }, a: TEXT, b: TEXT },
        required: ["kind"],
        description: "Also required: a, or b.",
      },
    ],
    [
      "parts that count together",
      {
        allOf: [{ $ref: "#/$defs/named" }, { properties: { age: { type: "integer" } } }],
        $defs: { named: { properties: { name: TEXT }, required: ["name"] } },
      },
      { type: "object", properties: { name: TEXT, age: { type: "integer" } }, required: ["name"] },
    ],
    [
      "lists without items",
      {
        type: "object",
        properties: { tags: { type: "array" }, more: { type: ["array", "null"] }, any: { type: "array", items: true } },
      },
      {
        type: "object",
        properties: {
          tags: { type: "array", items: {} },
          more: { type: ["array", "null"], items: {} },
          any: { type: "array", items: {} },
        },
      },
    ],
    [
      "references",
      {
        type: "object",
        properties: { to: { $ref: "#/$defs/address", description: "Where to" } },
        $defs: { address: { type: "object", properties: { lines: { type: "array" } } } },
      },
      {
        type: "object",
        properties: {
          to: { type: "object", properties: { lines: { type: "array", items: {} } }, description: "Where to" },
        },
      },
    ],
  ])("a tool's schema shows %s in a form that every model provider accepts", (_, schema, shown) => {
    expect(checkSchema(schema)).toBeNull();
    expect(modelSchema(schema)).toEqual(shown);
  });

  it("a tool's schema is unchanged if nothing needs to change", () => {
    const own = CATALOG.tools.filter(({ schema }) => Object.keys(schema ?? {}).length > 0);
    expect(own.length).toBeGreaterThan(10);
    for (const { name, schema } of own) expect(modelSchema(schema), name).toEqual(schema);
  });

  it("never has top-level alternatives, references or lists without items", () => {
    const leaf = fc.constantFrom<object>(TEXT, { type: "array" }, { $ref: "#/$defs/one" }, { enum: ["x"] });
    const { node } = fc.letrec<{ node: object }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.record(
          {
            properties: fc.dictionary(fc.constantFrom("a", "b", "anyOf"), tie("node"), { maxKeys: 3 }),
            required: fc.constant(["a"]),
            items: tie("node"),
            allOf: fc.array(tie("node"), { minLength: 1, maxLength: 2 }),
            anyOf: fc.array(tie("node"), { minLength: 1, maxLength: 2 }),
            not: tie("node"),
          },
          { requiredKeys: [] },
        ),
      ),
    }));
    fc.assert(
      fc.property(node, (generated) => {
        const schema = Object.assign({}, generated, { type: "object", $defs: { one: { type: "array" } } });
        fc.pre(checkSchema(schema) === null);
        const shown = modelSchema(schema);
        expect(shown.type).toBe("object");
        expect(isObject(shown.properties)).toBe(true);
        for (const name of REFUSED_AT_TOP) expect(shown).not.toHaveProperty([name]);
        for (const one of objectsIn(shown)) {
          expect(one).not.toHaveProperty(["$ref"]);
          if (one.type === "array") expect(one).toHaveProperty(["items"]);
        }
        expect(checkSchema(shown)).toBeNull();
        expect(modelSchema(shown)).toEqual(shown);
      }),
      { numRuns: 300 },
    );
  });
});

function objectsIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}
