/**
 * `npm run api-types`: what the SDK and the console know of the API from its OpenAPI document: its types, and its operations as
 * methods of the SDK and with their scopes. Nothing is done if they were generated from the sources as they are.
 */
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hashOf } from "../hash-of.ts";
import { ROOT } from "../paths.ts";

/** The types of the whole API: the SDK gives them to others, the console among them. */
const TYPES = join(ROOT, "packages/sdk/src/schema.d.ts");
/** The methods of the SDK's client that are one operation each. */
const OPERATIONS = join(ROOT, "packages/sdk/src/operations.ts");
const SCOPES = join(ROOT, "src/browser/console/api/operation-scopes.ts");
/** The parts of `src` that the API's description does not depend on. */
const OTHER_PARTS = ["browser", "dev"];

const head = `// Generated from /openapi.json by \`npm run api-types\`; sources ${await hashOf(await sources())}\n\n`;
const files = [TYPES, OPERATIONS, SCOPES];
const [types, ...others] = await Promise.all(files.map((file) => readFile(file, "utf8").catch(() => "")));
if (!types?.startsWith(head) || others.includes("")) {
  // Loading the generator and the service takes seconds, so that both wait until they are needed.
  const [{ typesOf }, { operationsOf }, { scopesOf }, { openApiDocument }] = await Promise.all([
    import("./types-of.ts"),
    import("../../../packages/sdk/generate/operations-of.ts"),
    import("./scopes-of.ts"),
    import("./document.ts"),
  ]);
  const document = await openApiDocument();
  // What is built into the console changes only with a scope; the types record what all were generated from.
  const generated = "// Generated from /openapi.json by `npm run api-types`\n\n";
  await put(SCOPES, generated + scopesOf(document));
  await put(OPERATIONS, generated + operationsOf(document));
  await put(TYPES, head + (await typesOf(document)));
}

/** Two builds at once must not read each other's half-written file. */
async function put(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`;
  await writeFile(draft, text);
  await rename(draft, file);
}

async function sources(): Promise<string[]> {
  const parts = (await readdir(join(ROOT, "src"))).filter((part) => !OTHER_PARTS.includes(part));
  const generators = [import.meta.dirname, join(ROOT, "packages/sdk/generate")];
  return [...parts.map((part) => join(ROOT, "src", part)), ...generators, join(ROOT, "package-lock.json")];
}
