import { MINUTE_MS } from "../../kernel/time.ts";

const WINDOW_MS = MINUTE_MS;

/**
 * Counts requests by key in fixed windows of a minute. The counts are only in memory. A restart resets them, which is
 * acceptable for a rate limit.
 */
export class RequestRate {
  readonly #limit: number;
  #window = 0;
  #counts = new Map<string, number>();

  /** @param limit requests per minute and key; NaN would disable the limit */
  constructor(limit: number) {
    if (!(limit > 0)) throw new RangeError("KEY_RATE_LIMIT must be a positive number");
    this.#limit = limit;
  }

  /** Counts a request. Returns 0, or how long (ms) to wait if the limit is exceeded. */
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
