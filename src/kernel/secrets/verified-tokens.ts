import { BoundedMap } from "../bounded-map.ts";

/** How long a token's verified claims are reused, ms. Revocation is still checked each time. */
const REUSE_MS = 30_000;
const MAX_TOKENS = 5_000;

/** A cache of the claims of tokens that this isolate verified recently. */
export class VerifiedTokens<T> {
  readonly #cached = new BoundedMap<string, { claims: T; at: number }>(MAX_TOKENS);

  get(token: string, now: number): T | undefined {
    const cached = this.#cached.get(token);
    return cached && now - cached.at < REUSE_MS ? cached.claims : undefined;
  }

  put(token: string, claims: T, now: number): void {
    if (this.get(token, now) === undefined) this.#cached.set(token, { claims, at: now });
  }
}
