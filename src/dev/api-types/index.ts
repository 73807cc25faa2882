/**
 * `npm run api-types`: what the SDK and the console know of the API from its OpenAPI document, its types and the scopes of its
 * operations. Nothing is done if they were generated from the sources as they are.
 */
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hashOf } from "../hash-of.ts";
import { ROOT } from "../paths.ts";

/** The types of the whole API: the SDK gives them to others, the console among them. */
const TYPES = join(ROOT, "packages/sdk/src/schema.d.ts");
const SCOPES = join(ROOT, "src/browser/console/api/operation-scopes.ts");
/** The parts of `src` that the API's description does not depend on. */
const OTHER_PARTS = ["browser", "dev"];

const head = `// Generated from /openapi.json by \`npm run api-types\`; sources ${await hashOf(await sources())}\n\n`;
const [types, scopes] = await Promise.all([TYPES, SCOPES].map((file) => readFile(file, "utf8").catch(() => "")));
if (!types?.startsWith(head) || scopes === "") {
  // Loading the generator and the service takes seconds, so that both wait until they are needed.
  const [{ typesOf }, { scopesOf }, { openApiDocument }] = await Promise.all([
    import("./types-of.ts"),
    import("./scopes-of.ts"),
    import("./document.ts"),
  ]);
  const document = await openApiDocument();
  // What is built into the console changes only with a scope; the types record what both were generated from.
  await put(SCOPES, `// Generated from /openapi.json by \`npm run api-types\`\n\n${scopesOf(document)}`);
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
  return [...parts.map((part) => join(ROOT, "src", part)), import.meta.dirname, join(ROOT, "package-lock.json")];
}
