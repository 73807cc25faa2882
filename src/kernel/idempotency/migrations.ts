import { firstStep, type Migration } from "../durable/migrate.ts";

export const IDEMPOTENCY_MIGRATIONS: readonly Migration[] = [
  firstStep(`
    CREATE TABLE reservations (
      id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, resource_id TEXT NOT NULL,
      holder TEXT, held_until INTEGER NOT NULL, expires_at INTEGER NOT NULL,
      answered INTEGER NOT NULL DEFAULT 0, answer TEXT
    );
    CREATE INDEX reservations_expires ON reservations (expires_at);
  `),
];
