/**
 * `npm run api-types`: the console's types of the API, from its OpenAPI document. Nothing is done if they were generated
 * from the sources as they are.
 */
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hashOf } from "../hash-of.ts";
import { ROOT } from "../paths.ts";

const OUTPUT = join(ROOT, "src/browser/console/api/schema.d.ts");
/** The parts of `src` that the API's description does not depend on. */
const OTHER_PARTS = ["browser", "dev"];

const head = `// Generated from /openapi.json by \`npm run api-types\`; sources ${await hashOf(await sources())}\n\n`;
const existing = await readFile(OUTPUT, "utf8").catch(() => "");
if (!existing.startsWith(head)) {
  // Loading the generator and the service takes seconds, so that both wait until they are needed.
  const [{ typesOf }, { openApiDocument }] = await Promise.all([import("./types-of.ts"), import("./document.ts")]);
  const types = await typesOf(await openApiDocument());
  // Two builds at once must not read each other's half-written file.
  const draft = `${OUTPUT}.${process.pid}.tmp`;
  await writeFile(draft, head + types);
  await rename(draft, OUTPUT);
}

async function sources(): Promise<string[]> {
  const parts = (await readdir(join(ROOT, "src"))).filter((part) => !OTHER_PARTS.includes(part));
  return [...parts.map((part) => join(ROOT, "src", part)), import.meta.dirname, join(ROOT, "package-lock.json")];
}
