import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import type { Miniflare } from "miniflare";
import { readConfiguration } from "./configuration.ts";
import { migrationFiles, migrationHashes } from "./migration-files.ts";
import { DEV_VARS, STATE_DIR } from "./paths.ts";

/** Required rather than imported: `import` searches the whole source for exported names, which takes 0.3 s. */
const miniflare: typeof import("miniflare") = createRequire(import.meta.url)("miniflare");

/** The Worker's variables and secrets by name. */
export type Variables = Record<string, string>;

/**
 * The Worker whose socket forwards to ours. The main Worker's own socket would lead through the router of static files,
 * which halves the speed.
 */
const SOCKET = "socket";

/** Optional secrets, which wrangler.toml therefore does not name. */
const OPTIONAL = {
  OIDC_CLIENT_SECRET: "",
  PASSWORD_PEPPER: "",
  METRICS_TOKEN: "",
  LLM_API_KEY: "",
  OPENAI_API_KEY: "",
  ANTHROPIC_API_KEY: "",
};

/** Reads the variables of wrangler.toml and `.dev.vars`; the environment overrides each variable that the Worker has. */
export async function variables(env: Record<string, string | undefined>): Promise<Variables> {
  const [{ vars }, secrets] = await Promise.all([readConfiguration(), readFile(DEV_VARS, "utf8").catch(() => "")]);
  const defaults = Object.entries(Object.assign({}, OPTIONAL, vars, parseEnv(secrets)));
  const texts = defaults.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(texts.map(([name, value]) => [name, env[name] ?? value]));
}

interface Options {
  /** The main module. Without one, the runtime has only the database. */
  script?: string;
  variables?: Variables;
  /** The address to listen on. Without one, only `dispatchFetch` reaches the Worker. */
  listen?: { host: string; port: number };
  /** A port on which static files are served before the Worker, as in a deployment. */
  deployedPort?: number;
  /** The folder of the state; by default that of `npm start`. */
  stateDir?: string;
  /** Whether all log lines are printed, including those of requests; otherwise only errors. */
  allLines?: boolean;
  inspectorPort?: number;
  /**
   * The main module of another release, whose objects the Worker uses, as during a gradual deployment. By default, the
   * environment's OBJECTS_OF names one.
   */
  objectsOf?: string;
}

/** Starts the runtime on the local state, configured by wrangler.toml. */
export async function startRuntime({
  script,
  variables: bindings,
  listen,
  deployedPort = 0,
  stateDir = STATE_DIR,
  allLines = false,
  inspectorPort,
  objectsOf = process.env.OBJECTS_OF,
}: Options): Promise<Miniflare> {
  const { name, vars, workerOptions } = await readConfiguration();
  const hashes = { MIGRATION_HASHES: migrationHashes(await migrationFiles()) };
  const serving = (path: string) => ({
    ...workerOptions,
    modulesRoot: dirname(path),
    modules: [{ type: "ESModule", path }],
    bindings: Object.assign({}, vars, bindings, hashes),
  });
  const worker = script ? serving(script) : { modules: true, script: "", d1Databases: workerOptions.d1Databases };
  const other = script && objectsOf ? Object.assign(serving(objectsOf), { name: `${name}-objects` }) : undefined;
  if (objectsOf && other) Object.assign(worker, { durableObjects: await objectsIn(objectsOf, other) });
  const socket = listen && {
    name: SOCKET,
    modules: true,
    script: "",
    unsafeDirectSockets: [{ ...listen, serviceName: name }],
  };
  const runtime = new miniflare.Miniflare(
    miniflare.convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: deployedPort,
      cf: false,
      telemetry: { enabled: false },
      logRequests: false,
      log: new miniflare.Log(miniflare.LogLevel.ERROR),
      handleStructuredLogs: ({ level, message }) => {
        if (allLines || level === "error" || level === "warn") console.error(message);
      },
      resourcePersistencePath: join(stateDir, "v3"),
      ...(inspectorPort !== undefined && { inspectorPort }),
      workers: [{ ...worker, name }, ...(socket ? [socket] : []), ...(other ? [other] : [])],
    } as Parameters<typeof miniflare.convertV4MiniflareOptions>[0]),
  );
  try {
    await runtime.ready;
    // Fails if nothing listens: a Miniflare without the option `unsafeDirectSockets` would ignore it.
    if (listen) await addressOf(runtime);
  } catch (error) {
    await runtime.dispose().catch(() => undefined);
    throw error;
  }
  return runtime;
}

export function addressOf(runtime: Miniflare): Promise<URL> {
  return runtime.unsafeGetDirectURL(SOCKET);
}

/**
 * Returns the bindings of objects. For each class that the script exports, the binding points to the other Worker.
 * @throws Error if the script exports no class, because the Worker would then use its own objects unnoticed
 */
async function objectsIn(script: string, worker: { name: string; durableObjects?: unknown }) {
  const source = await readFile(script, "utf8");
  // The bundler writes one list of exports, after all code and before the licenses.
  const exported = new Set(/^[^}]*/.exec(source.split("\nexport {").at(-1) ?? "")?.[0].split(/[\s,]+/));
  const objects = worker.durableObjects as Record<string, { className: string }>;
  const led = Object.entries(objects).map(([binding, object]) => [
    binding,
    exported.has(object.className) ? Object.assign({}, object, { scriptName: worker.name }) : object,
  ]);
  const own = Object.entries(objects).filter(([, { className }]) => exported.has(className));
  if (own.length === 0) throw new Error(`${script} exports no class of objects`);
  worker.durableObjects = Object.fromEntries(own);
  return Object.fromEntries(led);
}
