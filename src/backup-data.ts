import { DELETION_BACKUP, ERASURE_BACKUP, GATE_BACKUP, METER_BACKUP } from "./account/backup-data.ts";
import type { ObjectBinding } from "./account/objects/account-objects.ts";
import { CAMPAIGN_BACKUP } from "./campaign/backup-data.ts";
import { CONVERSATION_BACKUP, TEST_RUN_BACKUP } from "./conversation/backup-data.ts";
import type { DeclaredTables } from "./kernel/backup/declared.ts";
import { IDEMPOTENCY_BACKUP } from "./kernel/idempotency/backup-data.ts";
import { INBOX_BACKUP, SANDBOX_BACKUP } from "./phone/backup-data.ts";
import { EVENTS_BACKUP, LEDGER_BACKUP, WEBHOOK_BACKUP } from "./records/backup-data.ts";

/** What backups do with the tables of each Durable Object class. One without an entry does not compile. */
export const OBJECT_BACKUP: Record<ObjectBinding, DeclaredTables> = {
  ACCOUNT_GATE: GATE_BACKUP,
  ACCOUNT_METER: METER_BACKUP,
  ACCOUNT_LEDGER: LEDGER_BACKUP,
  ACCOUNT_EVENTS: EVENTS_BACKUP,
  CAMPAIGN: CAMPAIGN_BACKUP,
  SANDBOX_CARRIER: SANDBOX_BACKUP,
  RECORDING_INBOX: INBOX_BACKUP,
  CONVERSATION: CONVERSATION_BACKUP,
  ERASURE: ERASURE_BACKUP,
  IDEMPOTENCY_STORE: IDEMPOTENCY_BACKUP,
  TEST_RUN: TEST_RUN_BACKUP,
  WEBHOOK: WEBHOOK_BACKUP,
  ACCOUNT_DELETION: DELETION_BACKUP,
};
