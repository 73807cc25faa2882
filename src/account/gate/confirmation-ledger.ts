import { nextSweep } from "../../kernel/durable/alarm.ts";
import type { Scope } from "../../kernel/scopes.ts";
import { HOUR_MS, MINUTE_MS } from "../../kernel/time.ts";

export const CONFIRMATIONS = `
  CREATE TABLE confirmations (
    id TEXT PRIMARY KEY, digest TEXT NOT NULL UNIQUE, key_id TEXT NOT NULL, key_hash TEXT NOT NULL, key_name TEXT NOT NULL,
    view TEXT NOT NULL, scope TEXT NOT NULL, tool TEXT NOT NULL, binding TEXT NOT NULL, effect TEXT NOT NULL,
    summary TEXT NOT NULL, asked_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, decision TEXT, decided_by TEXT,
    taken_at INTEGER
  ) WITHOUT ROWID;
  CREATE INDEX confirmations_key ON confirmations (key_id, asked_at, id);
  CREATE INDEX confirmations_asked ON confirmations (asked_at);
`;

/** How long an act can be confirmed, ms. */
export const CONFIRM_WITHIN_MS = 5 * MINUTE_MS;
/** The minimum time for which the outcome is shown, ms. */
const SHOWN_MS = HOUR_MS;
/** How long expired rows may stay, ms. Many rows are thus deleted at once. */
const SWEEP_EVERY_MS = 10 * MINUTE_MS;
/** The maximum number of confirmations stored per key; the newest are kept. */
const MOST_OF_A_KEY = 100;

export type Decision = "approved" | "declined";

/** An act that waits for a confirmation; times are in ms. */
export type ConfirmationRow = {
  id: string;
  /** SHA-256 of the token that confirms it. */
  digest: string;
  key_id: string;
  /** SHA-256 of the API key. */
  key_hash: string;
  key_name: string;
  /** The key's caller view (`Principal`) at the time of the request. */
  view: string;
  /** The scope that the approver must have. */
  scope: Scope;
  tool: string;
  /** SHA-256 of the tool, its arguments and the effect. */
  binding: string;
  /** The effect as JSON. */
  effect: string;
  summary: string;
  asked_at: number;
  expires_at: number;
  decision: Decision | null;
  /** The id of the member who decided. */
  decided_by: string | null;
  taken_at: number | null;
};

/** The circumstances under which a confirmation is taken. */
export interface Taking {
  keyId: string;
  view: string;
  binding: string;
  /** Whether the act needs no member's approval. */
  needsNoYes: boolean;
  /** Whether the client reports that its user refused. A refusal overrides any approval. */
  isRefused: boolean;
  /** The member whose approval counts, provided that the stored approval is theirs; null if no approval counts. */
  approver: string | null;
}

export type Taken = "taken" | "not_approved" | "declined" | "changed" | "unknown";

/** Decides whether an act may be carried out now. */
function judgeTaking(row: ConfirmationRow | undefined, taking: Taking, now: number): Taken {
  if (!row || row.key_id !== taking.keyId || row.view !== taking.view) return "unknown";
  if (row.taken_at !== null || now >= row.expires_at) return "unknown";
  // This applies even if the arguments differ, because the user refused this confirmation.
  if (taking.isRefused) return "declined";
  if (row.binding !== taking.binding) return "changed";
  if (row.decision === "declined") return "declined";
  const isApproved = row.decision === "approved" && row.decided_by !== null && row.decided_by === taking.approver;
  return taking.needsNoYes || isApproved ? "taken" : "not_approved";
}

type New = Omit<ConfirmationRow, "asked_at" | "expires_at" | "decision" | "decided_by" | "taken_at">;

/** Stores the account's acts that wait for a confirmation, and the outcomes of recent ones. */
export class ConfirmationLedger {
  readonly #storage: Pick<DurableObjectStorage, "sql" | "transactionSync">;

  constructor(storage: Pick<DurableObjectStorage, "sql" | "transactionSync">) {
    this.#storage = storage;
  }

  /** Stores a confirmation. Returns when it expires, ms. */
  add(row: New, now: number): number {
    const expiresAt = now + CONFIRM_WITHIN_MS;
    const { id, digest, key_id, key_hash, key_name, view, scope, tool, binding, effect, summary } = row;
    const values = [
      id,
      digest,
      key_id,
      key_hash,
      key_name,
      view,
      scope,
      tool,
      binding,
      effect,
      summary,
      now,
      expiresAt,
    ];
    this.#storage.transactionSync(() => {
      this.sweep(now);
      this.#storage.sql.exec(
        "INSERT INTO confirmations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL)",
        ...values,
      );
      this.#storage.sql.exec(
        `DELETE FROM confirmations WHERE id IN
          (SELECT id FROM confirmations WHERE key_id = ? ORDER BY asked_at DESC, id DESC LIMIT -1 OFFSET ${MOST_OF_A_KEY})`,
        key_id,
      );
    });
    return expiresAt;
  }

  get(id: string): ConfirmationRow | undefined {
    return this.#first("id", id);
  }

  byDigest(digest: string): ConfirmationRow | undefined {
    return this.#first("digest", digest);
  }

  /** Takes a confirmation once: only one of two concurrent requests gets it. A refusal through the client voids it. */
  take(digest: string, taking: Taking, now: number): Taken {
    return this.#storage.transactionSync(() => {
      const row = this.byDigest(digest);
      const outcome = judgeTaking(row, taking, now);
      if (row && outcome === "taken")
        this.#storage.sql.exec("UPDATE confirmations SET taken_at = ? WHERE id = ?", now, row.id);
      if (row && outcome === "declined")
        this.#storage.sql.exec("UPDATE confirmations SET decision = 'declined' WHERE id = ?", row.id);
      return outcome;
    });
  }

  /** Records a member's decision, which replaces an earlier one; false if it is too late. */
  decide(id: string, decision: Decision, member: string, now: number): boolean {
    const decided = this.#storage.sql.exec(
      `UPDATE confirmations SET decision = ?, decided_by = ?
       WHERE id = ? AND taken_at IS NULL AND expires_at > ? AND decision IS NOT 'declined' RETURNING id`,
      decision,
      member,
      id,
      now,
    );
    return decided.toArray().length > 0;
  }

  /** Deletes the confirmations that are no longer shown. */
  sweep(now: number): void {
    this.#storage.sql.exec("DELETE FROM confirmations WHERE asked_at <= ?", now - SHOWN_MS);
  }

  /** Returns when to sweep, ms; null if nothing is stored. */
  sweepAt(): number | null {
    const [row] = this.#storage.sql.exec<{ at: number | null }>("SELECT min(asked_at) AS at FROM confirmations");
    return nextSweep(row?.at == null ? null : row.at + SHOWN_MS, SWEEP_EVERY_MS);
  }

  /** Deletes the confirmations that contain the number, and returns how many there were. */
  erase(number: string): number {
    const digits = number.replaceAll(/\D/g, "");
    const named = this.#storage.sql.exec(
      "DELETE FROM confirmations WHERE instr(effect, ?1) > 0 OR instr(summary, ?1) > 0 RETURNING id",
      digits,
    );
    return named.toArray().length;
  }

  #first(column: "id" | "digest", value: string): ConfirmationRow | undefined {
    const [row] = this.#storage.sql.exec<ConfirmationRow>(`SELECT * FROM confirmations WHERE ${column} = ?`, value);
    return row;
  }
}
