import { v7 as uuidv7 } from "uuid";
import type { Author } from "../../kernel/db/account-store.ts";
import type { ChangedFields } from "../../kernel/db/audit-changes.ts";
import type { AuditChanges } from "../../kernel/db/schema/accounts.ts";
import { OutboxRows } from "../../kernel/durable/outbox-rows.ts";

/** An audit entry on its way to D1. */
export interface AuditEntryOwed {
  id: string;
  /** When it was done, ms. */
  at: number;
  action: string;
  actor: string;
  request_id: string;
  /** Null if no field changed. */
  changes: AuditChanges | null;
}

/** The audit entries of the campaign: each is owed to D1 from the transaction of its change on. */
export class AuditEntries {
  readonly #rows: OutboxRows<"d1">;

  constructor(sql: SqlStorage) {
    this.#rows = new OutboxRows(sql);
  }

  add(action: string, { actor, request_id }: Author, now: number, changes: ChangedFields = {}): void {
    const id = uuidv7();
    const named = Object.keys(changes).length === 0 ? null : changes;
    this.#rows.add("d1", id, { id, at: now, action, actor, request_id, changes: named });
  }
}
