/** How long what a token's hash or signature showed is reused, ms; whether it is revoked is asked each time. */
const REUSE_MS = 30_000;
const MAX_TOKENS = 5_000;

/** What good tokens say, of those that came in through this isolate a moment ago. */
export class VerifiedTokens<T> {
  readonly #known = new Map<string, { said: T; at: number }>();

  get(token: string, now: number): T | undefined {
    const known = this.#known.get(token);
    return known && now - known.at < REUSE_MS ? known.said : undefined;
  }

  /** Notes what a token says that has just been let in. */
  put(token: string, said: T, now: number): void {
    if (this.get(token, now) !== undefined) return;
    this.#known.delete(token);
    this.#known.set(token, { said, at: now });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_TOKENS && oldest !== undefined) this.#known.delete(oldest);
  }
}
