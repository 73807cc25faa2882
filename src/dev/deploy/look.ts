import { z } from "zod";
import { ACME, GLOBEX, OPERATOR } from "../demo-data.ts";
import { migrationFiles } from "../migration-files.ts";
import { type Cloudflare, CloudflareError } from "./cloudflare.ts";
import type { State } from "./plan.ts";
import type { Target } from "./target.ts";

const DEMO = [ACME, GLOBEX, OPERATOR].map(({ email }) => email);
/** Columns whose values are sealed with ENCRYPTION_KEYS. */
const SEALED = [
  ["telephony_providers", "credentials"],
  ["integration_installs", "secrets"],
  ["widget_keys", "sealed_key"],
  ["erased_opt_outs", "sealed"],
  ["webhooks", "secrets"],
  ["second_factors", "secret"],
] as const;
/** Tables that exist before the first migration: SQLite's, Cloudflare's, and the lists of migrations. */
const OWN_TABLES = /^(sqlite_|_cf_|d1_migrations$|migration_hashes$)/;
const text = (row: Record<string, unknown>, column: string) => String(row[column] ?? "");

/**
 * Returns the Cloudflare account to deploy to: the named one, or the only one.
 * @throws Error with a sentence that lists the accounts if there are several
 */
export async function accountOf(cloudflare: Cloudflare, named: string | undefined): Promise<string> {
  if (named) return named;
  const accounts = await cloudflare.get(
    "/accounts?per_page=50",
    z.array(z.object({ id: z.string(), name: z.string() })),
  );
  const [only, ...others] = accounts;
  if (!only) throw new Error("this sign-in has no access to a Cloudflare account; set CLOUDFLARE_ACCOUNT_ID");
  if (others.length === 0) return only.id;
  const list = accounts.map(({ id, name }) => `  CLOUDFLARE_ACCOUNT_ID=${id}  (${name})`).join("\n");
  throw new Error(
    `this sign-in has access to several Cloudflare accounts; choose one by putting this before the command:\n${list}`,
  );
}

/** Reads which parts of the target exist. Changes nothing. @throws CloudflareError */
export async function look(
  cloudflare: Cloudflare,
  accountId: string,
  target: Target,
  kept: string[],
  folder: string,
): Promise<State> {
  const account = `/accounts/${accountId}`;
  const [subdomain, database, buckets, worker, migrations] = await Promise.all([
    subdomainOf(cloudflare, account),
    databaseOf(cloudflare, account, target.database),
    Promise.all(target.buckets.map((name) => bucketExists(cloudflare, account, name))),
    workerOf(cloudflare, account, target.worker),
    migrationFiles(folder),
  ]);
  return {
    accountId,
    subdomain,
    database,
    buckets: target.buckets.filter((_, nth) => buckets[nth]),
    worker,
    keptSecrets: kept,
    migrations,
  };
}

async function subdomainOf(cloudflare: Cloudflare, account: string): Promise<string | null> {
  const found = await cloudflare.find(`${account}/workers/subdomain`, z.object({ subdomain: z.string().nullable() }));
  return found?.subdomain || null;
}

/** Returns the id of the database with this name; null if there is none. */
export async function databaseId(cloudflare: Cloudflare, account: string, name: string): Promise<string | null> {
  const list = z.array(z.object({ uuid: z.string(), name: z.string() }));
  const found = await cloudflare.get(`${account}/d1/database?name=${encodeURIComponent(name)}&per_page=100`, list);
  return found.find((database) => database.name === name)?.uuid ?? null;
}

