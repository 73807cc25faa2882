import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";
import { revised } from "./columns.ts";
import { type AccountDisclosure, NO_DISCLOSURE } from "./disclosure.ts";

/** The account's settings for calls, if they differ from the defaults. */
export const callSettings = sqliteTable(
  "call_settings",
  {
    account: accountRef(),
    /** The number of days that conversations are kept; null means as long as the account exists. */
    retention_days: integer("retention_days"),
    record_outbound: integer("record_outbound", { mode: "boolean" }).notNull().default(true),
    record_inbound: integer("record_inbound", { mode: "boolean" }).notNull().default(false),
    /** The announcement at the beginning of recorded calls; null if there is none. */
    recording_announcement: text("recording_announcement"),
    /** Agents' disclosure of what they are, before their first word. */
    disclosure: text("disclosure", { mode: "json" }).$type<AccountDisclosure>().notNull().default(NO_DISCLOSURE),
    ring_timeout_s: integer("ring_timeout_s").notNull().default(45),
    /** The slots of the concurrent cap that campaigns must leave free; null for a number derived from the cap. */
    inbound_reserve: integer("inbound_reserve"),
    /** The calling codes that may be dialed, such as `+49`; null for all. */
    allowed_destinations: text("allowed_destinations", { mode: "json" }).$type<string[]>(),
    /** The maximum number of inbound calls of one caller at once, and within a UTC day; null means no limit. */
    caller_concurrent_calls: integer("caller_concurrent_calls").default(2),
    caller_calls_per_day: integer("caller_calls_per_day").default(20),
    /** What happens when a machine answers a call outside campaigns. */
    voicemail: text("voicemail", { enum: ["hang_up", "leave_message", "continue", "off"] })
      .notNull()
      .default("hang_up"),
    ...revised(),
  },
  (t) => [primaryKey({ columns: [t.account] })],
);
