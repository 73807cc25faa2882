import type { Migration } from "../../kernel/durable/migrate.ts";

/** The schema of an account's events, step by step. */
export const EVENTS_MIGRATIONS: readonly Migration[] = [
  {
    id: "events",
    sql: `
      CREATE TABLE events (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, at TEXT NOT NULL,
        data TEXT NOT NULL
      );
    `,
  },
];
