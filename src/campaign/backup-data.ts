import { type DeclaredTables, MIGRATION_STEPS_LEFT } from "../kernel/backup/declared.ts";
import type { CAMPAIGN_PERSONAL_DATA } from "./personal-data.ts";

/** What backups do with a campaign's object: its own row comes last, and completes the campaign. */
export const CAMPAIGN_BACKUP = {
  zones: { copy: true },
  contacts: { copy: true, json: ["variables"] },
  attempts: { copy: true },
  analysis_names: { copy: true },
  earlier_numbers: { copy: true },
  rejects: { copy: true, json: ["row"] },
  duplicates: { copy: true, json: ["variables"] },
  numbers_as_sent: { left: "only while an upload is read, which a copy is not" },
  uploads: { copy: true, json: ["names"] },
  contact_gaps: { copy: true },
  erasures: { copy: true, json: ["contacts", "formerly", "counts", "place"] },
  operations: { copy: true },
  outbox: { copy: true, json: ["body"], only: { destination: ["d1"] } },
  log: { copy: true },
  campaign: {
    copy: true,
    json: ["settings", "columns", "redial", "assumed"],
    only: { status: ["draft", "running", "paused", "stopped", "completed"] },
    // The object knows both; it writes them when it is complete.
    set: { id: "", account: "", mirrored: 0 },
  },
  migrations: MIGRATION_STEPS_LEFT,
} as const satisfies DeclaredTables<keyof typeof CAMPAIGN_PERSONAL_DATA>;
