import { type DeclaredTables, MIGRATION_STEPS_LEFT, valuesOf } from "../kernel/backup/declared.ts";
import { EVENT_TYPES } from "./events/types.ts";
import { CALL_STATUSES } from "./ledger/call-status.ts";
import * as schema from "./ledger/schema.ts";
import type { EVENTS_PERSONAL_DATA, LEDGER_PERSONAL_DATA, WEBHOOK_PERSONAL_DATA } from "./personal-data.ts";

const sends = { left: "a restored webhook is disabled, and begins anew once somebody enables it" } as const;

/** What backups do with a volume of the ledger. Sums come first: rows read later may be newer than these, never older. */
export const LEDGER_BACKUP = {
  counters: { copy: true },
  call_totals: { left: "counted again as the calls are written" },
  // Its totals are written anew, so that those of D1 never rest on a backup alone.
  days: { copy: true, set: { due_at: 0 } },
  other_usage: { copy: true },
  calls: {
    copy: true,
    json: ["metadata", "variables", "own_metadata", "disclosure"],
    values: Object.assign({ status: CALL_STATUSES }, valuesOf(schema.calls)),
  },
  conversations: {
    copy: true,
    json: ["variables", "usage", "rates", "latency", "analysis_brief", "disclosure"],
    values: valuesOf(schema.conversations),
  },
  analysis_values: { copy: true },
  recordings: { copy: true },
  tool_runs: { copy: true, values: valuesOf(schema.toolRuns) },
  acts: { copy: true, json: ["changes"] },
  act_retention: { left: "a copy looks for old entries by itself" },
  split: { copy: true },
  removed: { copy: true },
  call_retention: { copy: true },
  record_retention: { left: "told anew within a day" },
  notices: { copy: true, json: ["body"] },
  outbox: { copy: true, json: ["body"], only: { destination: ["events", "meter"] } },
  migrations: MIGRATION_STEPS_LEFT,
} as const satisfies DeclaredTables<keyof typeof LEDGER_PERSONAL_DATA>;

/** What backups do with the account's events. */
export const EVENTS_BACKUP = {
  events: { copy: true, json: ["data"], values: { type: EVENT_TYPES } },
  followers: sends,
  migrations: MIGRATION_STEPS_LEFT,
} as const satisfies DeclaredTables<keyof typeof EVENTS_PERSONAL_DATA>;

/** What backups do with a webhook's object. */
export const WEBHOOK_BACKUP = {
  endpoint: sends,
  deliveries: sends,
  attempts: sends,
  outbox: sends,
  migrations: MIGRATION_STEPS_LEFT,
} as const satisfies DeclaredTables<keyof typeof WEBHOOK_PERSONAL_DATA>;
