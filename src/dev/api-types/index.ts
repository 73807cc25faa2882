/**
 * `npm run api-types` generates from the OpenAPI document the types and methods of the SDK, and the scopes of the
 * operations for the console. Does nothing if the sources have not changed since.
 */
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hashOf } from "../hash-of.ts";
import { ROOT } from "../paths.ts";

/** The types of the whole API, which the SDK exports and the console imports. */
const TYPES = join(ROOT, "packages/sdk/src/schema.d.ts");
/** The methods of the SDK's client that each call one operation. */
const OPERATIONS = join(ROOT, "packages/sdk/src/operations.ts");
const SCOPES = join(ROOT, "src/browser/console/api/operation-scopes.ts");
/** The parts of `src` that the API's description does not depend on. */
const OTHER_PARTS = ["browser", "dev"];

const head = `// Generated from /openapi.json by \`npm run api-types\`; sources ${await hashOf(await sources())}\n\n`;
const files = [TYPES, OPERATIONS, SCOPES];
const [types, ...others] = await Promise.all(files.map((file) => readFile(file, "utf8").catch(() => "")));
if (!types?.startsWith(head) || others.includes("")) {
  // Loading the generator and the service takes seconds, so they are loaded only when needed.
  const [{ typesOf }, { operationsOf }, { scopesOf }, { openApiDocument }] = await Promise.all([
    import("./types-of.ts"),
    import("../../../packages/sdk/generate/operations-of.ts"),
    import("./scopes-of.ts"),
    import("./document.ts"),
  ]);
  const document = await openApiDocument();
  // The scopes contain no hash of the sources, so that the console's build changes only if a scope changes. The types
  // contain it.
  const generated = "// Generated from /openapi.json by `npm run api-types`\n\n";
  await put(SCOPES, generated + scopesOf(document));
  await put(OPERATIONS, generated + operationsOf(document));
  await put(TYPES, head + (await typesOf(document)));
}

/** Replaces a file atomically, so that concurrent builds never read a half-written one. */
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
