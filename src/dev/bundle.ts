import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join, parse, resolve } from "node:path";
import { type BuildFailure, type BuildOptions, build, formatMessages } from "esbuild";
import { readConfiguration } from "./configuration.ts";
import { ROOT, WORKER } from "./paths.ts";

/** The Worker as `npm start` serves it. */
export const DEV_WORKER = "src/dev/worker/worker.ts";

/** The options with which wrangler calls esbuild; `.ci/run` compares the result with the bundle of a deployment. */
const AS_WRANGLER_DOES: BuildOptions = {
  absWorkingDir: ROOT,
  bundle: true,
  format: "esm",
  platform: "browser",
  conditions: ["workerd", "worker", "browser"],
  target: "es2024",
  supported: { "import-source": true, using: true },
  loader: { ".js": "jsx", ".mjs": "jsx", ".cjs": "jsx" },
  define: {
    "navigator.userAgent": '"Cloudflare-Workers"',
    "process.env.NODE_ENV": '"production"',
    "global.process.env.NODE_ENV": '"production"',
    "globalThis.process.env.NODE_ENV": '"production"',
  },
  external: ["cloudflare:*", "node:async_hooks"],
  sourcemap: true,
  logLevel: "silent",
};

/**
 * Builds the Worker as a deployment does, without starting wrangler, which takes seconds. Returns the path of the main
 * module. `main` replaces the deployed entry point.
 * @throws Error with the bundler's message
 */
export async function bundleWorker({ main, outdir = dirname(WORKER) }: { main?: string; outdir?: string } = {}) {
  const configuration = await readConfiguration();
  const entry = resolve(ROOT, main ?? configuration.main);
  await mkdir(outdir, { recursive: true });
  const options = { entryPoints: [entry], outdir, sourceRoot: outdir, keepNames: configuration.keepNames };
  try {
    const { outputFiles } = await build({ ...AS_WRANGLER_DOES, ...options, write: false });
    for (const { path, contents } of outputFiles) await replace(path, contents);
  } catch (error) {
    const { errors } = error as BuildFailure;
    throw new Error(
      `the Worker does not build\n${(await formatMessages(errors ?? [], { kind: "error" })).join("") || error}`,
    );
  }
  return join(outdir, `${parse(entry).name}.js`);
}

/** Replaces a file atomically, because it may be read at the same time. */
async function replace(path: string, content: Uint8Array): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, content);
  await rename(draft, path);
}
