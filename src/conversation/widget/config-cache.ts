import { z } from "zod";
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
const remembered = new Map<string, ConfigEntry>();

const address = (hash: string) => `https://widget-config.invalid/${hash}`;
const isFresh = ({ at }: ConfigEntry, now: number) => now - at < CONFIG_LIFETIME_S * 1000;

/** A client key's account, and its SHA-256, by which everything about it is found. */
interface ClientKey {
  account: string;
  hash: string;
}
const clientKeys = new Map<string, ClientKey>();

/** Returns the parts of a client key; null if it cannot be genuine. */
export async function parseClientKey(key: string): Promise<ClientKey | null> {
  const known = clientKeys.get(key);
  const account = known?.account ?? accountOfWidgetKey(key);
  if (account === null) return null;
  const parts = known ?? { account, hash: await sha256Hex(key) };
  rememberHere(clientKeys, key, parts);
  return parts;
}

/** Returns the entry of the key with this hash; undefined if there is none or it has expired. */
export async function recallConfig(hash: string, now: number): Promise<ConfigEntry | undefined> {
  const here = remembered.get(hash);
  if (here && isFresh(here, now)) return here;
  const cached = await caches.default.match(address(hash));
  const { data } = entry.safeParse(await cached?.json());
  if (!data || !isFresh(data, now)) return undefined;
  rememberHere(remembered, hash, data);
  return data;
}

export async function rememberConfig(hash: string, value: ConfigEntry): Promise<void> {
  rememberHere(remembered, hash, value);
  const headers = { "cache-control": `max-age=${CONFIG_LIFETIME_S}` };
  await caches.default.put(address(hash), Response.json(value, { headers }));
}

function rememberHere<T>(remembered: Map<string, T>, name: string, value: T): void {
  remembered.delete(name);
  const [oldest] = remembered.keys();
  if (remembered.size >= MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  remembered.set(name, value);
}

/** Deletes cached entries in this isolate and location. Elsewhere they expire. */
export async function invalidateConfig(hashes: readonly { hash: string }[]): Promise<void> {
  for (const { hash } of hashes) remembered.delete(hash);
  await Promise.all(hashes.map(({ hash }) => caches.default.delete(address(hash))));
}
