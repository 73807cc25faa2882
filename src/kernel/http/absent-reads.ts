import type { ApiError } from "./errors.ts";
import { KEPT_MS, MOST_REQUEST_CHARS } from "./kept-reads.ts";

/** The maximum number of entries in an isolate's cache, for one account and in total. */
const MOST_OF_ACCOUNT = 100;
const MOST = 5_000;

interface Absence {
  error: ApiError;
  version: string;
  at: number;
}

/**
 * A cache of 404s of configuration reads. As in KeptReads, an entry is valid as long as the account's gate reports the
 * version under which it was read. The number of entries per account is limited as well, because clients can request
 * any number of ids that do not exist.
 */
export class AbsentReads {
  /**
   * The entries by account. The account that was read most recently comes last; within an account, the newest entry
   * does.
   */
  readonly #accounts = new Map<string, Map<string, Absence>>();
  #size = 0;

  /** Returns the cached 404 of the account's request under this version; undefined if there is none. */
  get(account: string, version: string, request: string, now: number): ApiError | undefined {
    const absence = this.#accounts.get(account)?.get(request);
    return absence?.version === version && now - absence.at < KEPT_MS ? absence.error : undefined;
  }

  /** Caches a 404 whose read began at `now` (ms). */
  put(account: string, version: string, request: string, error: ApiError, now: number): void {
    if (request.length > MOST_REQUEST_CHARS) return;
    const own = this.#accounts.get(account) ?? new Map<string, Absence>();
    this.#accounts.delete(account);
    this.#accounts.set(account, own);
    this.#drop(own, request);
    own.set(request, { error, version, at: now });
    this.#size++;
    if (own.size > MOST_OF_ACCOUNT) this.#dropOldest(account, own);
    while (this.#size > MOST) {
      const [[name, oldest] = []] = this.#accounts;
      if (name === undefined || oldest === undefined) return;
      this.#dropOldest(name, oldest);
    }
  }

  #dropOldest(account: string, own: Map<string, Absence>): void {
    const [oldest] = own.keys();
    if (oldest !== undefined) this.#drop(own, oldest);
    if (own.size === 0) this.#accounts.delete(account);
  }

  #drop(own: Map<string, Absence>, request: string): void {
    if (own.delete(request)) this.#size--;
  }
}
