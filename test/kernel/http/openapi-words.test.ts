import { dereference, type Schema, validate } from "@cfworker/json-schema";
import { describe, expect, it } from "vitest";
import { EXAMPLE_IDS } from "../../../src/kernel/http/example-ids.ts";
import { served } from "../../../src/kernel/http/serve.ts";
import {
  bodiesOf,
  type Document,
  isObject,
  type Json,
  operationsOf,
  propertiesOf,
  reference,
  schemasOf,
} from "./reference.ts";

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

interface Field {
  path: string;
  property: { description?: unknown; example?: unknown } & object;
}

/**
 * Returns everything that needs a description: operations, parameters, and every property of requests and responses.
 */
function contentsOf(document: Document) {
  const operations = operationsOf(document);
  const schemas = schemasOf(
    document,
    operations.map(({ operation }) => operation),
  );
  const parameters: Field[] = [
    ...Object.entries(document.components.parameters).map(([path, property]) => ({ path, property })),
    ...operations.flatMap(({ name, operation }) =>
      (operation.parameters ?? [])
        .filter(({ $ref }) => !$ref)
        .map((property) => ({ path: `${name} ${property.name}`, property })),
    ),
  ];
  const properties = [...schemas].flatMap(([name, schema]) => [...propertiesOf(schema, name)]);
  return { operations, schemas, parameters, properties };
}

const isBytes = ({ format }: Json) => format === "binary";

/** Checks whether a value without an example of its own is shown field by field. */
function hasFields(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  if ("$ref" in schema || isObject(schema.properties)) return true;
  if (isObject(schema.items)) return hasFields(schema.items);
  if (isObject(schema.additionalProperties)) return hasFields(schema.additionalProperties);
  const parts = [schema.allOf, schema.anyOf, schema.oneOf].flat().filter(isObject);
  return parts.length > 0 && parts.every((part) => part.type === "null" || hasFields(part));
}

/** Checks whether a description only repeats the field's name. */
function repeatsItsName({ path, property }: Field): boolean {
  const words = (text: string) => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const documented = new Set([
    ...words(path.split(/[ .]/).at(-1)?.replaceAll("_", " ") ?? ""),
    ..."the a an of its is it".split(" "),
  ]);
  return words(String(property.description)).every((word) => documented.has(word));
}

describe("the reference", () => {
  it("describes every operation, parameter and field", async () => {
    const { operations, schemas, parameters, properties } = contentsOf(await reference());
    const fields: Field[] = [...parameters, ...properties];
    const missing = [
      ...operations.filter(({ operation }) => !operation.summary || !operation.description).map(({ name }) => name),
      ...fields.filter(({ property }) => !property.description).map(({ path }) => path),
    ];
    console.info(
      `${operations.length} operations, ${parameters.length} parameters, ${properties.length} fields of ${schemas.size} schemas: ${missing.length} without words`,
    );
    expect(missing).toEqual([]);
    expect(fields.filter(repeatsItsName).map(({ path }) => path)).toEqual([]);
  });

  it("shows an example of every parameter, field, request and response", async () => {
    const { operations, parameters, properties } = contentsOf(await reference());
    const bare = [
      ...parameters.filter(({ property }) => !("example" in property)),
      ...properties.filter(({ property }) => !("example" in property) && !hasFields(property) && !isBytes(property)),
    ];
    const bodies = operations.flatMap(({ name, operation }) =>
      bodiesOf(operation)
        .filter(({ type, media }) => type !== "application/problem+json" && !isBytes(media.schema))
        .filter(({ media }) => !("example" in media) && !("examples" in media))
        .map(({ type }) => `${name} ${type}`),
    );
    const own = properties.filter(({ property }) => "example" in property).length;
    console.info(`${own} of ${properties.length} fields have their own example, the others show their own fields`);
    expect([...bare.map(({ path }) => path), ...bodies]).toEqual([]);
  });

  it("names every schema that is used twice", async () => {
    const places = new Map<string, string[]>();
    const { schemas, properties } = contentsOf(await reference());
    const inline = [...schemas].map(([path, property]) => ({ path, property: property as Json }));
    for (const { path, property } of [...inline, ...properties]) {
      for (const schema of [property, property.items].filter(isObject)) {
        if (!isObject(schema.properties) || Object.keys(schema.properties).length < 2) continue;
        const { description, example, ...shape } = schema;
        const key = JSON.stringify(shape);
        places.set(key, [...(places.get(key) ?? []), path]);
      }
    }
    // An event's schema must be complete, because receivers validate with it alone.
    const outsideEvents = [...places.values()].map((twins) => twins.filter((path) => !path.startsWith("Event")));
    expect(outsideEvents.filter((twins) => twins.length > 1)).toEqual([]);
  });
});

describe("the reference's examples", () => {
  it("match the schemas beside them", async () => {
    const document = await reference();
    const { operations, parameters, properties } = contentsOf(document);
    const examples: { where: string; schema: Json; example: unknown }[] = [];
    for (const { path, property } of [...parameters, ...properties]) {
      const schema = "schema" in property ? (property.schema as Json) : (property as Json);
      if ("example" in property) examples.push({ where: path, schema, example: property.example });
    }
    for (const { name, operation } of operations) {
      for (const { type, media } of bodiesOf(operation)) {
        const { schema } = media;
        if ("example" in media) examples.push({ where: `${name} ${type}`, schema, example: media.example });
        for (const [event, { value }] of Object.entries(media.examples ?? {}))
          examples.push({ where: `${name} ${event}`, schema, example: value });
      }
    }
    // All examples are validated in one document, because resolving the references takes longer than validating.
    const allOf = examples.map(({ schema }) => ({ allOf: [schema] }));
    const whole = { $id: "https://switchboard.test/", components: document.components, allOf } as Schema;
    const places = dereference(whole);
    const wrong = examples.flatMap(({ where, example }, i) => {
      const { errors } = validate(example, places[`${whole.$id}#/allOf/${i}`] ?? false, "2020-12", places);
      return errors.map(({ error, instanceLocation }) => `${where} ${instanceLocation}: ${error}`);
    });
    console.info(`${examples.length} examples`);
    expect(wrong).toEqual([]);
  });

  it("use one id for each kind of thing", async () => {
    const exampleIds = new Set<string>(Object.values(EXAMPLE_IDS));
    const ids = JSON.stringify(await reference()).match(UUID) ?? [];
    expect([...new Set(ids)].filter((id) => !exampleIds.has(id))).toEqual([]);
  });

  it("pass the validation of requests", async () => {
    const { operations } = contentsOf(await reference());
    for (const { operation } of operations) {
      const { body } = served.find(({ operationId }) => operationId === operation.operationId) ?? {};
      const example = operation.requestBody?.content["application/json"]?.example;
      if (body) expect(body.safeParse(example).error?.issues, operation.operationId).toBeUndefined();
    }
  });
});
