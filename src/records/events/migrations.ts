import { firstStep, type Migration } from "../../kernel/durable/migrate.ts";

const EVENTS = `
  -- taken_at is in ms, and rises with the sequence.
  CREATE TABLE events (
    sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, at TEXT NOT NULL,
    taken_at INTEGER NOT NULL, data TEXT NOT NULL
  );
  CREATE INDEX events_type ON events (type, sequence);
`;

const FOLLOWERS = `
  -- The account's webhooks: the stamp of their configuration (null once deleted), and the stamp and sequence of which
  -- they were last notified.
  CREATE TABLE followers (
    webhook TEXT PRIMARY KEY, stamp TEXT, enabled INTEGER NOT NULL,
    notified_stamp TEXT, notified INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID;
`;

export const EVENTS_MIGRATIONS: readonly Migration[] = [firstStep(EVENTS, FOLLOWERS)];
