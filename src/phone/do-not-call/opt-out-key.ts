import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { optOutKeyContext } from "../../kernel/db/seal-contexts.ts";
import { Vault } from "../../kernel/secrets/vault.ts";

/** The id of the row with the key; it sorts before every HMAC. */
export const KEY_ID = "-key";

const KEY_BYTES = 32;
/** Number of accounts whose keys an isolate caches. */
const MOST_KEYS = 1_000;

interface Secrets {
  ENCRYPTION_KEYS: string | undefined;
}

/** The key for the HMACs under which an account stores the numbers of erased people who opted out. */
export class OptOutKey {
  /** The sealed form of this key. */
  readonly sealed: string;
  readonly #key: string;
  readonly #mac;

  constructor(sealed: string, key: string) {
    this.sealed = sealed;
    this.#key = key;
    this.#mac = hmac.create(sha256, hexToBytes(key));
  }

  isSame(other: OptOutKey): boolean {
    return this.#key === other.#key;
  }

  /** Returns the HMAC of a number (E.164) in hex. */
  idOf(number: string): string {
    return bytesToHex(this.#mac.clone().update(utf8ToBytes(number)).digest());
  }
}

/** Keys by account; the most recently used is last. */
const cachedKeys = new Map<string, OptOutKey>();

/**
 * Returns the account's key as it was last opened in this isolate; null if it was not. The account may have a newer
 * key.
 */
export function lastKey(account: string): OptOutKey | null {
  return cachedKeys.get(account) ?? null;
}

/** Opens the account's key. @throws VaultUnavailable if no configured key opens it */
export async function openKey({ ENCRYPTION_KEYS }: Secrets, account: string, sealed: string): Promise<OptOutKey> {
  const last = cachedKeys.get(account);
  const key = last?.sealed === sealed ? last : await opened(ENCRYPTION_KEYS, account, sealed);
  cachedKeys.delete(account);
  cachedKeys.set(account, key);
  for (const oldest of cachedKeys.keys()) {
    if (cachedKeys.size <= MOST_KEYS) break;
    cachedKeys.delete(oldest);
  }
  return key;
}

async function opened(keys: string | undefined, account: string, sealed: string): Promise<OptOutKey> {
  return new OptOutKey(sealed, String(await new Vault(keys).open(sealed, optOutKeyContext(account, KEY_ID))));
}

/** Returns a new key, sealed. @throws VaultUnavailable */
export function sealNewKey({ ENCRYPTION_KEYS }: Secrets, account: string): Promise<string> {
  const key = bytesToHex(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
  return new Vault(ENCRYPTION_KEYS).seal(key, optOutKeyContext(account, KEY_ID));
}
