/**
 * `npm run api-changes` fails if /openapi.json breaks clients of the newest release (`docs/releases`) without an
 * announcement in the change log. `npm run api-release` writes the document of this version, and the hashes of its
 * migrations and of its objects' steps.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openApiDocument } from "../api-types/document.ts";
import { ROOT } from "../paths.ts";
import { announcedBreaks } from "./announced.ts";
import { breaksBetween } from "./breaks.ts";
import type { OpenApi } from "./document.ts";
import { releaseSchema } from "./schema.ts";

const RELEASES = join(ROOT, "docs/releases");

const document = (await openApiDocument()) as OpenApi;
if (process.argv[2] === "--release") {
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as { version: string };
  await releaseSchema();
  await writeFile(join(RELEASES, `openapi-${version}.json`), `${JSON.stringify(document, null, 1)}\n`);
} else {
  const newest = (await readdir(RELEASES))
    .filter((file) => /^openapi-.*\.json$/.test(file))
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .at(-1);
  if (newest === undefined) throw new Error("docs/releases has no document: write one with npm run api-release");
  const released = JSON.parse(await readFile(join(RELEASES, newest), "utf8")) as OpenApi;
  const announced = announcedBreaks(await readFile(join(ROOT, "CHANGELOG.md"), "utf8"));
  const unannounced = breaksBetween(released, document).filter(({ subject }) => !announced.has(subject));
  for (const { subject, change } of unannounced) console.error(`${subject}: ${change}`);
  if (unannounced.length > 0) {
    console.error(
      `\nThis breaks clients of ${newest}. See docs/stability.md for what may change and how to announce it.`,
    );
    process.exitCode = 1;
  }
}
