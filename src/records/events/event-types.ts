import { OpenAPIHono } from "@hono/zod-openapi";
import { exampleOf } from "../../kernel/http/openapi-examples.ts";
import type { Json } from "../../kernel/http/openapi-json.ts";
import { isObject } from "../../kernel/objects.ts";
import { EVENT_TYPES, EVENTS, type EventType } from "./types.ts";

/** A type of events as clients see it. */
interface DescribedType {
  type: EventType;
  schema: Json;
  example: Json;
}

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
let described: DescribedType[] | undefined;

/** Every type of events with its schema and an example, from the schemas that emitters are typed by. */
export function describedTypes(): DescribedType[] {
  described ??= describe();
  return described;
}

function describe(): DescribedType[] {
  const { openAPIRegistry, getOpenAPI31Document } = new OpenAPIHono();
  for (const type of EVENT_TYPES) openAPIRegistry.register(type, EVENTS[type]);
  const { components } = getOpenAPI31Document({ openapi: "3.1.0", info: { title: "", version: "" } });
  return EVENT_TYPES.map((type) => {
    const keywords = Object.entries(components?.schemas?.[type] ?? {});
    const schema: Json = Object.fromEntries([["$schema", DIALECT], ...keywords]);
    const example = exampleOf(schema, {});
    if (!isObject(example)) throw new TypeError(`a field of ${type} has no example`);
    return { type, schema, example };
  });
}
