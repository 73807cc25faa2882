/** How long a look-up is reused, ms. */
const REUSE_MS = 30_000;
const MAX_ENTRIES = 10_000;

/**
 * Caches the standing of the account's keys or users for 30 s. `forget` also discards look-ups that are under way, so
 * that the next request sees the change.
 */
export class StandingCache<Standing> {
  readonly #known = new Map<string, { standing: Standing; at: number }>();
  readonly #underway = new Map<string, Promise<Standing>>();
  #generation = 0;

  /** The standing of the key or user of this name; `load` runs at most once at a time. */
  async get(name: string, now: number, load: () => Promise<Standing>): Promise<Standing> {
    const known = this.#known.get(name);
    if (known && now - known.at < REUSE_MS) return known.standing;
    const underway = this.#underway.get(name);
    if (underway) return underway;
    const generation = this.#generation;
    const loading = load().finally(() => {
      if (this.#underway.get(name) === loading) this.#underway.delete(name);
    });
    this.#underway.set(name, loading);
    const standing = await loading;
    if (generation === this.#generation) this.#remember(name, standing, now);
    return standing;
  }

  /** Also caches that a key is unknown: a client with a deleted key must not cost a look-up each time. */
  #remember(name: string, standing: Standing, at: number): void {
    this.#known.delete(name);
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MAX_ENTRIES && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(name, { standing, at });
  }

  /** Drops all entries, also those being loaded. */
  forget(): void {
    this.#generation++;
    this.#known.clear();
    this.#underway.clear();
  }
}
