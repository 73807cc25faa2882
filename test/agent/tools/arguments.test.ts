import { describe, expect, it } from "vitest";
import { CATALOG } from "../../../src/agent/catalog/index.ts";
import { checkArguments, checkSchema } from "../../../src/agent/tools/run/arguments.ts";
import { modelSchema } from "../../../src/agent/tools/run/model-schema.ts";

const faults = (schema: Record<string, unknown>, args: unknown) => {
  const checked = checkArguments(schema, args);
  return "faults" in checked ? checked.faults : [];
};
const of = (property: object) => ({ type: "object", properties: { a: property } });

describe("the arguments of a tool", () => {
  it.each<[object, unknown, string[]]>([
    [{ type: ["string", "null"] }, 1, ["a must be text or null"]],
    [{ type: "string", format: "date" }, "2026-02-30", ["a must be in the format date"]],
    [{ type: "string", format: "date-time" }, "2026-02-28T10:00:00+02:00", []],
    [{ type: "string", format: "email" }, "nobody", ["a must be in the format email"]],
    [{ type: "string", format: "__proto__" }, "x", []],
    [{ pattern: "^\\p{Lu}\\u0041$", format: "email" }, "ÄA", ["a must be in the format email"]],
    [{ pattern: "^[a-z]+(-[a-z]+)*$" }, "a-slug", []],
    [{ maxLength: 2, minLength: 1 }, "abc", ["a must have at most 2 characters"]],
    [{ not: { type: "string" } }, "x", ["a does not meet not"]],
    // biome-ignore lint/suspicious/noThenProperty: it is the keyword's name
    [{ if: { const: 1 }, then: { enum: [2] } }, 1, ["a must be one of 2"]],
    [{ dependentRequired: { b: ["c"] } }, { b: 1 }, ["a.c is required"]],
    [{ prefixItems: [{ type: "string" }], items: false }, ["x", 1], ["a.1 is unknown"]],
    [{ uniqueItems: true }, [{ b: 1 }, { b: 1 }], ["a must not contain duplicate items"]],
    [{ exclusiveMinimum: 0, multipleOf: 0.1 }, 0.3, []],
    [{ $ref: "#/properties/b" }, "x", ["a does not meet $ref", "a must be a number"]],
  ])("an argument is checked against the schema %j", (property, value, expected) => {
    const schema = { type: "object", properties: { a: property, b: { type: "number" } } };
    expect(checkSchema(schema)).toBeNull();
    expect(faults(schema, { a: value }).filter((fault) => !fault.includes("$ref"))).toEqual(
      expected.filter((fault) => !fault.includes("$ref")),
    );
  });

  it.each<[object, unknown[], unknown]>([
    [{ type: "string", nullable: true }, [null, "x"], 1],
    [{ type: "integer", minimum: 1, nullable: true }, [null, 2], 0],
    [{ type: "string", enum: ["s", "m"], nullable: true }, [null, "m"], "l"],
    [{ nullable: true, allOf: [{ type: "string" }] }, [null, "x"], 1],
    [{ $ref: "#/properties/b", nullable: true }, [null, 1], "x"],
    [{ type: "array", items: { type: "number", nullable: true } }, [[null, 1]], ["x"]],
    [{ type: "string", nullable: false }, ["x"], null],
    [{ type: "object", properties: { nullable: { type: "boolean" } } }, [{ nullable: true }], { nullable: null }],
  ])(
    "the arguments of a tool may be null if the schema says so in OpenAPI's way: %j",
    (property, fitting, unfitting) => {
      const schema = { type: "object", properties: { a: property, b: { type: "number" } } };
      expect(checkSchema(schema)).toBeNull();
      for (const a of fitting) expect(faults(schema, { a }), JSON.stringify(a)).toEqual([]);
      expect(faults(schema, { a: unfitting })).not.toEqual([]);
      // The schema that a model gets has the same meaning, in terms of JSON Schema.
      const shown = modelSchema(schema);
      expect(JSON.stringify(shown)).not.toContain('"nullable":true');
      for (const a of fitting) expect(faults(shown, { a }), JSON.stringify(a)).toEqual([]);
      expect(faults(shown, { a: unfitting })).not.toEqual([]);
    },
  );

  it("models see a tool's arguments as JSON Schema with its references resolved", () => {
    const schema = {
      type: "object",
      properties: { a: { $ref: "#/$defs/size" }, b: { default: { nullable: true }, description: "B" } },
      $defs: { size: { type: "string", nullable: true } },
      nullable: true,
    };
    expect(modelSchema(schema)).toEqual({
      type: "object",
      properties: { a: { type: ["string", "null"] }, b: { default: { nullable: true }, description: "B" } },
    });
  });

  it.each(["^(a+)+$", "^(a|a)*$", "^(.*a){20}$", "(x+x+)+y", "^(\\w+\\s?)*$"])(
    "any argument is checked against the pattern %s without backtracking",
    (pattern) => {
      expect(faults(of({ pattern }), { a: `${"a".repeat(3_900)}!` })).toEqual([`a must match the pattern ${pattern}`]);
    },
  );

  it("must be an object that is not too large to be checked", () => {
    for (const args of [null, [], "x", 1, undefined])
      expect(faults({}, args)).toEqual(["the arguments must be an object"]);
    expect(faults({}, { a: "x".repeat(40_000) })[0]).toMatch(/must not be larger than/);
    expect(faults({}, { a: new Array(3_000).fill(1) })[0]).toMatch(/must not be larger than/);
    expect(faults(of({ type: "string" }), { "\ud800": 1, a: 1 })).toHaveLength(1);
  });

  it("are checked by the patterns of their own schema only", () => {
    const [strict, loose] = [of({ pattern: "^x$" }), of({ format: "pattern ^x$" })];
    expect(faults(strict, { a: "y" })).toHaveLength(1);
    expect(faults(loose, { a: "y" })).toEqual([]);
  });

  it("can be checked for every tool of the catalogue", () => {
    for (const { name, schema } of CATALOG.tools) expect(checkSchema(schema), name).toBeNull();
  });
});
