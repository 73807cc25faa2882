/** How long a look-up is reused, ms. */
const REUSE_MS = 30_000;
const MAX_ENTRIES = 10_000;

/**
 * Caches the status of the account's keys or users for 30 s. Invalidation also discards look-ups in progress, so that
 * the next request sees the change.
 */
export class StatusCache<Status> {
  readonly #cached = new Map<string, { status: Status; at: number }>();
  readonly #underway = new Map<string, Promise<Status>>();
  #generation = 0;

  /** Returns the status of the key or user with this name. `load` runs at most once at a time. */
  async get(name: string, now: number, load: () => Promise<Status>): Promise<Status> {
    const cached = this.#cached.get(name);
    if (cached && now - cached.at < REUSE_MS) return cached.status;
    const underway = this.#underway.get(name);
    if (underway) return underway;
    const generation = this.#generation;
    const loading = load().finally(() => {
      if (this.#underway.get(name) === loading) this.#underway.delete(name);
    });
    this.#underway.set(name, loading);
    const status = await loading;
    if (generation === this.#generation) this.#remember(name, status, now);
    return status;
  }

  /**
   * Caches a status. Unknown keys are cached too, so that a client with a deleted key does not cost a look-up each
   * time.
   */
  #remember(name: string, status: Status, at: number): void {
    this.#cached.delete(name);
    const [oldest] = this.#cached.keys();
    if (this.#cached.size >= MAX_ENTRIES && oldest !== undefined) this.#cached.delete(oldest);
    this.#cached.set(name, { status, at });
  }

  /** Removes all entries, including those being loaded. */
  invalidate(): void {
    this.#generation++;
    this.#cached.clear();
    this.#underway.clear();
  }
}
