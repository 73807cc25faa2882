import { MIGRATION_STEPS, type PersonalBucket, type PersonalTables } from "../kernel/personal-data.ts";

/** How a person is found among the recordings that are still to be fetched. */
export const INBOX_PERSONAL_DATA = {
  entries: { by: ["call_id"], columns: ["source_id", "recording"], erasure: "delete" },
  done: { nobody: "ids of recordings that were fetched, for a day" },
  migrations: MIGRATION_STEPS,
} as const satisfies PersonalTables;

/** How a person is found at the sandbox's carrier. */
export const SANDBOX_PERSONAL_DATA = {
  calls: { by: ["phone_number", "call_id"], columns: ["to_number", "talk"], erasure: "delete" },
  reports: { by: ["call_id"], columns: ["body"], erasure: "delete" },
  migrations: MIGRATION_STEPS,
} as const satisfies PersonalTables;

/** How a person is found among the audio of calls. */
export const RECORDINGS_PERSONAL_DATA = {
  by: ["call_id"],
  found: "by the key of the recording's id, which its row in the ledger has",
  erasure: "delete",
} as const satisfies PersonalBucket;
