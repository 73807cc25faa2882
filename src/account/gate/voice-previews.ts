import { HOUR_MS } from "../../kernel/time.ts";

/** The methods it needs of the object's storage. */
type Store = Pick<SyncKvStorage, "get" | "put">;

/** The times (ms) of the previews of the last hour. */
const PREVIEWS = "voice_previews";

/** Counts previews of voices, which the account's vendor charges for. Stored, because an idle gate loses its memory. */
export class VoicePreviews {
  readonly #store: Store;
  readonly #limit: number;

  /** @param limit previews within any hour */
  constructor(store: Store, limit: number) {
    this.#store = store;
    this.#limit = limit;
  }

  /** Counts a preview; returns 0, or the ms to wait if the limit is reached. */
  count(now: number): number {
    const times = (this.#store.get<number[]>(PREVIEWS) ?? []).filter((at) => now - at < HOUR_MS);
    const [oldest] = times;
    if (times.length >= this.#limit && oldest !== undefined) return oldest + HOUR_MS - now;
    this.#store.put(PREVIEWS, [...times, now]);
    return 0;
  }
}
