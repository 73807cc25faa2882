import { describe, expect, it } from "vitest";
import { EVENTS } from "../../src/campaigns/streams-contract.ts";
import { call } from "../support/client.ts";

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  example?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
}
/** Fields and parameters of every list there is. */
const PAGING = ["limit", "offset", "total"];

interface Operation {
  operationId: string;
  tags: string[];
  parameters?: { $ref?: string; name: string; description?: string; schema: Schema }[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const document = async () => (await call<Document>("GET", "/openapi.json")).body;

/** The fields below a schema that lack words, or an example where they hold a value. */
function* wordless(schema: Schema, path: string): Generator<string> {
  for (const part of [schema.items, ...(schema.allOf ?? [])]) if (part) yield* wordless(part, path);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const where = `${path}.${name}`;
    if (field.$ref || PAGING.includes(name)) continue;
    if (!field.description) yield `${where} has no description`;
    const holdsOthers = field.properties ?? field.items?.properties ?? field.items?.$ref;
    if (field.example === undefined && !holdsOthers) yield `${where} has no example`;
    yield* wordless(field, where);
  }
}

describe("the description of campaigns", () => {
  it("has words and an example for every field of an answer and of an event", async () => {
    const { components, paths } = await document();
    const given = new Set<string>();
    for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
      if (!operation.tags.includes("Campaigns")) continue;
      for (const answer of Object.values(operation.responses))
        for (const { schema } of Object.values(answer.content ?? {}))
          given.add(schema.$ref?.split("/").at(-1) ?? operation.operationId);
    }
    expect(given).toContain("Campaign");
    expect(given).toContain("CampaignPlan");
    const events = Object.entries(components.schemas).filter(([name]) => /^(Campaign|Contact)\w*Event$/.test(name));
    expect(events.filter(([, { properties, allOf }]) => properties ?? allOf)).toHaveLength(Object.keys(EVENTS).length);
    const shown = Object.entries(components.schemas).filter(([name]) => given.has(name) && name !== "Problem");
    const lacking = [...shown, ...events].flatMap(([name, schema]) => [...wordless(schema, name)]);
    expect([...new Set(lacking)]).toEqual([]);
  });

  it("has words and an example for every parameter", async () => {
    const { paths } = await document();
    const lacking = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .filter(({ tags }) => tags.includes("Campaigns"))
      .flatMap(({ operationId, parameters = [] }) => parameters.map((parameter) => ({ operationId, parameter })))
      .filter(({ parameter: { $ref, name } }) => !$ref && !PAGING.includes(name))
      .filter(({ parameter: { description, schema } }) => !(description ?? schema.description) || isBare(schema))
      .map(({ operationId, parameter: { name } }) => `${operationId} ${name}`);
    expect(lacking).toEqual([]);
  });
});

/** Without an example or a default that would show what is meant. */
function isBare(schema: Schema & { default?: unknown }): boolean {
  return schema.example === undefined && schema.default === undefined;
}
