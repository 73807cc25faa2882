import { firstStep, type Migration } from "../../kernel/durable/migrate.ts";
import { CONFIRMATIONS } from "./confirmation-ledger.ts";
import { JOINED_SESSIONS } from "./joined-sessions.ts";
import { CONSOLE_SESSIONS } from "./session-families.ts";
import { SIGN_INS } from "./sign-in-ledger.ts";
import { SIGN_IN_TICKETS } from "./sign-in-tickets.ts";

/** Sessions that have ended, and sessions that survived the end of their user's other sessions. */
const SESSIONS = `
  CREATE TABLE sessions (id TEXT PRIMARY KEY, expires_at INTEGER NOT NULL, outlives INTEGER) WITHOUT ROWID;
`;

const OPEN_CAMPAIGNS = `
  CREATE TABLE reserved_campaigns (id TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE ended_campaigns (id TEXT PRIMARY KEY) WITHOUT ROWID;
`;

export const GATE_MIGRATIONS: readonly Migration[] = [
  firstStep(SESSIONS, OPEN_CAMPAIGNS, SIGN_INS, CONSOLE_SESSIONS, SIGN_IN_TICKETS, JOINED_SESSIONS, CONFIRMATIONS),
];
