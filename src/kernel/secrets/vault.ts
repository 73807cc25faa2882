import { base64url } from "jose";
import { repeatedId } from "./key-ids.ts";

/** Sealing is not possible: no encryption key is configured, or none of the configured ones opens the value. */
export class VaultUnavailable extends Error {
  override readonly name = "VaultUnavailable";
}

/** The row that a sealed value belongs to; moved to another row or account, it does not open. */
export interface SealContext {
  account: string;
  table: string;
  id: string;
}

const encoder = new TextEncoder();

/**
 * AES-256-GCM for values at rest. `keys` is `id:base64,id:base64,…`: the first seals, all of them open, so a new key
 * is put in front and the old one stays until everything is re-sealed. No two keys have one id. A sealed value is
 * `v1.<key id>.<iv>.<ciphertext>`.
 */
export class Vault {
  readonly #keys: Map<string, Uint8Array<ArrayBuffer>>;

  /** @throws VaultUnavailable for keys that are not well formed, and for two under one id */
  constructor(keys: string | undefined) {
    const entries = (keys ?? "")
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "")
      .map((entry) => parseKey(entry));
    const repeated = repeatedId(entries.map(([id]) => id));
    if (repeated !== undefined) {
      throw new VaultUnavailable(`ENCRYPTION_KEYS has two keys with the id ${repeated}; give the newer one another id`);
    }
    this.#keys = new Map(entries);
  }

  /** Whether there is a key to seal with. */
  get available(): boolean {
    return this.#keys.size > 0;
  }

  /** The prefix of values sealed under the first key; it is no other key's, because an id holds no dot. */
  get currentPrefix(): string {
    const [current] = this.#keys.keys();
    return `v1.${current}.`;
  }

  /** What values sealed under the other keys begin with. */
  get olderPrefixes(): string[] {
    return [...this.#keys.keys()].slice(1).map((key) => `v1.${key}.`);
  }

  /** @throws VaultUnavailable */
  async seal(value: unknown, context: SealContext): Promise<string> {
    const [current] = this.#keys;
    if (!current) throw new VaultUnavailable("no encryption key is configured");
    const [keyId, bytes] = current;
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const sealed = await crypto.subtle.encrypt(
      { name: "AES-GCM", iv, additionalData: bind(context, keyId) },
      await importKey(bytes),
      encoder.encode(JSON.stringify(value)),
    );
    return `v1.${keyId}.${base64url.encode(iv)}.${base64url.encode(new Uint8Array(sealed))}`;
  }

  /** @throws VaultUnavailable when no configured key opens it */
  async open(sealed: string, context: SealContext): Promise<unknown> {
    const [version, keyId, iv, data] = sealed.split(".");
    const bytes = keyId === undefined ? undefined : this.#keys.get(keyId);
    if (version !== "v1" || !keyId || !bytes || !iv || !data)
      throw new VaultUnavailable("no key can decrypt this value");
    try {
      const opened = await crypto.subtle.decrypt(
        { name: "AES-GCM", iv: new Uint8Array(base64url.decode(iv)), additionalData: bind(context, keyId) },
        await importKey(bytes),
        new Uint8Array(base64url.decode(data)),
      );
      return JSON.parse(new TextDecoder().decode(opened));
    } catch (cause) {
      throw new VaultUnavailable("the value cannot be decrypted here", { cause });
    }
  }
}

function bind({ account, table, id }: SealContext, keyId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(encoder.encode(JSON.stringify([keyId, account, table, id])));
}

function parseKey(entry: string): [string, Uint8Array<ArrayBuffer>] {
  const [, id, base64] = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)$/.exec(entry) ?? [];
  if (!id || !base64) {
    throw new VaultUnavailable("ENCRYPTION_KEYS must be id:base64,id:base64,… of 32 bytes each");
  }
  return [id, new Uint8Array(base64url.decode(base64.replaceAll("+", "-").replaceAll("/", "_").replace("=", "")))];
}

function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}
