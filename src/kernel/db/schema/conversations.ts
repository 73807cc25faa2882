import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";
import { id, revised } from "./columns.ts";

/** What a conversation used, summed over its turns. */
export interface ConversationUsage {
  input_tokens: number;
  /** Those of `input_tokens` that the model's provider had cached. */
  cached_tokens: number;
  output_tokens: number;
  audio_ms: number;
  /** Characters that were sent to be spoken, on a call. */
  speech_chars: number;
  /** How long the call took, s; 0 while it is not over, and where there is none. */
  carrier_s: number;
  /** Runs of tools whose request left. */
  tool_runs: number;
}

/** Times from the end of the user's words to the agent's first, ms; null where none was told. */
export interface ConversationLatency {
  first_ms: number | null;
  median_ms: number | null;
  max_ms: number | null;
}

/**
 * One row a conversation, on the phone, in a widget or of somebody of the account who tries the agent. While it is live
 * its turns are in its object, once it has ended in R2. No reference to the agent or the call: history outlives them.
 */
export const conversations = sqliteTable(
  "conversations",
  {
    account: accountRef(),
    id: id(),
    /** What its object is named by: the call's id, the visitor's sign-in, or its own id where the agent is tried. */
    session_key: text("session_key").notNull(),
    kind: text("kind", { enum: ["call", "widget", "test"] }).notNull(),
    status: text("status", { enum: ["live", "ended"] }).notNull(),
    direction: text("direction", { enum: ["outbound", "inbound"] }),
    agent_id: text("agent_id").notNull(),
    prompt_id: text("prompt_id"),
    call_id: text("call_id"),
    campaign_id: text("campaign_id"),
    contact_id: text("contact_id"),
    visitor_id: text("visitor_id"),
    visitor_type: text("visitor_type", { enum: ["guest", "user"] }),
    /** The other side's, of a call. */
    phone_number: text("phone_number"),
    variables: text("variables", { mode: "json" }).$type<Record<string, string>>().notNull(),
    started_at: text("started_at").notNull(),
    ended_at: text("ended_at"),
    end_reason: text("end_reason"),
    /** The number that the caller was handed over to. */
    transferred_to: text("transferred_to"),
    disposition: text("disposition"),
    turn_count: integer("turn_count").notNull(),
    tool_call_count: integer("tool_call_count").notNull(),
    usage: text("usage", { mode: "json" }).$type<ConversationUsage>().notNull(),
    latency: text("latency", { mode: "json" }).$type<ConversationLatency>().notNull(),
    /** The end and every event before it have arrived. */
    complete: integer("complete", { mode: "boolean" }).notNull(),
    /** Its turns are in R2; until then its object has them. */
    archived: integer("archived", { mode: "boolean" }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    index("conversations_account_started").on(t.account, t.started_at, t.id),
    index("conversations_account_session").on(t.account, t.session_key, t.started_at),
    index("conversations_account_agent").on(t.account, t.agent_id, t.started_at, t.id),
    index("conversations_account_campaign").on(t.account, t.campaign_id, t.started_at, t.id),
    index("conversations_account_contact").on(t.account, t.contact_id, t.started_at, t.id),
    index("conversations_account_call").on(t.account, t.call_id, t.started_at, t.id),
    index("conversations_account_kind").on(t.account, t.kind, t.started_at, t.id),
    index("conversations_account_disposition").on(t.account, t.disposition, t.started_at, t.id),
    index("conversations_account_phone").on(t.account, t.phone_number, t.started_at, t.id),
  ],
);

/** How the account's calls are held, where it differs from the defaults. */
export const callSettings = sqliteTable(
  "call_settings",
  {
    account: accountRef(),
    /** Days that conversations are kept; null for as long as the account is there. */
    retention_days: integer("retention_days"),
    record_outbound: integer("record_outbound", { mode: "boolean" }).notNull().default(true),
    record_inbound: integer("record_inbound", { mode: "boolean" }).notNull().default(false),
    /** Spoken first on calls that are recorded; null for nothing. */
    recording_announcement: text("recording_announcement"),
    ring_timeout_s: integer("ring_timeout_s").notNull().default(45),
    /** Slots of the concurrent cap that campaigns are never given; null for what the cap suggests. */
    inbound_reserve: integer("inbound_reserve"),
    /** The calling codes that may be dialled, such as `+49`; null for every one. */
    allowed_destinations: text("allowed_destinations", { mode: "json" }).$type<string[]>(),
    /** Inbound calls that one caller may have at once, and within a UTC day; null for any number. */
    caller_concurrent_calls: integer("caller_concurrent_calls").default(2),
    caller_calls_per_day: integer("caller_calls_per_day").default(20),
    /** What is done where a machine answers a single call. */
    voicemail: text("voicemail", { enum: ["hang_up", "leave_message", "continue", "off"] })
      .notNull()
      .default("hang_up"),
    ...revised(),
  },
  (t) => [primaryKey({ columns: [t.account] })],
);
