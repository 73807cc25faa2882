import { MINUTE_MS } from "../../kernel/time.ts";
import type { After } from "../../kernel/time-limit.ts";

/** The methods of the object's storage that are used here. */
interface Store {
  get<T>(key: string): T | undefined;
  put<T>(key: string, value: T): void;
  delete(key: string): boolean;
}

/** The storage key of the time (ms) until which writes may begin. */
const WRITES_UNTIL = "configuration_writes_until";
/** How far ahead writes are announced, ms. A burst of writes thus costs one write to storage. */
const ANNOUNCED_MS = 5_000;
/** How long after the last write the announcement is withdrawn, ms. */
export const QUIET_MS = 250;
/** A write without a response is assumed to be done after this time, ms: twice the 30 s in which D1 ends a batch. */
const LANDS_WITHIN_MS = MINUTE_MS;

/**
 * The version of the account's configuration: the id of the gate's instance and a counter of writes. It changes before
 * a writer gets its response, so data that was read under a version is valid as long as that version is current. There
 * is no version while an unseen write may take effect: during a write, after a write that D1 did not answer, and after
 * a restart that may have interrupted one. Then nothing is cached or answered from a cache.
 */
export class CatalogueVersion {
  readonly #store: Store;
  readonly #life: string;
  readonly #after: After;
  /** Whether the gate's last instance may have died during a write. */
  readonly wasCutOff: boolean;
  #callOff: () => void = () => {};
  #writes = 0;
  #underWay = 0;
  #announcedUntil: number;
  #doubtUntil: number;

  /** @param life a unique id of this instance of the gate */
  constructor(store: Store, life: string, after: After) {
    this.#store = store;
    this.#life = life;
    this.#after = after;
    const until = store.get<number>(WRITES_UNTIL);
    this.wasCutOff = until !== undefined;
    this.#doubtUntil = until === undefined ? 0 : until + LANDS_WITHIN_MS;
    this.#announcedUntil = until ?? 0;
  }

  /** Returns the current version; null if nothing that is read now may be cached. */
  at(now: number): string | null {
    if (now >= this.#announcedUntil) this.#withdraw(now);
    return this.#underWay > 0 || now < this.#doubtUntil ? null : `${this.#life}.${this.#writes}`;
  }

  /**
   * Runs a write of configuration. If it fails, `refused` tells whether D1 certainly refused it. Otherwise the write
   * may have taken effect, or still may.
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
      // An idle gate is unloaded. Without this, its next instance would not trust its caches for a minute because of
      // writes that have long ended.
      this.#callOff();
      this.#callOff = this.#after(QUIET_MS, () => this.#withdraw(clock()));
    }
  }

  /** Announces a write. The object's storage delays the write itself until the announcement is durable. */
  #announce(now: number): void {
    if (now < this.#announcedUntil) return;
    this.#announcedUntil = now + ANNOUNCED_MS;
    this.#store.put(WRITES_UNTIL, this.#announcedUntil);
  }

  /**
   * Withdraws the announcement after every write has had its response, so that the gate's next instance can trust its
   * caches at once.
   */
  #withdraw(now: number): void {
    if (this.#announcedUntil === 0 || this.#underWay > 0 || now < this.#doubtUntil) return;
    this.#announcedUntil = 0;
    this.#store.delete(WRITES_UNTIL);
  }
}
