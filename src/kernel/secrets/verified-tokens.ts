/** How long a token's verified claims are reused, ms; revocation is checked each time. */
const REUSE_MS = 30_000;
const MAX_TOKENS = 5_000;

/** The claims of tokens that this isolate has verified a moment ago. */
export class VerifiedTokens<T> {
  readonly #known = new Map<string, { said: T; at: number }>();

  get(token: string, now: number): T | undefined {
    const known = this.#known.get(token);
    return known && now - known.at < REUSE_MS ? known.said : undefined;
  }

  /** Caches the claims of a token that was just admitted. */
  put(token: string, said: T, now: number): void {
    if (this.get(token, now) !== undefined) return;
    this.#known.delete(token);
    this.#known.set(token, { said, at: now });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_TOKENS && oldest !== undefined) this.#known.delete(oldest);
  }
}
