import { v7 as uuidv7 } from "uuid";
import type { ObjectPart } from "../durable/object-part.ts";
import type { KeptAnswer, KeyedRequest, KeyOutcome, KeyVerdict } from "../http/context.ts";
import { NumberMask } from "../mask-number.ts";
import { DAY_MS } from "../time.ts";

/** The size in bytes above which new keys are refused. An object could store ten times as much. */
const MOST_BYTES = 1024 ** 3;
const PRUNED_PER_STEP = 1_000;
/** How long expired keys may stay, ms. Many keys are thus deleted at once. */
const PRUNE_EVERY_MS = 600_000;

/** The identifiers of a person to search for in responses. */
export interface AnsweredPerson {
  /** The phone number; null if only the ids are known. */
  number: string | null;
  /** The ids of visitors and conversations. */
  ids: string[];
}

/** The number of responses that a step masked, and the key after which the next step continues; null at the end. */
export interface AnswersSwept {
  masked: number;
  next: string | null;
}

interface Row extends Record<string, SqlStorageValue> {
  fingerprint: string;
  resource_id: string;
  held_until: number;
  expires_at: number;
  answered: number;
  /** The response as JSON; null if it was too long. */
  answer: string | null;
}

/**
 * Stores the responses to requests with idempotency keys, and which attempt is running. All methods are synchronous, so
 * exactly one of many simultaneous requests is the first.
 */
export class KeyLedger implements ObjectPart {
  readonly #sql: SqlStorage;
  /** Whether expired keys remain after the last step, and when (ms) that step was. */
  #hasMore = false;
  #sweptAt = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Decides what to do with a request. If the request must be carried out, its attempt holds the key from now on. */
  begin({ id, fingerprint, holder }: KeyedRequest, now: number): KeyVerdict {
    const [row] = this.#sql.exec<Row>("SELECT * FROM reservations WHERE id = ?", id).toArray();
    const decision = decide(row && reservationOf(row), fingerprint, now);
    switch (decision) {
      case "first":
        return this.#reserve({ id, fingerprint, holder }, now);
      case "take_over":
        this.#sql.exec("UPDATE reservations SET holder = ?, held_until = ? WHERE id = ?", holder, now + HELD_MS, id);
        return { outcome: "carry_out", resource_id: row?.resource_id ?? "", again: true };
      case "replay":
        return { outcome: "replay", answer: row?.answer == null ? null : (JSON.parse(row.answer) as KeptAnswer) };
      default:
        return { outcome: decision };
    }
  }

