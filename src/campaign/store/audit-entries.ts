import { v7 as uuidv7 } from "uuid";
import type { Act, Author } from "../../kernel/db/account-store.ts";
import type { ChangedFields } from "../../kernel/db/audit-changes.ts";
import type { ActEntry, ChangeEntry } from "../../kernel/db/audited.ts";
import type { AuditChanges } from "../../kernel/db/schema/accounts.ts";
import { OutboxRows } from "../../kernel/durable/outbox-rows.ts";
import { hangUpReports, type LedgerReport } from "../../records/ledger/report.ts";

type ActionOf<Entry extends ActEntry | ChangeEntry> = Extract<Entry, { resource: "campaign" }>["action"];

/** An audit entry of a change on its way to D1. */
export interface AuditEntryOwed {
  id: string;
  /** ms */
  at: number;
  action: string;
  actor: string;
  request_id: string;
  /** Null if no field changed. */
  changes: AuditChanges | null;
}

export class AuditEntries {
  readonly #rows: OutboxRows<"d1" | "ledger">;

  constructor(sql: SqlStorage) {
    this.#rows = new OutboxRows(sql);
  }

  add(action: ActionOf<ChangeEntry>, { actor, request_id }: Author, now: number, changes: ChangedFields = {}): void {
    const id = uuidv7();
    this.#rows.add("d1", id, { id, at: now, action, actor, request_id, changes: named(changes) });
  }

  addAct(
    action: ActionOf<ActEntry>,
    campaign: { id: string; name: string },
    { actor, name, request_id }: Author,
    now: number,
    changes: Record<string, null> = {},
  ): void {
    const id = uuidv7({ msecs: now });
    const [resource_id, resource_name, actor_name] = [campaign.id, campaign.name || null, name || null];
    const act: Act = {
      id,
      actor,
      actor_name,
      action,
      resource: "campaign",
      resource_id,
      resource_name,
      request_id,
      changes: named(changes),
    };
    this.#rows.add("ledger", id, { part: "act", locator: id, act } satisfies LedgerReport);
  }

  /** Adds the request to hang up a call, with its audit entry. */
  addHangUp(callId: string, act: Act): void {
    for (const report of hangUpReports(callId, act)) this.#rows.add("ledger", `${report.part} ${act.id}`, report);
  }
}

function named<T extends ChangedFields>(changes: T): T | null {
  return Object.keys(changes).length === 0 ? null : changes;
}
