/** Writes the pages under /docs: the reference, every document in docs/, and the page for missing ones. */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ROOT } from "../paths.ts";
import { documentPage, type FileAddress, indexPage, movedPage, notFoundPage, referencePage } from "./layout.ts";
import { readPages } from "./pages.ts";

/** Old names of documents, whose links redirect to the new ones. */
const MOVED = { deploying: "deploy", identity: "sign-in" };

/** Scripts are loaded only from this host, and nothing from other hosts. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
/** Swagger UI sets style attributes. */
const REFERENCE_POLICY = POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");

const HEADERS = `  Cross-Origin-Opener-Policy: same-origin
  Referrer-Policy: no-referrer
  Strict-Transport-Security: max-age=31536000; includeSubDomains
  X-Content-Type-Options: nosniff
  X-Frame-Options: DENY`;

/**
 * Writes the pages into the static files' folder, whose `docs` folder holds their styles and scripts, and returns the
 * rules for their headers. Browsers revalidate the pages each time, as with all static files.
 */
export async function buildGuides(assets: string): Promise<string> {
  const files = await versionedFiles(join(assets, "docs"));
  const address: FileAddress = (name) => {
    const version = files.get(name);
    if (version === undefined) throw new Error(`there is no file ${name} under /docs`);
    return `/docs/${name}?v=${version}`;
  };
  const pages = await readPages(join(ROOT, "docs"));
  const write = async (path: string, html: string) => {
    const target = join(assets, `${path}.html`);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, html);
  };
  await write("docs", referencePage(address, pages));
  await write("docs/guides", indexPage(address, pages));
  await write("docs/not-found", notFoundPage(address));
  for (const page of pages) await write(page.path, documentPage(address, page, pages));
  for (const [old, name] of Object.entries(MOVED)) await write(`docs/${old}`, movedPage(`/docs/${name}`));
  // The guides for AI assistants (src/mcp/guides.ts).
  const written = pages.map(({ name, title, summary, markdown }) => ({ name, title, summary, markdown }));
  await writeFile(join(assets, "docs", "pages.json"), JSON.stringify(written));
  const kept = [...files.keys()].map((name) => `/docs/${name}\n  Cache-Control: public, max-age=86400\n`);
  return `/docs\n  Content-Security-Policy: ${REFERENCE_POLICY}\n${HEADERS}\n/docs/*\n  Content-Security-Policy: ${POLICY}\n${HEADERS}\n${kept.join("")}`;
}

/** Returns each file's name with a hash of its content, so that a page never loads files of another release. */
async function versionedFiles(folder: string): Promise<Map<string, string>> {
  const versions = new Map<string, string>();
  for (const name of await readdir(folder)) {
    const digest = createHash("sha256")
      .update(await readFile(join(folder, name)))
      .digest("hex");
    versions.set(name, digest.slice(0, 8));
  }
  return versions;
}
