/** How long a token's verified claims are reused, ms. Revocation is still checked each time. */
const REUSE_MS = 30_000;
const MAX_TOKENS = 5_000;

/** A cache of the claims of tokens that this isolate verified recently. */
export class VerifiedTokens<T> {
  readonly #cached = new Map<string, { claims: T; at: number }>();

  get(token: string, now: number): T | undefined {
    const cached = this.#cached.get(token);
    return cached && now - cached.at < REUSE_MS ? cached.claims : undefined;
  }

  put(token: string, claims: T, now: number): void {
    if (this.get(token, now) !== undefined) return;
    this.#cached.delete(token);
    this.#cached.set(token, { claims, at: now });
    const [oldest] = this.#cached.keys();
    if (this.#cached.size > MAX_TOKENS && oldest !== undefined) this.#cached.delete(oldest);
  }
}
