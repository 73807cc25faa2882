import { firstStep, type Migration } from "../../kernel/durable/migrate.ts";
import { OUTBOX } from "../../kernel/durable/outbox.ts";
import { BUDGET_TABLES } from "./budget-tables.ts";
import { INBOUND_CALLS } from "./inbound-calls.ts";
import { LIVE_LEASES } from "./live-lease-rows.ts";
import { PAST_PAYERS } from "./past-payers.ts";
import { BUDGET_STARTS } from "./recorded-use.ts";
import { TOOL_RATES } from "./tool-rates.ts";

const CALLS = `
  -- There are no more leases than calls at a time. Inbound calls have a caller.
  CREATE TABLE call_leases (
    call_id TEXT PRIMARY KEY, campaign TEXT, admitted_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
    look_at INTEGER, looked_at INTEGER, hang_up INTEGER NOT NULL DEFAULT 0, caller TEXT
  ) WITHOUT ROWID;
  CREATE INDEX call_leases_expires ON call_leases (expires_at);
  CREATE INDEX call_leases_look ON call_leases (look_at) WHERE look_at IS NOT NULL;
  CREATE TABLE admissions (at INTEGER NOT NULL, calls INTEGER NOT NULL);
  CREATE INDEX admissions_at ON admissions (at);
  CREATE TABLE days (day TEXT PRIMARY KEY, calls INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE turns (
    place INTEGER PRIMARY KEY AUTOINCREMENT, campaign TEXT NOT NULL UNIQUE, called_at INTEGER
  );
`;

/** The schema of the meter's storage, step by step. */
export const METER_MIGRATIONS: readonly Migration[] = [
  firstStep(CALLS, LIVE_LEASES, TOOL_RATES, BUDGET_TABLES, INBOUND_CALLS, OUTBOX, BUDGET_STARTS, PAST_PAYERS),
];
