/** How long what a token's hash or signature showed is reused, ms; whether it is revoked is asked each time. */
const REUSE_MS = 30_000;
const MAX_TOKENS = 5_000;

/** What was found out about tokens in this isolate, by the token. */
export class VerifiedTokens<T> {
  readonly #known = new Map<string, { found: T; at: number }>();

  /** What is known of the token; `find` is asked where nothing is, and what it gives is kept unless it is null. */
  async get(token: string, now: number, find: () => Promise<T | null>): Promise<T | null> {
    const known = this.#known.get(token);
    if (known && now - known.at < REUSE_MS) return known.found;
    const found = await find();
    this.#known.delete(token);
    if (found !== null) this.#known.set(token, { found, at: now });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_TOKENS && oldest !== undefined) this.#known.delete(oldest);
    return found;
  }
}
