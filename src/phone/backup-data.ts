import { type DeclaredTables, MIGRATION_STEPS_LEFT } from "../kernel/backup/declared.ts";
import type { INBOX_PERSONAL_DATA, SANDBOX_PERSONAL_DATA } from "./personal-data.ts";

/** What backups do with recordings that are yet to be fetched; a move waits until there are none. */
export const INBOX_BACKUP = {
  entries: { left: "fetched by the source, which the carrier told of them" },
  done: { left: "fetched by the source, which the carrier told of them" },
  migrations: MIGRATION_STEPS_LEFT,
} as const satisfies DeclaredTables<keyof typeof INBOX_PERSONAL_DATA>;

/** What backups do with the sandbox's carrier. */
export const SANDBOX_BACKUP = {
  calls: { left: "calls of a carrier that is played" },
  reports: { left: "calls of a carrier that is played" },
  migrations: MIGRATION_STEPS_LEFT,
} as const satisfies DeclaredTables<keyof typeof SANDBOX_PERSONAL_DATA>;
