import { v7 as uuidv7 } from "uuid";
import type { Author } from "../../kernel/db/account-store.ts";
import type { ChangedFields } from "../../kernel/db/audit-changes.ts";

/** An audit entry on its way to D1. */
export type PendingAudit = {
  id: string;
  at: number;
  action: string;
  actor: string;
  request_id: string;
  /** JSON, null where no field changed. */
  changes: string | null;
};

/** The outbox of audit entries: each is stored with its change and kept until the account's audit log in D1 has it. */
export class AuditOutbox {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(action: string, { actor, request_id }: Author, now: number, changes: ChangedFields = {}): void {
    this.#sql.exec(
      "INSERT INTO audits (id, at, action, actor, request_id, changes) VALUES (?, ?, ?, ?, ?, ?)",
      uuidv7(),
      now,
      action,
      actor,
      request_id,
      Object.keys(changes).length === 0 ? null : JSON.stringify(changes),
    );
  }

  pending(): PendingAudit[] {
    return this.#sql.exec<PendingAudit>("SELECT * FROM audits ORDER BY id LIMIT 100").toArray();
  }

  delivered(audits: PendingAudit[]): void {
    this.#sql.exec(
      "DELETE FROM audits WHERE id IN (SELECT value FROM json_each(?))",
      JSON.stringify(audits.map(({ id }) => id)),
    );
  }
}
