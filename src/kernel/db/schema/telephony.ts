import { sql } from "drizzle-orm";
import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";
import { agents } from "./agents.ts";
import { callFacts } from "./call-statistics.ts";
import { createdAt, id, revised, updatedAt } from "./columns.ts";

/** Carrier credentials, sealed by the vault; only the names of their fields are readable. */
export const telephonyProviders = sqliteTable(
  "telephony_providers",
  {
    account: accountRef(),
    id: id(),
    provider: text("provider").notNull(),
    label: text("label").notNull(),
    credentials: text("credentials").notNull(),
    credential_keys: text("credential_keys", { mode: "json" }).$type<string[]>().notNull(),
    created_at: createdAt(),
    /** Calls that are under way still go by them; the row itself goes a while later. */
    deleted_at: text("deleted_at"),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    index("telephony_providers_account_created").on(t.account, t.created_at, t.id),
    index("telephony_providers_account_deleted").on(t.account, t.deleted_at),
    index("telephony_providers_deleted").on(t.deleted_at).where(sql`deleted_at IS NOT NULL`),
  ],
);

/** What a check of a number found, in short. */
export interface LastCheck {
  /** When it was made, ISO 8601. */
  at: string;
  ok: boolean;
  /** The names of what failed. */
  failed: string[];
}

export const phoneNumbers = sqliteTable(
  "phone_numbers",
  {
    account: accountRef(),
    id: id(),
    e164: text("e164").notNull(),
    provider: text("provider").notNull(),
    credentials_id: text("credentials_id"),
    agent_id: text("agent_id"),
    inbound_enabled: integer("inbound_enabled", { mode: "boolean" }).notNull(),
    outbound_enabled: integer("outbound_enabled", { mode: "boolean" }).notNull(),
    /** What the last check of it found; null where it was never checked. */
    last_check: text("last_check", { mode: "json" }).$type<LastCheck>(),
    created_at: createdAt(),
    updated_at: updatedAt(),
    ...revised(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    uniqueIndex("phone_numbers_account_e164").on(t.account, t.e164),
    index("phone_numbers_account_created").on(t.account, t.created_at, t.id),
    index("phone_numbers_account_agent").on(t.account, t.agent_id, t.created_at, t.id),
    index("phone_numbers_account_credentials").on(t.account, t.credentials_id),
    foreignKey({ columns: [t.account, t.agent_id], foreignColumns: [agents.account, agents.id] }),
    foreignKey({
      columns: [t.account, t.credentials_id],
      foreignColumns: [telephonyProviders.account, telephonyProviders.id],
    }),
  ],
);

/**
 * One row a call; campaign calls arrive from their campaign's object. No reference to the agent: history outlives it.
 */
export const calls = sqliteTable(
  "calls",
  {
    account: accountRef(),
    id: id(),
    direction: text("direction", { enum: ["outbound", "inbound"] }).notNull(),
    status: text("status").notNull(),
    agent_id: text("agent_id").notNull(),
    campaign_id: text("campaign_id"),
    from_number: text("from_number").notNull(),
    to_number: text("to_number").notNull(),
    provider: text("provider").notNull(),
    credentials_id: text("credentials_id"),
    provider_call_id: text("provider_call_id"),
    end_reason: text("end_reason"),
    created_at: createdAt(),
    started_at: text("started_at"),
    connected_at: text("connected_at"),
    ended_at: text("ended_at"),
    /** Whether it was set to be recorded; null for calls from before that could be chosen. */
    recorded: integer("recorded", { mode: "boolean" }),
    recording_id: text("recording_id"),
    /** What is done where a machine answers; null for calls of campaigns, and for those that came in. */
    voicemail: text("voicemail", { enum: ["hang_up", "leave_message", "continue", "off"] }),
    /** How far the message to the machine is, and when (ms) it is over at the latest; null where there is none. */
    message: text("message", { enum: ["greeting", "due", "asked", "left", "failed"] }),
    message_until: integer("message_until"),
    metadata: text("metadata", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** What the agent is told of this call alone. */
    variables: text("variables", { mode: "json" }).$type<Record<string, string>>().notNull().default({}),
    /** What the caller of the API wants given back with the call; `metadata` is what is noted here. */
    own_metadata: text("own_metadata", { mode: "json" }).$type<Record<string, unknown>>().notNull().default({}),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    index("calls_account_created").on(t.account, t.created_at, t.id),
    index("calls_account_agent").on(t.account, t.agent_id, t.created_at, t.id),
    index("calls_account_campaign").on(t.account, t.campaign_id, t.created_at, t.id),
    index("calls_account_status").on(t.account, t.status, t.created_at, t.id),
    index("calls_account_from").on(t.account, t.from_number, t.created_at, t.id),
    index("calls_account_to").on(t.account, t.to_number, t.created_at, t.id),
    // All that statistics ask for, so that they read the index alone.
    index("calls_account_statistics").on(
      t.account,
      callFacts.hour,
      callFacts.status,
      callFacts.end_reason,
      callFacts.over,
      callFacts.picked_up,
      callFacts.by_machine,
      callFacts.hangup_requested,
      callFacts.talk_ms,
      t.direction,
      t.agent_id,
      t.campaign_id,
    ),
    // A carrier may ask twice about the same incoming call.
    uniqueIndex("calls_account_inbound")
      .on(t.account, t.provider, t.provider_call_id)
      .where(sql`direction = 'inbound'`),
  ],
);
