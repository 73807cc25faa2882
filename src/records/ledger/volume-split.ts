import type { ObjectPart } from "../../kernel/durable/object-part.ts";
import { DAY_MS } from "../../kernel/time.ts";

interface Dependencies {
  storage: DurableObjectStorage;
  /** The size (bytes) at which the next volume begins. */
  limitBytes: number;
  /** Adds a volume that begins on this day (UTC) unless one is planned. Returns the first day of the newest volume. */
  append(day: string): Promise<string | undefined>;
  day: string;
}

/**
 * Begins the account's next volume once this one is large, on a day for which no id was issued yet. A reader whose list
 * of volumes is less than 12 hours old therefore still finds every id.
 */
export class VolumeSplit implements ObjectPart {
  readonly #deps: Dependencies;
  /** Whether a later volume is planned; null until read. */
  #done: boolean | null = null;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  dueAt(): number | null {
    const { storage, limitBytes } = this.#deps;
    if (storage.sql.databaseSize <= limitBytes) return null;
    this.#done ??= storage.sql.exec("SELECT 1 FROM split").toArray().length > 0;
    return this.#done ? null : 0;
  }

  /** @throws Error if no later volume could be planned, so that the alarm retries */
  async run(now: number): Promise<void> {
    const { storage, append, day } = this.#deps;
    const newest = await append(nextVolumeDay(now));
    if (newest === undefined || newest <= day) throw new Error(`no volume of the ledger is planned after ${day}`);
    storage.sql.exec("INSERT OR IGNORE INTO split (one) VALUES (1)");
    this.#done = true;
  }

  resume(): void {
    this.#done = null;
  }
}

/** Returns the first day (UTC) that begins at least 24 hours after `now` (ms). */
export function nextVolumeDay(now: number): string {
  return new Date(Math.ceil((now + DAY_MS) / DAY_MS) * DAY_MS).toISOString().slice(0, 10);
}