  #reserve({ id, fingerprint, holder }: KeyedRequest, now: number): KeyVerdict {
    if (this.#sql.databaseSize > MOST_BYTES) return { outcome: "full" };
    const resource_id = uuidv7({ msecs: now });
    this.#sql.exec(
      `INSERT OR REPLACE INTO reservations (id, fingerprint, resource_id, holder, held_until, expires_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
      id,
      fingerprint,
      resource_id,
      holder,
      now + HELD_MS,
      now + KEPT_MS,
    );
    return { outcome: "carry_out", resource_id, again: false };
  }

  /** Renews the attempt's hold on the key. Does nothing if another attempt has taken over the key. */
  prolong({ id, holder }: KeyedRequest, now: number): void {
    this.#sql.exec("UPDATE reservations SET held_until = ? WHERE id = ? AND holder = ?", now + HELD_MS, id, holder);
  }

  /** Ends the attempt. Does nothing if another attempt has taken over the key. */
  finish({ id, holder }: KeyedRequest, outcome: KeyOutcome, now: number): void {
    if ("keep" in outcome) {
      this.#sql.exec(
        "UPDATE reservations SET answered = 1, answer = ?, holder = NULL, held_until = 0 WHERE id = ? AND holder = ?",
        outcome.keep && JSON.stringify(outcome.keep),
        id,
        holder,
      );
      return;
    }
    this.#sql.exec(
      `UPDATE reservations SET resource_id = coalesce(?, resource_id), holder = NULL, held_until = 0
       WHERE id = ? AND holder = ?`,
      outcome.retry === "new_resource" ? uuidv7({ msecs: now }) : null,
      id,
      holder,
    );
  }

  dueAt(): number | null {
    if (this.#hasMore) return 0;
    const expiry = this.nextExpiry();
    // Prevents an immediate retry if the first expired key is still held.
    return expiry === null ? null : Math.max(expiry, this.#sweptAt) + PRUNE_EVERY_MS;
  }

  /** Deletes up to 1,000 expired keys. */
  async run(now: number): Promise<void> {
    const { rowsWritten } = this.#sql.exec(
      `DELETE FROM reservations WHERE id IN (
         SELECT id FROM reservations WHERE expires_at <= ?1 AND held_until <= ?1 LIMIT ?2
       )`,
      now,
      PRUNED_PER_STEP,
    );
    this.#hasMore = rowsWritten >= PRUNED_PER_STEP;
    this.#sweptAt = now;
  }

  /**
   * Erases a person from up to `limit` responses after a key: masks the number, and deletes responses that contain one
   * of `ids`. The keys stay, so that a repeated request is not carried out again.
   */
  erasePerson({ number, ids }: AnsweredPerson, after: string, limit: number): AnswersSwept {
    const mask = number === null ? null : new NumberMask(number);
    const rows = this.#sql
      .exec<{ id: string; answer: string | null }>(
        "SELECT id, answer FROM reservations WHERE id > ? ORDER BY id LIMIT ?",
        after,
        limit,
      )
      .toArray();
    const masked = rows.filter(({ id, answer }) => {
      if (answer === null) return false;
      const maskedAnswer = ids.some((named) => answer.includes(named)) ? null : (mask?.jsonText(answer) ?? answer);
      if (maskedAnswer !== answer) this.#sql.exec("UPDATE reservations SET answer = ? WHERE id = ?", maskedAnswer, id);
      return maskedAnswer !== answer;
    }).length;
    return { masked, next: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
  }

  /** Returns when (ms) the next key expires; null if there is none. */
  nextExpiry(): number | null {
    return this.#sql.exec<{ at: number | null }>("SELECT min(expires_at) at FROM reservations").one().at;
  }
}

function reservationOf({ fingerprint, answered, held_until, expires_at }: Row): Reservation {
  return { fingerprint, answered: answered === 1, heldUntil: held_until, expiresAt: expires_at };
}

/** How long a response is stored under its key, ms. */
export const KEPT_MS = DAY_MS;
/**
 * How long an attempt holds its key without renewing, ms. A running attempt renews every 3 s, so the hold only expires
 * if its process is gone.
 */
export const HELD_MS = 10_000;

/** The stored state of a key. Times are in ms. */
export interface Reservation {
  /** The hash of the first request with the key. */
  fingerprint: string;
  /** Whether that request was answered and the response stored. */
  answered: boolean;
  /** Until when an attempt counts as running; 0 if none does. */
  heldUntil: number;
  expiresAt: number;
}

/** What to do with a request: carry it out, take over an abandoned attempt, or not carry it out. */
type Decision = "first" | "take_over" | "replay" | "conflict" | "in_progress";

export function decide(existing: Reservation | undefined, fingerprint: string, now: number): Decision {
  if (!existing || isPast(existing, now)) return "first";
  if (existing.fingerprint !== fingerprint) return "conflict";
  if (existing.answered) return "replay";
  return now < existing.heldUntil ? "in_progress" : "take_over";
}

/** Checks whether the key may be deleted, because it has expired and no attempt is running. */
export function isPast({ expiresAt, heldUntil }: Pick<Reservation, "expiresAt" | "heldUntil">, now: number): boolean {
  return now >= expiresAt && now >= heldUntil;
}