async function databaseOf(cloudflare: Cloudflare, account: string, name: string): Promise<State["database"]> {
  const id = await databaseId(cloudflare, account, name);
  if (id === null) return null;
  const query = (sql: string, params: string[] = []) => cloudflare.query(`${account}/d1/database/${id}`, sql, params);
  const tables = (await query("SELECT name FROM sqlite_master WHERE type = 'table'")).map((row) => text(row, "name"));
  const when = (table: string, sql: string, params: string[] = []) =>
    tables.includes(table) ? query(sql, params) : [];
  const marks = DEMO.map(() => "?").join(", ");
  const sealed = SEALED.filter(([table]) => tables.includes(table)).map(
    ([table, column]) => `EXISTS (SELECT 1 FROM ${table} WHERE ${column} LIKE '_%')`,
  );
  const [applied, hashes, operators, demo, isSealed] = await Promise.all([
    when("d1_migrations", "SELECT name FROM d1_migrations"),
    when("migration_hashes", "SELECT name, hash FROM migration_hashes"),
    when(
      "users",
      "SELECT email, password_hash <> '' OR source <> 'password' AS able FROM users WHERE account = 'service-admin'",
    ),
    when("users", `SELECT DISTINCT email FROM users WHERE email IN (${marks}) ORDER BY email`, DEMO),
    sealed.length > 0 ? query(`SELECT ${sealed.join(" OR ")} AS found`) : [],
  ]);
  const hashOf = new Map(hashes.map((row) => [text(row, "name"), text(row, "hash")]));
  const names = applied.map((row) => text(row, "name"));
  return {
    id,
    applied: names.map((name) => ({ name, hash: hashOf.get(name) ?? null })),
    operators: operators.map((row) => ({ email: text(row, "email"), canSignIn: row.able === 1 })),
    demoUsers: demo.map((row) => text(row, "email")),
    isSealed: isSealed.some((row) => row.found === 1),
    isForeign: applied.length === 0 && tables.some((name) => !OWN_TABLES.test(name)),
  };
}

/** R2's code for a bucket that does not exist. */
const NO_SUCH_BUCKET = 10006;

async function bucketExists(cloudflare: Cloudflare, account: string, name: string): Promise<boolean> {
  const found = await cloudflare.find(`${account}/r2/buckets/${name}`, z.unknown(), [NO_SUCH_BUCKET]);
  return found !== null;
}

const service = z.object({
  default_environment: z.object({ script: z.object({ migration_tag: z.string().nullish() }) }),
});
const settings = z.object({ bindings: z.array(z.object({ type: z.string(), name: z.string() })).default([]) });
const deployments = z.object({
  deployments: z.array(z.object({ versions: z.array(z.object({ version_id: z.string(), percentage: z.number() })) })),
});

async function workerOf(cloudflare: Cloudflare, account: string, name: string): Promise<State["worker"]> {
  const found = await cloudflare.find(`${account}/workers/services/${name}`, service);
  if (!found) return null;
  const script = `${account}/workers/scripts/${name}`;
  const [{ bindings }, { deployments: list }] = await Promise.all([
    cloudflare.get(`${script}/settings`, settings),
    cloudflare.get(`${script}/deployments`, deployments),
  ]);
  const serving = list[0]?.versions.filter(({ percentage }) => percentage > 0) ?? [];
  return {
    secrets: bindings.filter(({ type }) => type === "secret_text").map((binding) => binding.name),
    isDraft: bindings.length > 0 && bindings.every(({ type }) => type === "secret_text"),
    classTag: found.default_environment.script.migration_tag ?? null,
    versions: serving.map(({ version_id }) => version_id),
  };
}

/** Creates the database, or finds the one that an interrupted earlier run created. */
export async function createDatabase(cloudflare: Cloudflare, account: string, name: string): Promise<string> {
  try {
    return (await cloudflare.post(`${account}/d1/database`, { name }, z.object({ uuid: z.string() }))).uuid;
  } catch (error) {
    const id = error instanceof CloudflareError ? await databaseId(cloudflare, account, name) : null;
    if (id === null) throw error;
    return id;
  }
}

/** Creates the bucket, unless it already exists. */
export async function createBucket(cloudflare: Cloudflare, account: string, name: string): Promise<void> {
  try {
    await cloudflare.post(`${account}/r2/buckets`, { name }, z.unknown());
  } catch (error) {
    if (!(error instanceof CloudflareError) || !(await bucketExists(cloudflare, account, name))) throw error;
  }
}
