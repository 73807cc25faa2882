import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hashOf } from "./hash-of.ts";
import { ASSETS, DIST, ROOT, WORKER } from "./paths.ts";

/** An output that a script builds from sources. */
interface Build {
  /** The name shown to people. */
  title: string;
  sources: string[];
  /** A file that the script writes last. */
  output: string;
  script: string;
  /** A script that generates some of the sources. */
  generator?: string;
}

const BUILDS = {
  /**
   * The static files. Their sources are `src/browser` with everything that it may import, the pages' texts, the build
   * scripts, and the libraries.
   */
  assets: {
    title: "the console, the widget and the pages",
    sources: [
      "src/browser",
      "src/agent/knowledge/readers",
      "packages/sdk/src",
      "src/lists",
      "src/kernel/rendering",
      "src/kernel/scopes.ts",
      "src/kernel/time.ts",
      "src/dev",
      "docs",
      "package-lock.json",
    ],
    output: join(ASSETS, "_headers"),
    script: "gather-assets.ts",
    // The console imports the generated scopes of the operations.
    generator: "api-types/index.ts",
  },
  /** The Worker as `npm start` serves it. */
  worker: {
    title: "the Worker",
    sources: [
      ...[
        "index.ts",
        "app.ts",
        "kernel",
        "lists",
        "records",
        "agent",
        "phone",
        "account",
        "conversation",
        "campaign",
        "dev",
      ].map((part) => `src/${part}`),
      ...["wrangler.toml", "tsconfig.json", "package-lock.json"],
    ],
    output: WORKER,
    script: "build-worker.ts",
  },
} satisfies Record<string, Build>;

export type BuildName = keyof typeof BUILDS;
export const BUILD_NAMES = Object.keys(BUILDS) as BuildName[];

/**
 * Runs the build in its own process, unless the sources have not changed since the last build.
 * @throws Error if the build fails; the process has then printed the reason
 */
export async function ensureBuilt(name: BuildName): Promise<void> {
  const { title, sources, output, script, generator }: Build = BUILDS[name];
  if (generator) await run(generator, title);
  // The service is configured with this folder, so it must exist even while it is empty.
  await mkdir(ASSETS, { recursive: true });
  const note = join(DIST, `${name}-built-from`);
  const hash = await hashOf(sources.map((path) => join(ROOT, path)));
  const [builtFrom, exists] = await Promise.all([
    readFile(note, "utf8").catch(() => ""),
    stat(output).catch(() => null),
  ]);
  if (builtFrom === hash && exists) return;
  console.log(`building ${title}`);
  await run(script, title);
  await writeFile(note, hash);
}

async function run(script: string, title: string): Promise<void> {
  const builder = spawn(process.execPath, [join(import.meta.dirname, script)], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = await once(builder, "exit");
  if (code !== 0) throw new Error(`${title} could not be built`);
}
