import { type DeclaredTables, MIGRATION_STEPS_LEFT } from "../backup/declared.ts";
import type { IDEMPOTENCY_PERSONAL_DATA } from "./personal-data.ts";

/** What backups do with an idempotency store. */
export const IDEMPOTENCY_BACKUP = {
  reservations: { left: "the keys that sent these requests are disabled in a copy" },
  migrations: MIGRATION_STEPS_LEFT,
} as const satisfies DeclaredTables<keyof typeof IDEMPOTENCY_PERSONAL_DATA>;
