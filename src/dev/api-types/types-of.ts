import openapiTypes, { astToString } from "openapi-typescript";

/** The document's prose, which does not concern types. */
const PROSE = new Set(["description", "summary", "example", "examples"]);

/** TypeScript's types of what an OpenAPI document describes. */
export async function typesOf(document: unknown): Promise<string> {
  return astToString(await openapiTypes(withoutProse(document) as Parameters<typeof openapiTypes>[0]));
}

/** The document without its prose; `properties` holds fields, which may have the names of prose. */
function withoutProse(value: unknown, areFields = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutProse(each));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => areFields || !PROSE.has(key));
  return Object.fromEntries(kept.map(([key, part]) => [key, withoutProse(part, key === "properties" && !areFields)]));
}
