import { MINUTE_MS } from "../../kernel/time.ts";

/** What it takes of the object's storage. */
type Store = Pick<SyncKvStorage, "get" | "put" | "delete">;

const UNDER_WAY = "configuration_write_under_way";
/** D1 ends a batch within 30 s; what was not answered by then and a while more has landed, or never will. */
const LANDS_WITHIN_MS = MINUTE_MS;

/**
 * Which version of the account's configuration is the present one: the life of the gate and a counter of writes. It
 * changes before a writer gets its answer, so that what was read under it is good for as long as it stays. There is no
 * version, and nothing is kept or given from what is, while a write may land unseen: while it is under way, after one that
 * D1 did not answer, and in the life after one that ended in the middle of a write.
 */
export class CatalogueVersion {
  readonly #store: Store;
  readonly #life: string;
  #writes = 0;
  #underWay = 0;
  #doubtUntil: number;

  /** @param life tells this life of the gate from all others */
  constructor(store: Store, life: string, now: number) {
    this.#store = store;
    this.#life = life;
    this.#doubtUntil = store.get(UNDER_WAY) === undefined ? 0 : now + LANDS_WITHIN_MS;
  }

  /** The present version, null where nothing read now may be kept. */
  at(now: number): string | null {
    return this.#underWay > 0 || now < this.#doubtUntil ? null : `${this.#life}.${this.#writes}`;
  }

  /**
   * Carries out a write of configuration. Where it fails, `refused` says whether D1 has refused it for good; otherwise it
   * may have been written, or may yet be.
   */
  async change<T>(write: () => Promise<T>, refused: (error: unknown) => boolean, clock: () => number): Promise<T> {
    // The object's storage holds the write back until this is durable.
    if (this.#underWay++ === 0) this.#store.put(UNDER_WAY, true);
    try {
      return await write();
    } catch (error) {
      if (!refused(error)) this.#doubtUntil = clock() + LANDS_WITHIN_MS;
      throw error;
    } finally {
      this.#writes++;
      this.#underWay--;
      if (this.#underWay === 0 && clock() >= this.#doubtUntil) this.#store.delete(UNDER_WAY);
    }
  }
}
