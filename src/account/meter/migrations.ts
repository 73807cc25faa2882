import { firstStep, type Migration } from "../../kernel/durable/migrate.ts";
import { OUTBOX } from "../../kernel/durable/outbox.ts";
import { INBOUND_CALLS } from "./inbound-calls.ts";
import { LIVE_LEASES } from "./live-lease-rows.ts";
import { PAST_CONSUMERS } from "./past-consumers.ts";
import { BUDGET_STARTS } from "./recorded-use.ts";
import { TOOL_RATES } from "./tool-rates.ts";

/** The tables of budgets. Amounts are tokens or, for calls, ms; times are in ms. */
const BUDGET_TABLES = `
  -- The use and the reservations of a part of a budget in the period that began at this time.
  CREATE TABLE budget_pots (
    budget TEXT NOT NULL, share TEXT NOT NULL, period INTEGER NOT NULL, used INTEGER NOT NULL,
    reserved INTEGER NOT NULL, PRIMARY KEY (budget, share)
  ) WITHOUT ROWID;
  -- What uses budgets, and how much of its use is settled. closing is 1 if it must be closed, 2 once it was notified. Calls
  -- use minutes from answered_at on.
  CREATE TABLE budget_consumers (
    id TEXT PRIMARY KEY, object TEXT NOT NULL, measure TEXT NOT NULL, consumer TEXT NOT NULL,
    settled INTEGER NOT NULL DEFAULT 0, requests INTEGER NOT NULL DEFAULT 0, closing INTEGER NOT NULL DEFAULT 0,
    reported_at INTEGER NOT NULL, answered_at INTEGER
  ) WITHOUT ROWID;
  CREATE INDEX budget_consumers_closing ON budget_consumers (closing) WHERE closing = 1;
  CREATE INDEX budget_consumers_reported ON budget_consumers (reported_at);
  -- Reservations for the n-th request of a consumer. A lapsed one is charged in the period in which it was reserved, until
  -- its consumer settles it.
  CREATE TABLE budget_reservations (
    consumer TEXT NOT NULL, n INTEGER NOT NULL, amount INTEGER NOT NULL, started INTEGER NOT NULL,
    lapsed INTEGER NOT NULL DEFAULT 0, reserved_at INTEGER NOT NULL, until INTEGER NOT NULL,
    lapses_at INTEGER NOT NULL, PRIMARY KEY (consumer, n)
  ) WITHOUT ROWID;
  CREATE INDEX budget_reservations_lapse ON budget_reservations (lapses_at) WHERE lapsed = 0;
  -- Each warning once for its share of the limit and period.
  CREATE TABLE budget_warnings (
    id TEXT NOT NULL UNIQUE, budget TEXT NOT NULL, period INTEGER NOT NULL, share REAL NOT NULL,
    used INTEGER NOT NULL, at INTEGER NOT NULL, delivered INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (budget, period, share)
  ) WITHOUT ROWID;
  CREATE TABLE visitor_days (
    day INTEGER NOT NULL, widget_key TEXT NOT NULL, who TEXT NOT NULL, conversations INTEGER NOT NULL,
    speech_chars INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (day, widget_key, who)
  ) WITHOUT ROWID;
`;

const CALLS = `
  -- The leases of calls in progress. caller is set for inbound calls; look_at is null if a campaign watches the call.
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
    position INTEGER PRIMARY KEY AUTOINCREMENT, campaign TEXT NOT NULL UNIQUE, called_at INTEGER
  );
`;

export const METER_MIGRATIONS: readonly Migration[] = [
  firstStep(CALLS, LIVE_LEASES, TOOL_RATES, BUDGET_TABLES, INBOUND_CALLS, OUTBOX, BUDGET_STARTS, PAST_CONSUMERS),
];
