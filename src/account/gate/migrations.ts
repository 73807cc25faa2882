import type { Migration } from "../../kernel/durable/migrate.ts";
import { CALLS_FOR_METER } from "./calls-for-meter.ts";
import { CONFIRMATIONS } from "./confirmation-ledger.ts";
import { JOINED_SESSIONS } from "./joined-sessions.ts";
import { CONSOLE_SESSIONS } from "./session-families.ts";
import { FAILED_SIGN_INS, FAILURES_BY_STRANGERS } from "./sign-in-ledger.ts";
import { SIGN_IN_TICKETS } from "./sign-in-tickets.ts";

/** The schema of the gate's storage, step by step; the first step adopts tables made before steps were recorded. */
export const GATE_MIGRATIONS: readonly Migration[] = [
  {
    id: "first-tables",
    sql: `
      CREATE TABLE IF NOT EXISTS call_leases (
        call_id TEXT PRIMARY KEY, admitted_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, look_at INTEGER
      );
      CREATE INDEX IF NOT EXISTS call_leases_expires ON call_leases (expires_at);
      CREATE INDEX IF NOT EXISTS call_leases_look ON call_leases (look_at) WHERE look_at IS NOT NULL;
      CREATE TABLE IF NOT EXISTS admissions (at INTEGER NOT NULL, calls INTEGER NOT NULL);
      CREATE INDEX IF NOT EXISTS admissions_at ON admissions (at);
      CREATE TABLE IF NOT EXISTS days (day TEXT PRIMARY KEY, calls INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS turns (
        place INTEGER PRIMARY KEY AUTOINCREMENT, campaign TEXT NOT NULL UNIQUE, called_at INTEGER
      );
    `,
  },
  {
    id: "watched-calls-are-asked-about",
    sql: `
      ALTER TABLE call_leases ADD COLUMN looked_at INTEGER;
      ALTER TABLE call_leases ADD COLUMN hang_up INTEGER NOT NULL DEFAULT 0;
      -- A watched lease now lasts until its call is settled, not only to the call's limit.
      UPDATE call_leases SET expires_at = expires_at + 900000 WHERE look_at IS NOT NULL;
    `,
  },
  // Not indexed: there are never more leases than concurrent calls.
  { id: "leases-name-their-campaign", sql: "ALTER TABLE call_leases ADD COLUMN campaign TEXT" },
  {
    id: "sessions-that-ended",
    sql: "CREATE TABLE sessions (id TEXT PRIMARY KEY, expires_at INTEGER NOT NULL, outlives INTEGER) WITHOUT ROWID",
  },
  {
    id: "streams-uploads-and-open-campaigns-are-counted",
    sql: `
      CREATE TABLE quota_leases (
        quota TEXT NOT NULL, id TEXT NOT NULL, campaign TEXT NOT NULL, expires_at INTEGER NOT NULL,
        PRIMARY KEY (quota, id)
      ) WITHOUT ROWID;
      CREATE TABLE ended_campaigns (id TEXT PRIMARY KEY) WITHOUT ROWID;
    `,
  },
  FAILED_SIGN_INS,
  FAILURES_BY_STRANGERS,
  CALLS_FOR_METER,
  CONSOLE_SESSIONS,
  SIGN_IN_TICKETS,
  JOINED_SESSIONS,
  CONFIRMATIONS,
];
