import { firstStep, type Migration } from "../../../kernel/durable/migrate.ts";
import { OUTBOX } from "../../../kernel/durable/outbox.ts";

const ENDPOINT = `
  -- Times are ms. configuration is JSON of D1's row, with times in ISO 8601.
  CREATE TABLE endpoint (
    n INTEGER PRIMARY KEY CHECK (n = 0), configuration TEXT NOT NULL,
    -- The last sequence number that was read (null at the beginning), and the last known one.
    cursor INTEGER, known INTEGER NOT NULL DEFAULT 0, missed INTEGER NOT NULL DEFAULT 0,
    last_delivery_at INTEGER, failures TEXT, hold_until INTEGER NOT NULL DEFAULT 0,
    -- Why it disabled itself, and the beginning that this ended.
    disabled_reason TEXT, disabled_beginning INTEGER
  );
  CREATE TABLE deliveries (
    n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, event_id TEXT NOT NULL, type TEXT NOT NULL,
    status TEXT NOT NULL, body TEXT NOT NULL, address_revision INTEGER NOT NULL, created_at INTEGER NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0, next_at INTEGER,
    -- When the current attempt began.
    started_at INTEGER
  );
  CREATE INDEX deliveries_due ON deliveries (next_at, n) WHERE next_at IS NOT NULL;
  CREATE INDEX deliveries_status ON deliveries (status, n);
  CREATE INDEX deliveries_type ON deliveries (type, n);
  CREATE INDEX deliveries_created ON deliveries (created_at);
  CREATE INDEX deliveries_started ON deliveries (started_at) WHERE started_at IS NOT NULL;
  CREATE TABLE attempts (
    delivery INTEGER NOT NULL REFERENCES deliveries (n) ON DELETE CASCADE, at INTEGER NOT NULL, k INTEGER NOT NULL,
    status_code INTEGER, duration_ms INTEGER NOT NULL, error TEXT, response TEXT,
    PRIMARY KEY (delivery, k)
  ) WITHOUT ROWID;
`;

export const WEBHOOK_MIGRATIONS: readonly Migration[] = [firstStep(ENDPOINT, OUTBOX)];
