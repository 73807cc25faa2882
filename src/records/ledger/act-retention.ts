import type { ObjectPart } from "../../kernel/durable/object-part.ts";
import { DAY_MS } from "../../kernel/time.ts";
import { deleteActsBefore, oldestAct } from "./acts.ts";

/** The shortest time that an account may keep its audit log, ms. */
const KEPT_AT_LEAST_MS = 90 * DAY_MS;
/** Most entries deleted in one transaction. */
const BATCH_ROWS = 500;

interface Dependencies {
  storage: Pick<DurableObjectStorage, "sql" | "transactionSync">;
  /** For how many days the account keeps its audit log; null if without limit. */
  days(): Promise<number | null>;
}

/**
 * Deletes acts that are older than their account keeps its audit log, by the object's alarm and in bounded batches. The
 * account's setting is read once a day, and only by a volume with entries that may be too old.
 */
export class ActRetention implements ObjectPart {
  readonly #deps: Dependencies;
  /** When (ms) the setting is to be read next; undefined until that is looked up. */
  #lookAt: number | null | undefined;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  dueAt(): number | null {
    if (this.#lookAt === undefined) this.#lookAt = this.#nextLook();
    return this.#lookAt;
  }

  async run(now: number): Promise<void> {
    const { storage, days } = this.#deps;
    const kept = await days();
    const deleted = kept === null ? 0 : deleteActsBefore(storage.sql, now - kept * DAY_MS, BATCH_ROWS);
    if (deleted < BATCH_ROWS)
      storage.sql.exec("INSERT OR REPLACE INTO act_retention (one, looked_at) VALUES (1, ?)", now);
    this.resume();
  }

  /** The setting was changed: it is read again. */
  changed(): void {
    this.#deps.storage.sql.exec("DELETE FROM act_retention");
    this.resume();
  }

  /** An entry was added where there may have been none. */
  added(): void {
    if (this.#lookAt === null) this.resume();
  }

  resume(): void {
    this.#lookAt = undefined;
  }

  #nextLook(): number | null {
    const { sql } = this.#deps.storage;
    const oldest = oldestAct(sql);
    if (oldest === null) return null;
    const [row] = sql.exec<{ looked_at: number }>("SELECT looked_at FROM act_retention").toArray();
    return Math.max(oldest + KEPT_AT_LEAST_MS, row ? row.looked_at + DAY_MS : 0);
  }
}
