import { base64url } from "jose";
import { repeatedId } from "./key-ids.ts";

/** Thrown if no encryption key is configured, or if none of the configured keys opens the value. */
export class VaultUnavailable extends Error {
  override readonly name = "VaultUnavailable";
}

/** The row to which a sealed value belongs. A value that was moved to another row or account cannot be opened. */
export interface SealContext {
  account: string;
  table: string;
  id: string;
}

const encoder = new TextEncoder();

/**
 * Seals values with AES-256-GCM. `keys` is `id:base64,id:base64,…`: the first key seals, and all keys open. To rotate,
 * put a new key in front and keep the old one until everything is resealed. Key ids are unique. A sealed value is
 * `v1.<key id>.<iv>.<ciphertext>`.
 */
export class Vault {
  readonly #keys: Map<string, Uint8Array<ArrayBuffer>>;

  /** @throws VaultUnavailable if the keys are malformed or two have the same id */
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

  get available(): boolean {
    return this.#keys.size > 0;
  }

  /**
   * The prefix of values that are sealed with the first key. It cannot match another key's prefix, because ids contain
   * no dots.
   */
  get currentPrefix(): string {
    const [current] = this.#keys.keys();
    return `v1.${current}.`;
  }

  /** The prefixes of values that were sealed with other keys. */
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

  /** @throws VaultUnavailable if no configured key opens it */
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
