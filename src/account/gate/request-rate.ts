import { MINUTE_MS } from "../../kernel/time.ts";

const WINDOW_MS = MINUTE_MS;

/** Counts requests by key in fixed windows of a minute. In memory: a restart forgives, which a rate limit may. */
export class RequestRate {
  readonly #limit: number;
  #window = 0;
  #counts = new Map<string, number>();

  /** @param limit requests a minute and key; a limit that is no number would be none at all */
  constructor(limit: number) {
    if (!(limit > 0)) throw new RangeError("KEY_RATE_LIMIT must be a positive number");
    this.#limit = limit;
  }

  /** Counts one request; gives the ms to wait when it is one too many, else 0. */
  count(key: string, now: number): number {
    const window = Math.floor(now / WINDOW_MS);
    if (window !== this.#window) {
      this.#window = window;
      this.#counts = new Map();
    }
    const n = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, n);
    return n > this.#limit ? (window + 1) * WINDOW_MS - now : 0;
  }
}
