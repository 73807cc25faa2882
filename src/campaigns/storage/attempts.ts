import type { CallStatus } from "../../calls/status.ts";
import { jsonPieces } from "../../db/json-pieces.ts";
import type { Outcome } from "../state.ts";

/** One call to one contact. Times are ms. */
export type AttemptRow = {
  call_id: string;
  contact: number;
  number: number;
  state: "dialing" | "placed" | "ended";
  status: CallStatus;
  provider: string;
  provider_call_id: string | null;
  dialled_at: number;
  connected_at: number | null;
  ended_at: number | null;
  deadline: number | null;
  outcome: Outcome | null;
  reason: string | null;
  hangup: number;
  lease: "renew" | "free" | null;
  unmirrored: number;
};

const MINUTE = 60_000;
/** Calls from whose length that of the next is judged. */
const LATEST = 1_000;

/** The object's ledger of calls: each is written before the carrier is asked, and never taken out. */
export class AttemptStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  begin(attempt: Pick<AttemptRow, "call_id" | "contact" | "number" | "provider" | "dialled_at" | "deadline">): void {
    const { call_id, contact, number, provider, dialled_at, deadline } = attempt;
    this.#sql.exec(
      `INSERT INTO attempts (call_id, contact, number, state, status, provider, dialled_at, deadline)
       VALUES (?, ?, ?, 'dialing', 'queued', ?, ?, ?)`,
      ...[call_id, contact, number, provider, dialled_at, deadline],
    );
  }

  get(callId: string): AttemptRow | undefined {
    return this.#sql.exec<AttemptRow>("SELECT * FROM attempts WHERE call_id = ?", callId).toArray()[0];
  }

  /** Changes an attempt; D1 is to hear of it. */
  update(callId: string, changes: Partial<Omit<AttemptRow, "call_id" | "contact" | "number" | "unmirrored">>): void {
    const assignments = Object.keys(changes)
      .map((column) => `${column} = ?, `)
      .join("");
    this.#sql.exec(
      `UPDATE attempts SET ${assignments} unmirrored = 1 WHERE call_id = ?`,
      ...Object.values(changes),
      callId,
    );
  }

  openCount(): number {
    return this.#sql
      .exec<{ n: number }>("SELECT count(*) n FROM attempts INDEXED BY attempts_open WHERE state <> 'ended'")
      .one().n;
  }

  /** Open attempts about which something should have been heard by now. */
  overdue(now: number, limit: number): AttemptRow[] {
    return this.#sql
      .exec<AttemptRow>(
        "SELECT * FROM attempts WHERE state <> 'ended' AND deadline <= ? ORDER BY deadline LIMIT ?",
        now,
        limit,
      )
      .toArray();
  }

  /** Attempts whose dialling an earlier life of the object began and did not finish. */
  interrupted(): AttemptRow[] {
    return this.#sql
      .exec<AttemptRow>("SELECT * FROM attempts INDEXED BY attempts_open WHERE state <> 'ended' AND state = 'dialing'")
      .toArray();
  }

  open(): AttemptRow[] {
    return this.#sql
      .exec<AttemptRow>("SELECT * FROM attempts INDEXED BY attempts_open WHERE state <> 'ended'")
      .toArray();
  }

  /** Attempts that may hold a slot of the account's. */
  leased(): AttemptRow[] {
    return [...this.open(), ...this.toHangUp(Number.MAX_SAFE_INTEGER)];
  }

  nextDeadline(): number | null {
    return this.#sql
      .exec<{ at: number | null }>(
        "SELECT min(deadline) at FROM attempts INDEXED BY attempts_open WHERE state <> 'ended'",
      )
      .one().at;
  }

  /** When the calls of the last minute were begun, oldest first, the latest `limit` of them. */
  dialledInMinute(now: number, limit: number): number[] {
    return this.#sql
      .exec<{ at: number }>(
        "SELECT dialled_at at FROM attempts WHERE dialled_at > ? ORDER BY dialled_at DESC LIMIT ?",
        now - MINUTE,
        limit,
      )
      .toArray()
      .map(({ at }) => at)
      .reverse();
  }

  toHangUp(limit: number): AttemptRow[] {
    return this.#sql.exec<AttemptRow>("SELECT * FROM attempts WHERE hangup = 1 LIMIT ?", limit).toArray();
  }

  /** What the gate is still to be told of leases. */
  leaseNews(): { free: string[]; renew: string[] } {
    const rows = this.#sql
      .exec<{ call_id: string; lease: "renew" | "free" }>(
        "SELECT call_id, lease FROM attempts WHERE lease IS NOT NULL LIMIT 1000",
      )
      .toArray();
    const of = (kind: "renew" | "free") => rows.filter(({ lease }) => lease === kind).map(({ call_id }) => call_id);
    return { free: of("free"), renew: of("renew") };
  }

  /** The gate has been told, unless there is newer news. */
  leasesTold({ free, renew }: { free: string[]; renew: string[] }): void {
    const told = (kind: string, ids: string[]) =>
      this.#sql.exec(
        "UPDATE attempts SET lease = NULL WHERE lease = ? AND call_id IN (SELECT value FROM json_each(?))",
        kind,
        JSON.stringify(ids),
      );
    if (free.length > 0) told("free", free);
    if (renew.length > 0) told("renew", renew);
  }

  unmirrored(limit: number): (AttemptRow & { phone: number })[] {
    return this.#sql
      .exec<AttemptRow & { phone: number }>(
        `SELECT a.*, c.phone FROM attempts a INDEXED BY attempts_unmirrored JOIN contacts c ON c.id = a.contact
         WHERE a.unmirrored = 1 LIMIT ?`,
        limit,
      )
      .toArray();
  }

  /** D1 has these as they were; one that changed meanwhile is told again. */
  mirrored(attempts: AttemptRow[]): void {
    const rows = attempts.map(({ call_id, status, provider_call_id, connected_at, ended_at }) => [
      ...[call_id, status, provider_call_id, connected_at, ended_at],
    ]);
    for (const piece of jsonPieces(rows)) {
      this.#sql.exec(
        `UPDATE attempts SET unmirrored = 0 FROM json_each(?) told
         WHERE call_id = told.value ->> 0 AND status = told.value ->> 1 AND provider_call_id IS told.value ->> 2
           AND connected_at IS told.value ->> 3 AND ended_at IS told.value ->> 4`,
        piece,
      );
    }
  }

  /** How long the latest calls lasted on average from dialling to their end, ms; null before the first has ended. */
  averageLength(): number | null {
    return this.#sql
      .exec<{ ms: number | null }>(
        `SELECT avg(ended_at - dialled_at) ms FROM (
           SELECT ended_at, dialled_at FROM attempts WHERE state = 'ended' ORDER BY dialled_at DESC LIMIT ?)`,
        LATEST,
      )
      .one().ms;
  }

  ofContact(contact: number): AttemptRow[] {
    return this.#sql
      .exec<AttemptRow>("SELECT * FROM attempts WHERE contact = ? ORDER BY number, dialled_at", contact)
      .toArray();
  }
}
