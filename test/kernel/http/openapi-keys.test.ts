import { describe, expect, it } from "vitest";
import { isObject, type Json, reference } from "./reference.ts";

/** The keywords of JSON Schema (2020-12) and OpenAPI that the document uses. */
const KEYWORDS = [
  ..."$ref type enum const allOf anyOf oneOf properties required additionalProperties items".split(" "),
  ..."minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format".split(" "),
  ..."minItems maxItems uniqueItems minProperties maxProperties propertyNames".split(" "),
  ..."title description example discriminator deprecated readOnly writeOnly".split(" "),
];

/** Yields every schema in an object of schemas, with its path. */
function* schemaObjects(schemas: unknown, path: string[] = []): Generator<{ path: string[]; object: Json }> {
  for (const [name, schema] of Object.entries(isObject(schemas) || Array.isArray(schemas) ? schemas : {})) {
    if (!isObject(schema)) continue;
    const at = [...path, name];
    yield { path: at, object: schema };
    const { properties, items, additionalProperties, allOf, anyOf, oneOf } = schema;
    yield* schemaObjects(properties, at);
    yield* schemaObjects({ items, additionalProperties }, at);
    for (const parts of [allOf, anyOf, oneOf]) yield* schemaObjects(parts, at);
  }
}

describe("the reference's schemas", () => {
  it("allow null as an alternative to a reference, never together with it", async () => {
    const { components } = await reference();
    const nullable = (part: unknown) => isObject(part) && [part.type].flat().includes("null");
    const all = [...schemaObjects(components.schemas)];
    const both = all.filter(({ object }) => [object.allOf].flat().some(nullable));
    expect(both.map(({ path }) => path.join("."))).toEqual([]);
    const either = all.filter(({ object }) => [object.anyOf].flat().some(nullable));
    expect(either.map(({ path }) => path.join("."))).toContain("UpdateAccountRequest.caps");
  });

  it("have only keywords of the specifications, and no empty descriptions", async () => {
    const { components } = await reference();
    for (const { path, object } of schemaObjects(components.schemas)) {
      expect(
        Object.keys(object).filter((key) => !KEYWORDS.includes(key)),
        path.join("."),
      ).toEqual([]);
      expect(object.description, path.join(".")).not.toBe("");
    }
  });
});
