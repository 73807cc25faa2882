import { MIGRATION_STEPS, OUTBOX_DATA, type PersonalTables } from "../kernel/personal-data.ts";

/** How a person is found in the object of a campaign. */
export const CAMPAIGN_PERSONAL_DATA = {
  // What an upload's numbers were taken for is said with some of them.
  campaign: { by: ["text"], columns: ["settings", "assumed"], erasure: "mask" },
  contacts: { by: ["phone_number", "call_id"], columns: ["phone", "variables"], erasure: "mask" },
  attempts: { by: ["phone_number", "contact"], columns: ["to_number", "contact_variables"], erasure: "mask" },
  earlier_numbers: { by: ["phone_number", "contact"], columns: ["phone"], erasure: "delete" },
  // Entries are hashed with the number of their contact, which can be found from the hash by trial.
  log: { by: ["contact", "text"], columns: ["reason", "detail", "hash"], erasure: "mask" },
  rejects: { by: ["text"], columns: ["row"], erasure: "mask" },
  duplicates: { by: ["phone_number", "contact"], columns: ["phone", "variables"], erasure: "mask" },
  numbers_as_sent: { by: ["text"], columns: ["phone"], erasure: "delete" },
  uploads: { nobody: "the names of an upload's columns" },
  zones: { nobody: "names of time zones" },
  contact_gaps: { nobody: "which rows have no contact" },
  operations: { nobody: "what requests did, by their ids" },
  outbox: OUTBOX_DATA,
  migrations: MIGRATION_STEPS,
} as const satisfies PersonalTables;
