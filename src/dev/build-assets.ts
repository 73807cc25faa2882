/** Gathers the static files served beside the Worker into dist/assets; wrangler runs it before every build. */
import { copyFile, cp, mkdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ROOT } from "./paths.ts";

const assets = join(ROOT, "dist/assets");
const swagger = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

await rm(assets, { recursive: true, force: true });
await mkdir(assets, { recursive: true });
await cp(join(ROOT, "src/http/docs-page"), join(assets, "docs"), { recursive: true });
for (const file of ["swagger-ui-bundle.js", "swagger-ui.css"]) {
  await copyFile(join(swagger, file), join(assets, "docs", file));
}
await writeFile(
  join(assets, "_headers"),
  "/docs/*\n  X-Content-Type-Options: nosniff\n  Cache-Control: public, max-age=86400\n",
);
