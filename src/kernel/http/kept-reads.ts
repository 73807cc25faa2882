import { MINUTE_MS } from "../time.ts";

/** An answer as it goes out, and its validator (RFC 9110, 8.8.3). */
export interface Kept {
  body: Uint8Array<ArrayBuffer>;
  etag: string;
}

/** What an isolate keeps, of all accounts together, and of one answer, bytes. */
const MOST_BYTES = 24 * 1024 * 1024;
export const MOST_ENTRY_BYTES = 1024 * 1024;
/**
 * The longest an answer is kept under any version, ms: during a rollout the previous release may still write past the
 * gate, and so may an operator who repairs the database by hand.
 */
export const KEPT_MS = MINUTE_MS;
/** What an entry costs beside its body, its request included, bytes. */
const OVERHEAD_BYTES = 1024;
/** Longest request that is kept, characters: no id or name is longer, and clients choose what they ask for. */
export const MOST_REQUEST_CHARS = 512;

/**
 * Answers to reads of what an account configures, kept in the isolate's memory as they go out. One is given again for
 * as long as the account's gate names the version it was read under, so nothing stale ever is. The answers not asked
 * for longest go first.
 */
export class KeptReads {
  readonly #mostBytes: number;
  readonly #entries = new Map<string, Kept & { version: string; at: number }>();
  #bytes = 0;

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes;
  }

  /** The answer to the account's request under the version, undefined if none is kept. */
  get(account: string, version: string, request: string, now: number): Kept | undefined {
    const name = nameOf(account, request);
    const entry = this.#entries.get(name);
    if (entry?.version !== version || now - entry.at >= KEPT_MS) return undefined;
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    return entry;
  }

  /** Keeps an answer that was read from `now` (ms) on. */
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

/** No account's name holds a space. */
function nameOf(account: string, request: string): string {
  return `${account} ${request}`;
}

/**
 * A body with its validator, by its content: the same bytes have the same one, whichever isolate made them. Of one thing
 * that can be changed it begins with its revision, by which an If-Match is compared.
 */
export async function keptOf(body: Uint8Array<ArrayBuffer>, revision: number | null): Promise<Kept> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  const hash = btoa(String.fromCharCode(...digest.subarray(0, 18)));
  return { body, etag: revision === null ? `"${hash}"` : `"${revision}.${hash}"` };
}

/** Whether an If-None-Match names the validator. */
export function isNamed(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag);
}
