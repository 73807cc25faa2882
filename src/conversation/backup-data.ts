import { type DeclaredTables, MIGRATION_STEPS_LEFT } from "../kernel/backup/declared.ts";
import { RESULT_STATES } from "../kernel/db/schema/index.ts";
import type { TEST_RUN_PERSONAL_DATA } from "./personal-data.ts";

/** What backups do with the object of a conversation: one that has ended is in its archive. */
export const CONVERSATION_BACKUP: DeclaredTables = Object.fromEntries(
  ["conversation", "session_pieces", "events", "open_turn", "tool_runs", "analyses", "outbox", "migrations"].map(
    (table) => [table, { left: "a conversation is copied once it has ended, from its archive" }],
  ),
);

/** What backups do with the object of a test run that is over. */
export const TEST_RUN_BACKUP = {
  run: { copy: true, json: ["plan"], only: { status: ["completed", "failed"] } },
  tests: { copy: true, json: ["test"] },
  items: { copy: true, json: ["result"], values: { outcome: [null, ...RESULT_STATES] } },
  events: { copy: true },
  outbox: { left: "what a run owes, which the source delivers" },
  migrations: MIGRATION_STEPS_LEFT,
} as const satisfies DeclaredTables<keyof typeof TEST_RUN_PERSONAL_DATA>;
