import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Unstable_RawConfig, Unstable_RawEnvironment } from "wrangler";

type Migration = NonNullable<Unstable_RawConfig["migrations"]>[number];

/** A deployment and its names: production, or a separate environment beside it. */
export interface Target {
  /** "production", or the environment's name. */
  environment: string;
  worker: string;
  database: string;
  buckets: string[];
  vars: Record<string, string>;
  requiredSecrets: string[];
  /** The custom domains among the routes. */
  domains: string[];
  /** The migrations that add classes of objects, oldest first. */
  classes: { tag: string; added: string[] }[];
  /** The settings of this environment in wrangler.toml and deployment.toml, without the database's id and PUBLIC_URL. */
  configuration: Unstable_RawConfig;
}

export const PRODUCTION = "production";
const ENVIRONMENT = /^[a-z][a-z0-9-]{0,19}$/;

/**
 * Reads the target from wrangler.toml and deployment.toml. An environment uses the names of production followed by its
 * own. Its `[env.<name>.vars]` override `[vars]`; its PUBLIC_URL and routes must be under `[env.<name>]`.
 * @throws Error with a sentence
 */
export function targetOf(raw: Unstable_RawConfig, environment: string, root: string): Target {
  const isProduction = environment === PRODUCTION;
  if (!ENVIRONMENT.test(environment))
    throw new Error(
      `--env ${environment}: the name of an environment must have up to 20 characters (a–z, 0–9 and -) and begin with a letter`,
    );
  const own: Unstable_RawEnvironment = isProduction ? raw : (raw.env?.[environment] ?? {});
  const named = (name: string) => (isProduction ? name : `${name}-${environment}`);
  const worker = named(raw.name ?? "switchboard");
  const database = named(raw.d1_databases?.[0]?.database_name ?? "switchboard");
  const buckets = (raw.r2_buckets ?? []).map(({ binding, bucket_name }) => ({
    binding,
    bucket_name: named(bucket_name ?? binding.toLowerCase()),
  }));
  const shared = isProduction ? {} : { PUBLIC_URL: "" };
  const vars = textsOf(Object.assign({}, raw.vars, shared, own.vars));
  const { env: _, routes: __, route: ___, ...rest } = raw;
  const configuration = Object.assign({}, rest, {
    name: worker,
    main: join(root, raw.main ?? "src/index.ts"),
    assets: Object.assign({}, raw.assets, { directory: join(root, raw.assets?.directory ?? "dist/assets") }),
    d1_databases: [{ binding: "DB", database_name: database, migrations_dir: join(root, "migrations") }],
    r2_buckets: buckets,
    // All Workers of a Cloudflare account that name the same id share a counter.
    ratelimits: (raw.ratelimits ?? []).map((limit) =>
      Object.assign({}, limit, { namespace_id: counterId(limit.namespace_id, isProduction ? "" : environment) }),
    ),
    vars,
    ...(own.routes && { routes: own.routes, workers_dev: own.workers_dev ?? false }),
  }) satisfies Unstable_RawConfig;
  return {
    environment,
    worker,
    database,
    buckets: buckets.map(({ bucket_name }) => bucket_name),
    vars,
    requiredSecrets: raw.secrets?.required ?? [],
    domains: (own.routes ?? []).flatMap((route) =>
      typeof route === "object" && "custom_domain" in route && route.custom_domain ? [route.pattern] : [],
    ),
    classes: (raw.migrations ?? []).map(addedBy),
    configuration,
  };
}

/** Returns the service's public address; null if neither the settings nor the account's subdomain define it. */
export function publicUrl({ vars, domains, worker }: Target, subdomain: string | null): string | null {
  const [domain] = domains;
  if (vars.PUBLIC_URL) return vars.PUBLIC_URL;
  if (domain !== undefined) return `https://${domain}`;
  return subdomain === null ? null : `https://${worker}.${subdomain}.workers.dev`;
}

/** The settings of a deployment that are not in wrangler.toml. */
export interface Completion {
  databaseId: string;
  /** The service's public address. */
  url: string;
  migrationsFolder: string;
  /** The Worker's binding with the hashes of this release's migrations. */
  migrationHashes: string;
}

/** Returns the complete configuration, so that wrangler neither creates anything nor asks. */
export function completed(
  target: Target,
  { databaseId, url, migrationsFolder, migrationHashes }: Completion,
): Unstable_RawConfig {
  const databases = target.configuration.d1_databases?.map((database) =>
    Object.assign({}, database, { database_id: databaseId, migrations_dir: migrationsFolder }),
  );
  return Object.assign({}, target.configuration, {
    d1_databases: databases ?? [],
    vars: Object.assign({}, target.vars, { PUBLIC_URL: url, MIGRATION_HASHES: migrationHashes }),
  });
}

function addedBy({ tag, new_sqlite_classes = [], new_classes = [] }: Migration) {
  return { tag, added: [...new_sqlite_classes, ...new_classes] };
}

function counterId(id: string, environment: string): string {
  if (environment === "") return id;
  return String(Number(id) + 10_000 * (1 + (createHash("sha256").update(environment).digest().readUInt16BE() % 9_999)));
}

function textsOf(vars: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, String(value)]));
}
