/** What is known of a key: which one it is, and whether it and its account may come in. */
export interface KeyStanding {
  keyId: string;
  revoked: boolean;
  accountClosed: boolean;
  /** ms, null for a key that never expires */
  expiresAt: number | null;
}

/** How long a verification is reused, ms. */
const REUSE_MS = 30_000;
const MAX_ENTRIES = 10_000;

/**
 * Verifications of an account's keys, each reused for 30 s. `forget` makes sure that a verification begun before it
 * is not kept after it, so that what was changed in between is seen by the very next request.
 */
export class KeyCache {
  readonly #known = new Map<string, { standing: KeyStanding | null; at: number }>();
  readonly #underway = new Map<string, Promise<KeyStanding | null>>();
  #generation = 0;

  /** The standing of the key with this hash, null for an unknown one; `load` is asked at most once at a time. */
  async get(hash: string, now: number, load: () => Promise<KeyStanding | null>): Promise<KeyStanding | null> {
    const known = this.#known.get(hash);
    if (known && now - known.at < REUSE_MS) return known.standing;
    const underway = this.#underway.get(hash);
    if (underway) return underway;
    const generation = this.#generation;
    const loading = load().finally(() => {
      if (this.#underway.get(hash) === loading) this.#underway.delete(hash);
    });
    this.#underway.set(hash, loading);
    const standing = await loading;
    if (generation === this.#generation) this.#remember(hash, standing, now);
    return standing;
  }

  /** An unknown key too: a client that holds on to a deleted one must not cost a look-up each time. */
  #remember(hash: string, standing: KeyStanding | null, at: number): void {
    this.#known.delete(hash);
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MAX_ENTRIES && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(hash, { standing, at });
  }

  /** Drops everything known, also what is being looked up right now. */
  forget(): void {
    this.#generation++;
    this.#known.clear();
    this.#underway.clear();
  }
}
