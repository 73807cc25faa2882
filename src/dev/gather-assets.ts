/**
 * Builds the static files: the guides and the API reference, the widget, the console. Replaces each file atomically, so
 * that a running service or another build never reads a missing or half-written one.
 */
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { type BuildOptions, build, type Plugin, transform } from "esbuild";
import { buildConsole, removeOldFiles } from "./build-console.ts";
import { buildGuides } from "./guides/build-guides.ts";
import { ASSETS, DIST, ROOT } from "./paths.ts";

const swagger = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

// The oldest browsers that support the widget's styles and private members.
const target = ["chrome111", "firefox113", "safari16.4"];
const styleSheets: Plugin = {
  name: "style sheets as minified text",
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, "utf8"), { loader: "css", minify: true, target });
      return { contents: code.trim(), loader: "text" };
    });
  },
};

const forBrowsers: BuildOptions = {
  bundle: true,
  minify: true,
  target,
  plugins: [styleSheets],
  legalComments: "none",
};

await gatherAssets();

/** Builds everything and puts it in place. */
async function gatherAssets(): Promise<void> {
  await mkdir(DIST, { recursive: true });
  const assets = await mkdtemp(join(DIST, "assets-"));

  const [docsHeaders, consoleHeaders] = await Promise.all([
    buildDocs(assets),
    buildConsole(assets),
    build({
      ...forBrowsers,
      entryPoints: [join(ROOT, "src/browser/widget/index.ts")],
      outfile: join(assets, "widget.js"),
      format: "iife",
    }),
    // The widget loads this script if a page asks for voice.
    build({
      ...forBrowsers,
      entryPoints: [join(ROOT, "src/browser/widget/voice/index.ts")],
      outfile: join(assets, "widget-voice.js"),
      format: "esm",
    }),
    // Runs in Workers that are each loaded for one document.
    build({
      bundle: true,
      minify: true,
      target: "es2024",
      conditions: ["workerd", "worker", "browser"],
      external: ["cloudflare:*"],
      legalComments: "none",
      entryPoints: [join(ROOT, "src/agent/knowledge/readers/apart/worker.ts")],
      outfile: join(assets, "readers/document-reader.js"),
      format: "esm",
    }),
  ]);
  await writeFile(
    join(assets, "_headers"),
    `${docsHeaders}${consoleHeaders}/widget.js
  Access-Control-Allow-Origin: *
  Cross-Origin-Resource-Policy: cross-origin
  X-Content-Type-Options: nosniff
  Cache-Control: public, max-age=300, stale-while-revalidate=86400
/widget-voice.js
  Access-Control-Allow-Origin: *
  Cross-Origin-Resource-Policy: cross-origin
  X-Content-Type-Options: nosniff
  Cache-Control: public, max-age=300, stale-while-revalidate=86400
`,
  );

  for (const entry of await readdir(assets, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const file = join(entry.parentPath, entry.name);
    const to = join(ASSETS, relative(assets, file));
    await mkdir(dirname(to), { recursive: true });
    await rename(file, to);
  }
  await rm(assets, { recursive: true });
  await removeOldFiles(ASSETS);
}

/** Writes the pages under /docs with the files that they load, and returns the rules for their headers. */
async function buildDocs(assets: string): Promise<string> {
  await cp(join(ROOT, "src/browser/docs"), join(assets, "docs"), { recursive: true });
  await copyFile(join(swagger, "swagger-ui-bundle.js"), join(assets, "docs/swagger-ui-bundle.js"));
  // In a layer, so that the page's own styles override it even if it is more specific.
  const swaggerStyles = await readFile(join(swagger, "swagger-ui.css"), "utf8");
  await writeFile(join(assets, "docs/swagger-ui.css"), `@layer swagger {${swaggerStyles}}`);
  const headers = await buildGuides(assets);
  await cp(join(ROOT, "docs/pictures"), join(assets, "docs/pictures"), { recursive: true });
  return headers;
}
