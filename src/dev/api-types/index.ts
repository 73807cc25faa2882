/** `npm run api-types`: the console's types of the API, from the OpenAPI document that the service itself serves. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import openapiTypes, { astToString } from "openapi-typescript";
import { bundleWorker } from "../bundle.ts";
import { ROOT } from "../paths.ts";
import { startRuntime, variables } from "../runtime.ts";

const HEAD = "// Generated from /openapi.json by `npm run api-types`; not to be changed by hand.\n\n";
/** What of the document says nothing about types. */
const WORDS = new Set(["description", "summary", "example", "examples"]);

const runtime = await startRuntime({ script: await bundleWorker(), variables: variables(process.env) });
try {
  const response = await runtime.dispatchFetch("http://localhost/openapi.json");
  if (!response.ok) throw new Error(`/openapi.json answers ${response.status}`);
  const types = await openapiTypes(withoutWords(await response.json()) as Parameters<typeof openapiTypes>[0]);
  await writeFile(join(ROOT, "src/console/api/schema.d.ts"), HEAD + astToString(types));
} finally {
  await runtime.dispose();
}

/** The document without its prose: a field may be called `description` or `summary` too, and is an object then. */
function withoutWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutWords);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key, part]) => {
    return !WORDS.has(key) || ((key === "description" || key === "summary") && typeof part === "object");
  });
  return Object.fromEntries(kept.map(([key, part]) => [key, withoutWords(part)]));
}
