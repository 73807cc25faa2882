/** How long a look-up is reused, ms. */
const REUSE_MS = 30_000;
const MAX_ENTRIES = 10_000;

/**
 * Caches the standing of the account's keys or users for 30 s. `forget` also discards look-ups that are under way, so
 * that the next request sees the change.
 */
export class StandingCache<Standing> {
  readonly #cached = new Map<string, { standing: Standing; at: number }>();
  readonly #underway = new Map<string, Promise<Standing>>();
  #generation = 0;

  /** The standing of the key or user of this name; `load` runs at most once at a time. */
  async get(name: string, now: number, load: () => Promise<Standing>): Promise<Standing> {
    const cached = this.#cached.get(name);
    if (cached && now - cached.at < REUSE_MS) return cached.standing;
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
    this.#cached.delete(name);
    const [oldest] = this.#cached.keys();
    if (this.#cached.size >= MAX_ENTRIES && oldest !== undefined) this.#cached.delete(oldest);
    this.#cached.set(name, { standing, at });
  }

  /** Drops all entries, also those being loaded. */
  forget(): void {
    this.#generation++;
    this.#cached.clear();
    this.#underway.clear();
  }
}
