import { MIGRATION_STEPS, OUTBOX_DATA, type PersonalTables } from "../kernel/personal-data.ts";

const leases = { nobody: "ids of calls and campaigns, while the calls live" } as const;
const counted = { nobody: "numbers of calls" } as const;
const signIns = {
  nobody: "people who sign in, by a hash and an address, for as long as failures and homes count",
} as const;
const ofBudgets = { nobody: "what is used of budgets, by the ids of what uses it" } as const;

const whom = { by: ["phone_number", "visitor_id", "conversation_id"], erasure: "delete" } as const;

/** How a person is found in the object of an erasure, until it is complete. */
export const ERASURE_PERSONAL_DATA = {
  job: Object.assign({ columns: ["subject"] }, whom),
  traces: Object.assign({ columns: ["id"] }, whom),
  counted: { nobody: "ids of campaigns, and numbers of their rows" },
  carrier_recordings: Object.assign({ columns: ["call_id", "source_id"] }, whom),
  migrations: MIGRATION_STEPS,
} as const satisfies PersonalTables;

/** The object of an account's deletion has no tables: D1 has how far it is. */
export const DELETION_PERSONAL_DATA = {} as const satisfies PersonalTables;

/** How a person is found in the account's gate. */
export const GATE_PERSONAL_DATA = {
  sessions: { nobody: "people who sign in, by the ids of sessions, until those are over" },
  console_sessions: { nobody: "people who sign in, with device and address, until their sessions are over" },
  joined_sessions: { nobody: "ids of sessions of the same people in other accounts, until those are over" },
  confirmations: { by: ["phone_number"], columns: ["effect", "summary"], erasure: "delete" },
  sign_in_tickets: { nobody: "random ids of sign-ins, for minutes" },
  quota_leases: leases,
  ended_campaigns: { nobody: "ids of campaigns" },
  sign_in_failures: signIns,
  sign_in_homes: signIns,
  stranger_failures: signIns,
  migrations: MIGRATION_STEPS,
} as const satisfies PersonalTables;

/** How a person is found in the account's meter. */
export const METER_PERSONAL_DATA = {
  call_leases: { by: ["phone_number", "call_id"], columns: ["caller"], erasure: "mask" },
  admissions: counted,
  days: counted,
  turns: { nobody: "ids of campaigns" },
  live_leases: { by: ["visitor_id", "conversation_id"], columns: ["id", "lease"], erasure: "delete" },
  tool_runs_of_minute: { by: ["visitor_id", "conversation_id"], columns: ["holder"], erasure: "delete" },
  tool_runs_of_day: { by: ["visitor_id"], columns: ["visitor"], erasure: "delete" },
  visitor_days: { by: ["visitor_id"], columns: ["who"], erasure: "delete" },
  caller_days: { by: ["phone_number"], columns: ["caller"], erasure: "delete" },
  inbound_calls: { nobody: "ids of calls, here and at their carriers, for 7 days" },
  budget_pots: ofBudgets,
  budget_payers: ofBudgets,
  budget_past_payers: ofBudgets,
  budget_reservations: ofBudgets,
  budget_warnings: ofBudgets,
  budget_starts: ofBudgets,
  outbox: OUTBOX_DATA,
  migrations: MIGRATION_STEPS,
} as const satisfies PersonalTables;
