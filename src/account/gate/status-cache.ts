import { BoundedMap } from "../../kernel/bounded-map.ts";

/** How long a look-up is reused, ms. */
const REUSE_MS = 30_000;
const MAX_ENTRIES = 10_000;

/**
 * Caches the status of the account's keys or users for 30 s. Invalidation also discards look-ups in progress, so that
 * the next request sees the change.
 */
export class StatusCache<Status> {
  readonly #cached = new BoundedMap<string, { status: Status; at: number }>(MAX_ENTRIES);
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
    // Unknown keys too, so that a client with a deleted key does not cost a look-up each time.
    if (generation === this.#generation) this.#cached.set(name, { status, at: now });
    return status;
  }

  /** Removes all entries, including those being loaded. */
  invalidate(): void {
    this.#generation++;
    this.#cached.clear();
    this.#underway.clear();
  }
}
