import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Unstable_RawConfig } from "wrangler";
import { failureText } from "../failure.ts";

/** The settings that a deployment may change; all others belong to the release. */
const OWN = [
  "name",
  "account_id",
  "routes",
  "workers_dev",
  "preview_urls",
  "vars",
  "env",
  "d1_databases",
  "r2_buckets",
  "ratelimits",
  "send_email",
  "ai",
  "observability",
  "logpush",
  "placement",
];
/** The settings that each environment of a deployment may change. */
const OWN_OF_ENVIRONMENT = ["vars", "routes", "workers_dev"];

/**
 * Reads the settings of a deployment, in the format of wrangler.toml; returns none if there is no such file.
 * @throws Error with a sentence that names the file if it is not TOML
 */
export async function readOwnSettings(
  file: string,
  read: (file: string) => Unstable_RawConfig,
): Promise<Unstable_RawConfig> {
  const isThere = await stat(file).then(
    () => true,
    () => false,
  );
  if (!isThere) return {};
  try {
    return read(file);
  } catch (error) {
    throw new Error(`${file} cannot be read: ${failureText(error)}`);
  }
}

/**
 * Merges the settings of a deployment into those of wrangler.toml: tables by key, lists of bindings by binding; any other
 * setting is replaced. @throws Error with a sentence for a setting that a deployment may not change, or an unknown one
 */
export function withOwnSettings(
  release: Unstable_RawConfig,
  own: Unstable_RawConfig,
  file: string,
): Unstable_RawConfig {
  const name = basename(file);
  const foreign = [
    ...Object.keys(own).filter((key) => !OWN.includes(key)),
    ...Object.entries(own.env ?? {}).flatMap(([environment, settings]) =>
      Object.keys(settings)
        .filter((key) => !OWN_OF_ENVIRONMENT.includes(key))
        .map((key) => `env.${environment}.${key}`),
    ),
  ];
  if (foreign.length > 0)
    throw new Error(
      `${name} sets ${foreign.join(", ")}, but may only set ${OWN.join(", ")} (of an environment: ${OWN_OF_ENVIRONMENT.join(", ")})`,
    );
  const variables = [own.vars, ...Object.values(own.env ?? {}).map(({ vars }) => vars)].flatMap((vars) =>
    Object.keys(vars ?? {}),
  );
  const unknown = variables.filter((variable) => !Object.hasOwn(release.vars ?? {}, variable));
  if (unknown.length > 0)
    throw new Error(
      `${name} sets ${unknown.join(", ")} under [vars], which wrangler.toml does not list: check the spelling, or set it as a secret if it is one`,
    );
  return laidOver(release, own) as Unstable_RawConfig;
}

function laidOver(base: unknown, over: unknown): unknown {
  if (isTable(base) && isTable(over)) {
    const keys = new Set([...Object.keys(base), ...Object.keys(over)]);
    return Object.fromEntries(
      [...keys].map((key) => [key, Object.hasOwn(over, key) ? laidOver(base[key], over[key]) : base[key]]),
    );
  }
  if (isListOfBindings(base) && isListOfBindings(over)) {
    const known = base.map((one) => laidOver(one, over.find((other) => idOf(other) === idOf(one)) ?? {}));
    return [...known, ...over.filter((one) => !base.some((other) => idOf(other) === idOf(one)))];
  }
  return over;
}

type Table = Record<string, unknown>;

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isListOfBindings(value: unknown): value is Table[] {
  return Array.isArray(value) && value.every((one) => isTable(one) && idOf(one) !== undefined);
}

const idOf = (table: Table): unknown => table.binding ?? table.name;
