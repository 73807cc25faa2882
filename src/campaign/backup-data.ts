import { type DeclaredTables, MIGRATION_STEPS_LEFT } from "../kernel/backup/declared.ts";
import type { CAMPAIGN_PERSONAL_DATA } from "./personal-data.ts";

/** What backups do with a campaign's object: its own row comes last, and completes the campaign. */
export const CAMPAIGN_BACKUP = {
  zones: { copy: true },
  contacts: { copy: true },
  attempts: { copy: true },
  analysis_names: { copy: true },
  earlier_numbers: { copy: true },
  rejects: { copy: true },
  duplicates: { copy: true },
  numbers_as_sent: { left: "only while an upload is read, which a copy is not" },
  uploads: { copy: true },
  contact_gaps: { copy: true },
  erasures: { copy: true },
  operations: { copy: true },
  outbox: { copy: true },
  log: { copy: true },
  campaign: { copy: true },
  migrations: MIGRATION_STEPS_LEFT,
} as const satisfies DeclaredTables<keyof typeof CAMPAIGN_PERSONAL_DATA>;
