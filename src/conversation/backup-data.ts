import type { DeclaredTables } from "../kernel/backup/declared.ts";

/** What backups do with the object of a conversation: one that has ended is in its archive. */
export const CONVERSATION_BACKUP: DeclaredTables = Object.fromEntries(
  ["conversation", "session_pieces", "events", "open_turn", "tool_runs", "analyses", "outbox", "migrations"].map(
    (table) => [table, { left: "a conversation is copied once it has ended, from its archive" }],
  ),
);
