import openapiTypes, { astToString } from "openapi-typescript";

/** Keywords of prose, which does not affect types. */
const PROSE = new Set(["description", "summary", "example", "examples"]);

/** Generates the TypeScript types of an OpenAPI document. */
export async function typesOf(document: unknown): Promise<string> {
  return astToString(await openapiTypes(withoutProse(document) as Parameters<typeof openapiTypes>[0]));
}

/** Removes the prose of a document. Keys of `properties` are kept, because fields may have the names of prose. */
function withoutProse(value: unknown, areFields = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutProse(each));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => areFields || !PROSE.has(key));
  return Object.fromEntries(kept.map(([key, part]) => [key, withoutProse(part, key === "properties" && !areFields)]));
}
