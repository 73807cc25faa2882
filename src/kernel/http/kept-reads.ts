import { MINUTE_MS } from "../time.ts";

/** A response body and its validator (RFC 9110, 8.8.3). */
export interface Kept {
  body: Uint8Array<ArrayBuffer>;
  etag: string;
}

/** The maximum number of bytes cached in an isolate for all accounts, and for one response. */
const MOST_BYTES = 24 * 1024 * 1024;
const MOST_ENTRY_BYTES = 1024 * 1024;
/**
 * The maximum time for which a response is cached under any version, ms. It limits the effect of writes that bypass the
 * gate: those of the previous release during a rollout, and those of an operator who repairs the database by hand.
 */
export const KEPT_MS = MINUTE_MS;
/** The memory that an entry takes in addition to its body, including its request, bytes. */
const OVERHEAD_BYTES = 1024;
/**
 * The maximum length of a request that is cached, characters. No id or name is longer, but clients choose what they
 * request.
 */
export const MOST_REQUEST_CHARS = 512;

/**
 * A cache of responses to reads of an account's configuration, in the isolate's memory. An entry is valid as long as
 * the account's gate reports the version under which it was read, so no stale response is sent. The least recently used
 * entries are pruned first.
 */
export class KeptReads {
  readonly #mostBytes: number;
  readonly #entries = new Map<string, Kept & { version: string; at: number }>();
  #bytes = 0;

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes;
  }

  /** Returns the cached response to the account's request under this version; undefined if there is none. */
  get(account: string, version: string, request: string, now: number): Kept | undefined {
    const name = nameOf(account, request);
    const entry = this.#entries.get(name);
    if (entry?.version !== version || now - entry.at >= KEPT_MS) return undefined;
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    return entry;
  }

  /** Caches a response whose read began at `now` (ms). */
  put(account: string, version: string, request: string, { body, etag }: Kept, now: number): void {
    if (body.length > MOST_ENTRY_BYTES || request.length > MOST_REQUEST_CHARS) return;
    const name = nameOf(account, request);
    this.#drop(name);
    this.#entries.set(name, { body, etag, version, at: now });
    this.#bytes += body.length + OVERHEAD_BYTES;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#mostBytes) break;
      this.#drop(oldest);
    }
  }

  #drop(name: string): void {
    const entry = this.#entries.get(name);
    if (!entry) return;
    this.#entries.delete(name);
    this.#bytes -= entry.body.length + OVERHEAD_BYTES;
  }
}

/** Returns the cache key. The space separates its parts, because account names contain none. */
function nameOf(account: string, request: string): string {
  return `${account} ${request}`;
}

/**
 * Returns a body with a validator that is derived from its content, so that all isolates return the same one. For a
 * single resource it begins with the revision, which is compared with If-Match.
 */
export async function keptOf(body: Uint8Array<ArrayBuffer>, revision: number | null): Promise<Kept> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  const hash = btoa(String.fromCharCode(...digest.subarray(0, 18)));
  return { body, etag: revision === null ? `"${hash}"` : `"${revision}.${hash}"` };
}

/** Checks whether an If-None-Match contains the validator. */
export function isNamed(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag);
}
