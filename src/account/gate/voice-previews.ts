import { HOUR_MS } from "../../kernel/time.ts";

/** The methods of the object's storage that are used here. */
type Store = Pick<SyncKvStorage, "get" | "put">;

/** The storage key of the times (ms) of the previews in the last hour. */
const PREVIEWS = "voice_previews";

/**
 * Counts previews of voices, for which the account's vendor charges. The counts are stored, because an idle gate loses
 * its memory.
 */
export class VoicePreviews {
  readonly #store: Store;
  readonly #limit: number;

  /** @param limit the number of previews allowed within any hour */
  constructor(store: Store, limit: number) {
    this.#store = store;
    this.#limit = limit;
  }

  /** Counts a preview. Returns 0, or how long (ms) to wait if the limit is reached. */
  count(now: number): number {
    const times = (this.#store.get<number[]>(PREVIEWS) ?? []).filter((at) => now - at < HOUR_MS);
    const [oldest] = times;
    if (times.length >= this.#limit && oldest !== undefined) return oldest + HOUR_MS - now;
    this.#store.put(PREVIEWS, [...times, now]);
    return 0;
  }
}
