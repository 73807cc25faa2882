import { MIGRATION_STEPS, OUTBOX_DATA, type PersonalTables } from "../kernel/personal-data.ts";

/** How a person is found in the object of a campaign. */
export const CAMPAIGN_PERSONAL_DATA = {
  // The countries assumed for an upload's numbers, with examples of them.
  campaign: { by: ["text"], columns: ["settings", "columns", "assumed"], erasure: "mask" },
  contacts: { by: ["phone_number", "text"], columns: ["phone", "variables", "failure_reason"], erasure: "mask" },
  attempts: {
    by: ["phone_number", "contact", "text"],
    columns: ["to_number", "contact_variables", "reason", "conversation_id", "disposition", "analysis"],
    erasure: "mask",
  },
  // Records that history entries are about another number than the contact's.
  earlier_numbers: { by: ["phone_number", "contact"], columns: ["phone"], erasure: "mask" },
  // Entries are hashed with the number of their contact, which can be found from the hash by trial.
  log: { by: ["contact", "text"], columns: ["reason", "detail", "hash"], erasure: "mask" },
  rejects: { by: ["text"], columns: ["reason", "row"], erasure: "mask" },
  duplicates: { by: ["phone_number", "contact"], columns: ["phone", "variables"], erasure: "mask" },
  // Exists only while an upload is read, and an erasure waits for that.
  numbers_as_sent: { by: ["text"], columns: ["phone"], erasure: "delete" },
  uploads: { by: ["text"], columns: ["names"], erasure: "mask" },
  analysis_names: { nobody: "names of values that agents look for" },
  zones: { nobody: "names of time zones" },
  contact_gaps: { nobody: "which rows have no contact" },
  erasures: { nobody: "ids of erasures, and which rows they found" },
  operations: { nobody: "what requests did, by their ids" },
  outbox: OUTBOX_DATA,
  migrations: MIGRATION_STEPS,
} as const satisfies PersonalTables;
