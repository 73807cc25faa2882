import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";

const sum = (name: string) => integer(name).notNull();

/**
 * Each account's daily totals (UTC) for operators, from its ledger's counters. A day belongs to one ledger volume,
 * which rewrites the whole row within a minute of a change.
 */
export const accountDays = sqliteTable(
  "account_days",
  {
    account: accountRef(),
    /** A date such as `2026-11-23`. */
    day: text("day").notNull(),
    /** The volume's revision, so that an older push never overwrites a newer one. */
    revision: integer("revision").notNull(),
    calls: sum("calls"),
    answered: sum("answered"),
    talk_ms: sum("talk_ms"),
    conversations: sum("conversations"),
    conversation_ms: sum("conversation_ms"),
    input_tokens: sum("input_tokens"),
    cached_tokens: sum("cached_tokens"),
    output_tokens: sum("output_tokens"),
    speech_chars: sum("speech_chars"),
    carrier_s: sum("carrier_s"),
    tool_runs: sum("tool_runs"),
    /** The number of failed model requests. */
    model_errors: sum("model_errors").default(0),
    cost_micros: sum("cost_micros"),
    /** The number of conversations whose cost is not fully known. */
    cost_incomplete: sum("cost_incomplete"),
  },
  (t) => [primaryKey({ columns: [t.account, t.day] }), index("account_days_day").on(t.day)],
);

/** The columns that are summed. */
export const DAY_SUMS = [
  "calls",
  "answered",
  "talk_ms",
  "conversations",
  "conversation_ms",
  "input_tokens",
  "cached_tokens",
  "output_tokens",
  "speech_chars",
  "carrier_s",
  "tool_runs",
  "model_errors",
  "cost_micros",
  "cost_incomplete",
] as const satisfies (keyof typeof accountDays.$inferSelect)[];

export type DaySum = (typeof DAY_SUMS)[number];

export type DayTotal = Omit<typeof accountDays.$inferSelect, "account">;
