import { jsonPieces } from "../../kernel/db/json-pieces.ts";
import type { NumberMask } from "../../kernel/mask-number.ts";
import { chain, type Log } from "./log.ts";
import { maskText } from "./row-sweep.ts";

/** The reason of the entry that canceled an erased contact. This entry never contained the number. */
export const ERASED = "erased";

/** The parts of the history that must be rehashed. */
export interface Rewriting {
  masks: readonly NumberMask[];
  /** The contacts with entries that were hashed with an erased number. */
  contacts: ReadonlySet<number>;
  /** The first entry that was rehashed; null if there is none yet. */
  from: number | null;
}

/** The progress of a step. `next` is null at the end of the history, whose last hash is `hash`. */
export interface Rewritten {
  from: number | null;
  /** Number of entries about the person or with the number. */
  entries: number;
  next: number | null;
  hash: string;
}

/**
 * Masks numbers in the history and recomputes its hash chain from the first affected entry on. Otherwise a number could
 * be found from its entry's hash by trial. Each step is part of the caller's transaction.
 */
export class HistoryRewriting {
  readonly #sql: SqlStorage;
  readonly #log: Log;

  constructor(sql: SqlStorage, log: Log) {
    this.#sql = sql;
    this.#log = log;
  }

  step(after: number, { masks, contacts, from }: Rewriting, limit: number): Rewritten {
    const rows = this.#log.after(after, limit);
    const changed: (string | number | null)[][] = [];
    let [hash, first, entries] = [this.#log.hashOf(after), from, 0];
    for (const row of rows) {
      const reason = row.reason && maskText(masks, row.reason);
      const detail = row.detail && maskText(masks, row.detail);
      const isOwn = row.contact !== null && row.phone === null && contacts.has(row.contact) && row.reason !== ERASED;
      if (isOwn || reason !== row.reason || detail !== row.detail) {
        first ??= row.seq;
        entries++;
      }
      hash = first === null ? row.hash : chain(hash, Object.assign({}, row, { reason, detail }));
      if (hash !== row.hash) changed.push([row.seq, reason, detail, hash]);
    }
    this.#store(changed);
    const next = rows.length < limit ? null : (rows.at(-1)?.seq ?? null);
    return { from: first, entries, next, hash };
  }

  #store(entries: (string | number | null)[][]): void {
    for (const piece of jsonPieces(entries))
      this.#sql.exec(
        `UPDATE log SET reason = value ->> 1, detail = value ->> 2, hash = value ->> 3
         FROM json_each(?) WHERE seq = value ->> 0`,
        piece,
      );
  }
}
