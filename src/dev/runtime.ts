import { readdir } from "node:fs/promises";
import { dirname, join, matchesGlob } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";
import { STATE_DIR, WRANGLER_CONFIG } from "./paths.ts";

/** The Worker's variables and secrets by name. */
export type Variables = Record<string, string>;

// wrangler announces which files it reads at every look at its configuration.
process.env.WRANGLER_LOG ??= "error";
const config = unstable_readConfig({ config: WRANGLER_CONFIG });

/**
 * The Worker whose socket leads to ours. A socket of ours would lead to the router of its static files, and only from
 * there to it, at half the speed.
 */
const SOCKET = "socket";

/** What the Worker can do without and wrangler.toml therefore does not name. */
const OPTIONAL = {
  OIDC_CLIENT_SECRET: "",
  PASSWORD_PEPPER: "",
  LLM_API_KEY: "",
  OPENAI_API_KEY: "",
  ANTHROPIC_API_KEY: "",
};

/** What wrangler.toml and `.dev.vars` say, with every variable the Worker knows overridden by the environment. */
export function variables(env: NodeJS.ProcessEnv): Variables {
  const { bindings } = unstable_getMiniflareWorkerOptions(config).workerOptions;
  const known = Object.entries({ ...OPTIONAL, ...(bindings as object) }).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(known.map(([name, value]) => [name, env[name] ?? value]));
}

interface Options {
  /** The main module; without one only the database is there. */
  script?: string;
  variables?: Variables;
  /** The address to serve at; without one the Worker is reached by `dispatchFetch` only. */
  listen?: { host: string; port: number };
  /** A port on which static files are served before the Worker, as where it is deployed. */
  deployedPort?: number;
  /** Where the state lives, if not where `npm start` keeps it. */
  stateDir?: string;
  /** A port for the inspector; without one there is none. */
  inspectorPort?: number;
}

/** Starts the runtime on the local state, configured by wrangler.toml, so that nothing is said twice. */
export async function startRuntime({
  script,
  variables: bindings,
  listen,
  deployedPort = 0,
  stateDir = STATE_DIR,
  inspectorPort,
}: Options): Promise<Miniflare> {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config);
  const worker = script
    ? {
        ...workerOptions,
        modulesRules: undefined,
        modulesRoot: dirname(script),
        modules: await modulesOf(script),
        bindings: { ...(workerOptions.bindings as object), ...bindings },
      }
    : { modules: true, script: "", d1Databases: workerOptions.d1Databases };
  const socket = listen && {
    name: SOCKET,
    modules: true,
    script: "",
    unsafeDirectSockets: [{ ...listen, serviceName: config.name }],
  };
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: deployedPort,
      cf: false,
      telemetry: { enabled: false },
      logRequests: false,
      log: new Log(LogLevel.ERROR),
      handleStructuredLogs: ({ level, message }) => {
        if (level === "error" || level === "warn") console.error(message);
      },
      resourcePersistencePath: join(stateDir, "v3"),
      ...(inspectorPort !== undefined && { inspectorPort }),
      workers: [{ ...worker, name: config.name }, ...(socket ? [socket] : [])],
    } as Parameters<typeof convertV4MiniflareOptions>[0]),
  );
  try {
    await runtime.ready;
  } catch (error) {
    await runtime.dispose().catch(() => undefined);
    throw error;
  }
  return runtime;
}

/** Where a runtime that was told to listen is reached. */
export function addressOf(runtime: Miniflare): Promise<URL> {
  return runtime.unsafeGetDirectURL(SOCKET);
}

/** Which type of module a file is, as wrangler.toml says it. */
interface Rule {
  type: string;
  globs: string[];
}

/** The built modules, the main one first; what is no JavaScript has the type wrangler.toml's rules give it. */
async function modulesOf(script: string) {
  const names = (await readdir(dirname(script))).filter((name) => !/\.(js|map|md)$/.test(name));
  const others = names.map((name) => {
    const rule = (config.rules as Rule[]).find(({ globs }) => globs.some((glob) => matchesGlob(name, glob)));
    if (!rule) throw new Error(`no rule in wrangler.toml covers ${name}`);
    return { type: rule.type, path: join(dirname(script), name) };
  });
  return [{ type: "ESModule", path: script }, ...others];
}
