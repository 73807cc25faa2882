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
  await writeFile(join(ROOT, "src/browser/console/api/schema.d.ts"), HEAD + astToString(types));
} finally {
  await runtime.dispose();
}

/** The document without its prose; what stands in `properties` are fields, which may be called as prose is. */
function withoutWords(value: unknown, areFields = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutWords(each));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => areFields || !WORDS.has(key));
  return Object.fromEntries(kept.map(([key, part]) => [key, withoutWords(part, key === "properties" && !areFields)]));
}
