import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hashOf } from "./hash-of.ts";
import { DIST, ROOT, WRANGLER_CONFIG } from "./paths.ts";

/** The Worker's settings in wrangler.toml. */
export interface Configuration {
  name: string;
  /** The main module's path. */
  main: string;
  keepNames: boolean;
  vars: Record<string, unknown>;
  /** The remaining settings, in Miniflare's format. */
  workerOptions: Record<string, unknown>;
}

const FILE = join(DIST, "configuration.json");

/**
 * Reads wrangler.toml with wrangler's own functions. Loading wrangler takes longer than the rest of a start, so the
 * result is cached until the file or the installed packages change.
 */
export async function readConfiguration(): Promise<Configuration> {
  const source = `${ROOT} ${await hashOf([WRANGLER_CONFIG, join(ROOT, "package-lock.json")])}`;
  const stored = await readStored();
  if (stored?.source === source) return stored.configuration;
  const configuration = await readByWrangler();
  await mkdir(DIST, { recursive: true });
  const draft = `${FILE}.${process.pid}.tmp`;
  await writeFile(draft, JSON.stringify({ source, configuration } satisfies Stored));
  await rename(draft, FILE);
  return configuration;
}

interface Stored {
  source: string;
  configuration: Configuration;
}

async function readStored(): Promise<Stored | null> {
  const text = await readFile(FILE, "utf8").catch(() => null);
  return text === null ? null : (JSON.parse(text) as Stored);
}

async function readByWrangler(): Promise<Configuration> {
  // Without this, wrangler logs the files that it reads each time.
  process.env.WRANGLER_LOG ??= "error";
  const { unstable_getMiniflareWorkerOptions, unstable_readConfig } = await import("wrangler");
  const config = unstable_readConfig({ config: WRANGLER_CONFIG });
  // Without bindings, which contain the secrets of `.dev.vars` and must not reach the cache, and without rules for modules,
  // because the Worker is one module.
  const { bindings: _, modulesRules: __, ...workerOptions } = unstable_getMiniflareWorkerOptions(config).workerOptions;
  if (config.name === undefined || config.main === undefined)
    throw new Error("wrangler.toml has no name for the Worker: set name");
  return {
    name: config.name,
    main: config.main,
    keepNames: config.keep_names ?? true,
    vars: config.vars,
    workerOptions: workerOptions as Record<string, unknown>,
  };
}
