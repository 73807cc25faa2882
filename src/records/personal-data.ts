import { MIGRATION_STEPS, OUTBOX_DATA, type PersonalBucket, type PersonalTables } from "../kernel/personal-data.ts";

const counted = { nobody: "counters, which name nobody" } as const;

/** How a person is found in a volume of the ledger. */
export const LEDGER_PERSONAL_DATA = {
  calls: {
    by: ["phone_number", "conversation_id", "text"],
    columns: ["from_number", "to_number", "transferred_to", "end_reason", "metadata", "own_metadata", "variables"],
    erasure: "mask",
  },
  conversations: {
    by: ["phone_number", "visitor_id", "conversation_id", "call_id"],
    columns: [
      "id",
      "phone_number",
      "visitor_id",
      "session_key",
      "variables",
      "transferred_to",
      "disposition",
      "end_reason",
      "analysis_brief",
    ],
    erasure: "delete",
  },
  analysis_values: { by: ["conversation_id", "text"], columns: ["value"], erasure: "delete" },
  recordings: { by: ["call_id"], columns: ["id", "provider_recording_id"], erasure: "delete" },
  tool_runs: { by: ["conversation_id"], columns: ["error"], erasure: "delete" },
  acts: { by: ["visitor_id", "text"], columns: ["resource_id", "resource_name", "changes"], erasure: "mask" },
  act_retention: { nobody: "when entries of acts were last looked through for old ones" },
  counters: counted,
  other_usage: { nobody: "tokens by random ids of what used them beside conversations" },
  call_totals: counted,
  days: counted,
  split: { nobody: "whether there is a later volume" },
  removed: { nobody: "random ids of what was removed, so that no late report brings it back" },
  call_retention: { nobody: "from when on calls are kept" },
  record_retention: { nobody: "from when on records are kept" },
  notices: { nobody: "random ids of what was deleted, until all that hold something of it were told" },
  outbox: OUTBOX_DATA,
  migrations: MIGRATION_STEPS,
} as const satisfies PersonalTables;

/** How a person is found in the account's events. */
export const EVENTS_PERSONAL_DATA = {
  events: { by: ["text"], columns: ["data"], erasure: "mask" },
  followers: { nobody: "the account's webhooks, by their ids" },
  migrations: MIGRATION_STEPS,
} as const satisfies PersonalTables;

/** How a person is found in a webhook. */
export const WEBHOOK_PERSONAL_DATA = {
  endpoint: { nobody: "an address of the account's own, and how far its events were sent" },
  deliveries: { by: ["text"], columns: ["body"], erasure: "mask" },
  attempts: { by: ["text"], columns: ["response"], erasure: "mask" },
  outbox: OUTBOX_DATA,
  migrations: MIGRATION_STEPS,
} as const satisfies PersonalTables;

/** How a person is found among the archives of conversations and of what was read out of them. */
export const CONVERSATIONS_PERSONAL_DATA = {
  by: ["conversation_id"],
  found: "by the key of the conversation's id, which its row in the ledger has",
  erasure: "delete",
} as const satisfies PersonalBucket;
