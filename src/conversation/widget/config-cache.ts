import { z } from "zod";
import { BoundedMap } from "../../kernel/bounded-map.ts";
import { accountOfWidgetKey } from "../../kernel/secrets/api-key.ts";
import { sha256Hex } from "../../kernel/secrets/hashing.ts";
import { shownConfig } from "./visitor-contract.ts";

/** How long a response of GET /widget/config may be reused, s. */
export const CONFIG_LIFETIME_S = 60;

const entry = z.object({
  /** When it was read, ms. */
  at: z.number(),
  /** Null if there is no such key. A disabled key shows nothing. */
  widget: z.object({ allowlist: z.array(z.string()), shown: shownConfig.nullable() }).nullable(),
});
/**
 * The cached data of one widget key. It includes the allowlist, so that one entry answers every origin, even forbidden
 * ones, and an invented origin never costs a read.
 */
export type ConfigEntry = z.output<typeof entry>;

/** The most widget keys that an isolate caches. */
const MAX_REMEMBERED = 1_000;
/** This isolate's cache, by the key's hash. Behind it is the location's cache, which isolates share. */
const remembered = new BoundedMap<string, ConfigEntry>(MAX_REMEMBERED);

const address = (hash: string) => `https://widget-config.invalid/${hash}`;
const isFresh = ({ at }: ConfigEntry, now: number) => now - at < CONFIG_LIFETIME_S * 1000;

/** A client key's account, and its SHA-256, by which everything about it is found. */
interface ClientKey {
  account: string;
  hash: string;
}
const clientKeys = new BoundedMap<string, ClientKey>(MAX_REMEMBERED);

/** Returns the parts of a client key; null if it cannot be genuine. */
export async function parseClientKey(key: string): Promise<ClientKey | null> {
  const known = clientKeys.get(key);
  if (known) return known;
  const account = accountOfWidgetKey(key);
  if (account === null) return null;
  const parts = { account, hash: await sha256Hex(key) };
  clientKeys.set(key, parts);
  return parts;
}

/** Returns the entry of the key with this hash; undefined if there is none or it has expired. */
export async function recallConfig(hash: string, now: number): Promise<ConfigEntry | undefined> {
  const here = remembered.get(hash);
  if (here && isFresh(here, now)) return here;
  const cached = await caches.default.match(address(hash));
  const { data } = entry.safeParse(await cached?.json());
  if (!data || !isFresh(data, now)) return undefined;
  remembered.set(hash, data);
  return data;
}

export async function rememberConfig(hash: string, value: ConfigEntry): Promise<void> {
  remembered.set(hash, value);
  const headers = { "cache-control": `max-age=${CONFIG_LIFETIME_S}` };
  await caches.default.put(address(hash), Response.json(value, { headers }));
}

/** Deletes cached entries in this isolate and location. Elsewhere they expire. */
export async function invalidateConfig(hashes: readonly { hash: string }[]): Promise<void> {
  for (const { hash } of hashes) remembered.delete(hash);
  await Promise.all(hashes.map(({ hash }) => caches.default.delete(address(hash))));
}
