import type { ObjectPart } from "../../kernel/durable/object-part.ts";
import { DAY_MS } from "../../kernel/time.ts";
import { deleteActsBefore, oldestAct } from "./acts.ts";

/** The shortest time for which an account can keep its audit log, ms. */
const KEPT_AT_LEAST_MS = 90 * DAY_MS;
/** The most entries deleted in one transaction. */
const BATCH_ROWS = 500;

interface Dependencies {
  storage: Pick<DurableObjectStorage, "sql" | "transactionSync">;
  /** Returns for how many days the account keeps its audit log; null if without limit. */
  days(): Promise<number | null>;
}

/**
 * Deletes acts that are older than the account's audit log retention, by the object's alarm and in bounded batches. The
 * setting is read once a day, and only by volumes whose entries may be too old.
 */
export class ActRetention implements ObjectPart {
  readonly #deps: Dependencies;
  /** When (ms) the setting is read next; undefined until computed. */
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

  /** Reads the setting again after a change. */
  changed(): void {
    this.#deps.storage.sql.exec("DELETE FROM act_retention");
    this.resume();
  }

  /** Schedules the first check after an entry was added to an empty log. */
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
