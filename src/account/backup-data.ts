import { type DeclaredTables, MIGRATION_STEPS_LEFT } from "../kernel/backup/declared.ts";
import type {
  DELETION_PERSONAL_DATA,
  ERASURE_PERSONAL_DATA,
  GATE_PERSONAL_DATA,
  METER_PERSONAL_DATA,
} from "./personal-data.ts";

const signIns = { left: "who is signed in where is not handed on" } as const;
const live = { left: "of what is live, which a copy is not" } as const;
const again = { left: "read again from the ledger, at the first use of a budget" } as const;

/** What backups do with the object of an erasure. */
export const ERASURE_BACKUP = {
  job: { left: "an erasure is carried out where it was asked for" },
  traces: { left: "an erasure is carried out where it was asked for" },
  counted: { left: "an erasure is carried out where it was asked for" },
  carrier_recordings: { left: "an erasure is carried out where it was asked for" },
  migrations: MIGRATION_STEPS_LEFT,
} as const satisfies DeclaredTables<keyof typeof ERASURE_PERSONAL_DATA>;

/** The object of an account's deletion has no tables. */
export const DELETION_BACKUP = {} as const satisfies DeclaredTables<keyof typeof DELETION_PERSONAL_DATA>;

/** What backups do with the account's gate. */
export const GATE_BACKUP = {
  sessions: signIns,
  console_sessions: signIns,
  joined_sessions: signIns,
  confirmations: { left: "what a key asked for is asked for again" },
  sign_in_tickets: signIns,
  quota_leases: live,
  ended_campaigns: { left: "read from the list of campaigns" },
  sign_in_failures: signIns,
  sign_in_homes: signIns,
  stranger_failures: signIns,
  migrations: MIGRATION_STEPS_LEFT,
} as const satisfies DeclaredTables<keyof typeof GATE_PERSONAL_DATA>;

/** What backups do with the account's meter. */
export const METER_BACKUP = {
  days: { copy: true },
  visitor_days: { copy: true },
  caller_days: { copy: true },
  tool_runs_of_day: { copy: true },
  inbound_calls: { copy: true },
  call_leases: live,
  admissions: { left: "calls of the last minute" },
  turns: live,
  live_leases: live,
  tool_runs_of_minute: { left: "runs of the last minute" },
  budget_pots: again,
  budget_payers: again,
  budget_past_payers: again,
  budget_reservations: again,
  budget_warnings: { left: "a warning may be given again" },
  budget_starts: again,
  outbox: { left: "warnings, which the source's events have" },
  migrations: MIGRATION_STEPS_LEFT,
} as const satisfies DeclaredTables<keyof typeof METER_PERSONAL_DATA>;
