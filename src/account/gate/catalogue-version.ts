import { MINUTE_MS } from "../../kernel/time.ts";
import type { After } from "../../kernel/time-limit.ts";

/** The methods it needs of the object's storage. */
interface Store {
  get<T>(key: string): T | undefined;
  put<T>(key: string, value: T): void;
  delete(key: string): boolean;
}

/** The time (ms) until which writes may begin. */
const WRITES_UNTIL = "configuration_writes_until";
/** How far ahead writes are announced, ms, so that a burst of them costs one write to storage. */
const ANNOUNCED_MS = 5_000;
/** The announcement is withdrawn after this long (ms) without a write. */
export const QUIET_MS = 250;
/** D1 ends a batch within 30 s; a write without a response after twice as long has landed, or never will. */
const LANDS_WITHIN_MS = MINUTE_MS;

/**
 * The version of the account's configuration: the life of the gate and a counter of writes. It changes before a writer
 * gets its response, so that what was read under it is valid as long as it stays the same. There is no version, and
 * nothing is cached or answered from a cache, while a write may land unseen: during a write, after one that D1 did not
 * answer, and after a restart that may have interrupted one.
 */
export class CatalogueVersion {
  readonly #store: Store;
  readonly #life: string;
  readonly #after: After;
  #callOff: () => void = () => {};
  #writes = 0;
  #underWay = 0;
  #announcedUntil: number;
  #doubtUntil: number;

  /** @param life identifies this life of the gate */
  constructor(store: Store, life: string, after: After) {
    this.#store = store;
    this.#life = life;
    this.#after = after;
    const until = store.get<number>(WRITES_UNTIL);
    this.#doubtUntil = until === undefined ? 0 : until + LANDS_WITHIN_MS;
    this.#announcedUntil = until ?? 0;
  }

  /** Returns the current version, null if nothing read now may be cached. */
  at(now: number): string | null {
    if (now >= this.#announcedUntil) this.#withdraw(now);
    return this.#underWay > 0 || now < this.#doubtUntil ? null : `${this.#life}.${this.#writes}`;
  }

  /**
   * Runs a write of configuration. If it fails, `refused` tells whether D1 refused it for certain; otherwise it may
   * have been written, or may still be.
   */
  async change<T>(write: () => Promise<T>, refused: (error: unknown) => boolean, clock: () => number): Promise<T> {
    this.#underWay++;
    this.#callOff();
    this.#announce(clock());
    try {
      return await write();
    } catch (error) {
      if (!refused(error)) this.#doubtUntil = clock() + LANDS_WITHIN_MS;
      throw error;
    } finally {
      this.#writes++;
      this.#underWay--;
      // An idle gate is unloaded. Without this, the rebuilt gate would distrust its caches for a minute because of
      // writes that have ended.
      this.#callOff();
      this.#callOff = this.#after(QUIET_MS, () => this.#withdraw(clock()));
    }
  }

  /** The object's storage holds the write back until this is durable. */
  #announce(now: number): void {
    if (now < this.#announcedUntil) return;
    this.#announcedUntil = now + ANNOUNCED_MS;
    this.#store.put(WRITES_UNTIL, this.#announcedUntil);
  }

  /** Once every announced write has its response, the next life of the gate has nothing to doubt. */
  #withdraw(now: number): void {
    if (this.#announcedUntil === 0 || this.#underWay > 0 || now < this.#doubtUntil) return;
    this.#announcedUntil = 0;
    this.#store.delete(WRITES_UNTIL);
  }
}
