import type { Migration } from "../../kernel/durable/migrate.ts";

/** The schema of the meter's storage, step by step. */
export const METER_MIGRATIONS: readonly Migration[] = [];
