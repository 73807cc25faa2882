import type { NumberMask } from "../../kernel/mask-number.ts";
import { ERASED_NUMBER } from "../contact-id.ts";

/** An attempt whose call is in progress or must still be hung up. */
const LIVE = "(state <> 'ended' OR hangup = 1)";
const LISTED = "(SELECT value FROM json_each(?1))";

/** The contacts of a number: those that have it, and those that had it before they were corrected. */
export interface ContactsOfNumber {
  contacts: number[];
  formerly: number[];
}

/** The numbers to erase: as digits, and as masks for texts. */
export interface ErasedNumbers {
  digits: number[];
  masks: readonly NumberMask[];
}

/** The rows of a person, found by the number. Each method is part of the caller's transaction. */
export class PersonRows {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  find(digits: number[]): ContactsOfNumber {
    const numbers = JSON.stringify(digits);
    const contacts = this.#ids(`SELECT id FROM contacts WHERE phone IN ${LISTED} ORDER BY id`, numbers);
    const had = `SELECT DISTINCT contact id FROM earlier_numbers WHERE phone IN ${LISTED} ORDER BY contact`;
    return { contacts, formerly: this.#ids(had, numbers).filter((id) => !contacts.includes(id)) };
  }

  /** Returns the calls to these contacts that aren't over. */
  liveCalls({ contacts, formerly }: ContactsOfNumber): string[] {
    return this.#sql
      .exec<{ call_id: string }>(
        `SELECT call_id FROM attempts WHERE contact IN ${LISTED} AND ${LIVE}`,
        JSON.stringify([...contacts, ...formerly]),
      )
      .toArray()
      .map(({ call_id }) => call_id);
  }

  /**
   * Empties the contacts except for the results of their calls, in which numbers are masked. Returns those that were
   * pending.
   */
  eraseContacts(contacts: number[], mask: (text: string) => string, now: number): number[] {
    const listed = JSON.stringify(contacts);
    const pending = this.#ids(`SELECT id FROM contacts WHERE id IN ${LISTED} AND status = 'pending'`, listed);
    const reasons = this.#sql
      .exec<{ id: number; reason: string }>(
        `SELECT id, failure_reason reason FROM contacts WHERE id IN ${LISTED} AND failure_reason IS NOT NULL`,
        listed,
      )
      .toArray();
    for (const { id, reason } of reasons)
      this.#sql.exec("UPDATE contacts SET failure_reason = ? WHERE id = ?", mask(reason), id);
    this.#sql.exec(
      `UPDATE contacts SET phone = ${ERASED_NUMBER}, zone = 0, variables = '[]', next_attempt_at = NULL, updated_at = ?2,
         status = iif(status = 'pending', 'cancelled', status)
       WHERE id IN ${LISTED}`,
      listed,
      now,
    );
    return pending;
  }

  /**
   * Removes, from the contacts' calls, the data with which they were placed and the results of their conversations.
   * Returns the number of calls.
   */
  eraseAttempts(contacts: number[]): number {
    const listed = JSON.stringify(contacts);
    // Without its own number and variables, a call uses those of its contact, which are erased too.
    this.#sql.exec(
      `UPDATE attempts SET to_number = NULL, contact_variables = NULL, conversation_id = NULL, disposition = NULL,
         analysis = NULL
       WHERE contact IN ${LISTED}`,
      listed,
    );
    return this.#sql.exec<{ n: number }>(`SELECT count(*) n FROM attempts WHERE contact IN ${LISTED}`, listed).one().n;
  }

  /** Removes the same data from calls to one of the numbers whose contacts now have another number. */
  eraseFormerAttempts(contacts: number[], digits: number[]): number {
    return this.#sql
      .exec(
        `UPDATE attempts SET to_number = ${ERASED_NUMBER}, contact_variables = '[]', conversation_id = NULL, disposition = NULL,
         analysis = NULL
         WHERE contact IN ${LISTED} AND to_number IN (SELECT value FROM json_each(?2)) RETURNING call_id`,
        JSON.stringify(contacts),
        JSON.stringify(digits),
      )
      .toArray().length;
  }

  /** Records which history entries are about another number than their contact's, without the number itself. */
  eraseEarlierNumbers(contacts: number[], digits: number[]): void {
    this.#sql.exec(
      `UPDATE earlier_numbers SET phone = ${ERASED_NUMBER}
       WHERE contact IN ${LISTED} OR phone IN (SELECT value FROM json_each(?2))`,
      JSON.stringify(contacts),
      JSON.stringify(digits),
    );
  }

  #ids(query: string, ...values: SqlStorageValue[]): number[] {
    return this.#sql
      .exec<{ id: number }>(query, ...values)
      .toArray()
      .map(({ id }) => id);
  }
}
