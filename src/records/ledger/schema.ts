import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { AuditChanges } from "../../kernel/db/schema/accounts.ts";
import type { Disclosure } from "../../kernel/db/schema/index.ts";
import { ANALYSIS_STATUSES, VALUED_STATES, VERDICTS } from "../analysis/analysis.ts";
import type { AnalysisBrief } from "../analysis/brief.ts";
import type { ConversationUsage } from "../prices/conversation-usage.ts";
import type { Rate } from "../prices/cost.ts";
import { DISCLOSED } from "./disclosed.ts";

/* The tables of a ledger volume. Each row of an account is in exactly one volume, determined by the time in its id. */

const id = () => text("id").primaryKey();

/** Milliseconds from the end of the user's words to the agent's first word; null if none was reported. */
export interface ConversationLatency {
  first_ms: number | null;
  median_ms: number | null;
  max_ms: number | null;
}

/**
 * Calls. A row has parts, each with one writer and that writer's revision: the line (carrier and outcome, written by
 * the campaign for its calls and otherwise by the ledger itself), the conversation, its recording, and the request to
 * hang up. A part may arrive before the line; the call is listed once the line has arrived (`line_revision` > 0).
 */
export const calls = sqliteTable(
  "calls",
  {
    id: id(),
    line_revision: integer("line_revision").notNull().default(0),
    /** The number of stages reached: started, answered, ended. The events of these stages have been emitted. */
    stage: integer("stage").notNull().default(0),
    direction: text("direction", { enum: ["outbound", "inbound"] }).notNull(),
    status: text("status").notNull(),
    agent_id: text("agent_id").notNull(),
    agent_version: integer("agent_version"),
    campaign_id: text("campaign_id"),
    contact_id: text("contact_id"),
    /** The key that originated the call. */
    api_key_id: text("api_key_id"),
    from_number: text("from_number").notNull(),
    to_number: text("to_number").notNull(),
    provider: text("provider").notNull(),
    credentials_id: text("credentials_id"),
    provider_call_id: text("provider_call_id"),
    end_reason: text("end_reason"),
    /** The time in its id. */
    created_at: text("created_at").notNull(),
    started_at: text("started_at"),
    connected_at: text("connected_at"),
    ended_at: text("ended_at"),
    /** The text to disclose before the agent's first word; null for none. */
    disclosure: text("disclosure", { mode: "json" }).$type<Disclosure>(),
    /**
     * How and when it was disclosed. Null if no disclosure was required, while that is undecided, and if no person
     * answered.
     */
    disclosed: text("disclosed", { enum: DISCLOSED }),
    disclosed_at: text("disclosed_at"),
    /** Whether the call was set to be recorded. */
    recorded: integer("recorded", { mode: "boolean" }).notNull(),
    /** What to do if a machine answers; null for calls of campaigns and inbound calls. */
    voicemail: text("voicemail", { enum: ["hang_up", "leave_message", "continue", "off"] }),
    /** The state of the message to the machine, and when (ms) it ends at the latest; null if there is none. */
    message: text("message", { enum: ["greeting", "due", "asked", "left", "failed"] }),
    message_until: integer("message_until"),
    /** The service's own notes about the call. */
    metadata: text("metadata", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    variables: text("variables", { mode: "json" }).$type<Record<string, string>>().notNull(),
    /** Data that the API client wants returned with the call. */
    own_metadata: text("own_metadata", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** The conversation on this call, and the number to which it was transferred. */
    conversation_id: text("conversation_id"),
    transferred_to: text("transferred_to"),
    recording_id: text("recording_id"),
    hangup_requested: integer("hangup_requested", { mode: "boolean" }).notNull().default(false),
    /** Whether it does not count towards the caps, because it was refused and its number was not at fault. */
    uncounted: integer("uncounted", { mode: "boolean" }).notNull().default(false),
  },
  (t) => [
    index("calls_agent").on(t.agent_id, t.id),
    index("calls_version").on(t.agent_id, t.agent_version, t.id),
    index("calls_campaign").on(t.campaign_id, t.id),
    index("calls_status").on(t.status, t.id),
    index("calls_from").on(t.from_number, t.id),
    index("calls_to").on(t.to_number, t.id),
    index("calls_disclosed").on(t.disclosed, t.id),
    index("calls_provider").on(t.provider, t.provider_call_id),
  ],
);

/**
 * Conversations on calls, in widgets, and with members of the account who try an agent. While a conversation is live
 * its turns are in its object, afterwards in R2.
 */
export const conversations = sqliteTable(
  "conversations",
  {
    id: id(),
    revision: integer("revision").notNull(),
    /** The name of its object: the call's id, the visitor's sign-in, or its own id if a member tries the agent. */
    session_key: text("session_key").notNull(),
    kind: text("kind", { enum: ["call", "widget", "test"] }).notNull(),
    status: text("status", { enum: ["live", "ended"] }).notNull(),
    direction: text("direction", { enum: ["outbound", "inbound"] }),
    agent_id: text("agent_id").notNull(),
    agent_version: integer("agent_version"),
    prompt_id: text("prompt_id"),
    call_id: text("call_id"),
    campaign_id: text("campaign_id"),
    contact_id: text("contact_id"),
    /** The key that originated its call, or that opened the conversation. */
    api_key_id: text("api_key_id"),
    visitor_id: text("visitor_id"),
    visitor_type: text("visitor_type", { enum: ["guest", "user"] }),
    /** The other side's number, for a call. */
    phone_number: text("phone_number"),
    variables: text("variables", { mode: "json" }).$type<Record<string, string>>().notNull(),
    started_at: text("started_at").notNull(),
    ended_at: text("ended_at"),
    end_reason: text("end_reason"),
    /** The number to which the call was transferred. */
    transferred_to: text("transferred_to"),
    /** The required disclosure, how it was disclosed, and when; see `calls`. */
    disclosure: text("disclosure", { mode: "json" }).$type<Disclosure>(),
    disclosed: text("disclosed", { enum: DISCLOSED }),
    disclosed_at: text("disclosed_at"),
    disposition: text("disposition"),
    turn_count: integer("turn_count").notNull(),
    tool_call_count: integer("tool_call_count").notNull(),
    usage: text("usage", { mode: "json" }).$type<ConversationUsage>().notNull(),
    /** The prices that applied to it when it ended; null while it is live. */
    rates: text("rates", { mode: "json" }).$type<Rate[]>(),
    latency: text("latency", { mode: "json" }).$type<ConversationLatency>().notNull(),
    /** Whether the end and every event before it have arrived. */
    complete: integer("complete", { mode: "boolean" }).notNull(),
    /** Whether its turns are in R2; until then its object stores them. */
    archived: integer("archived", { mode: "boolean" }).notNull(),
    /** The analysis in short form; null if none was requested. R2 stores the complete analysis. */
    analysis_status: text("analysis_status", { enum: ANALYSIS_STATUSES }),
    successful: text("successful", { enum: VERDICTS }),
    analysis_brief: text("analysis_brief", { mode: "json" }).$type<AnalysisBrief>(),
  },
  (t) => [
    index("conversations_started").on(t.started_at, t.id),
    index("conversations_session").on(t.session_key, t.started_at),
    index("conversations_agent").on(t.agent_id, t.started_at, t.id),
    index("conversations_version").on(t.agent_id, t.agent_version, t.started_at, t.id),
    index("conversations_campaign").on(t.campaign_id, t.started_at, t.id),
    index("conversations_contact").on(t.contact_id, t.started_at, t.id),
    index("conversations_call").on(t.call_id, t.started_at, t.id),
    index("conversations_kind").on(t.kind, t.started_at, t.id),
    index("conversations_disposition").on(t.disposition, t.started_at, t.id),
    index("conversations_phone").on(t.phone_number, t.started_at, t.id),
    index("conversations_disclosed").on(t.disclosed, t.started_at, t.id),
    index("conversations_successful").on(t.successful, t.started_at, t.id),
  ],
);

export const analysisValues = sqliteTable(
  "analysis_values",
  {
    id: id(),
    conversation_id: text("conversation_id").notNull(),
    name: text("name").notNull(),
    value: text("value").notNull(),
    state: text("state", { enum: VALUED_STATES }).notNull(),
    started_at: text("started_at").notNull(),
  },
  (t) => [
    index("analysis_values_any").on(t.name, t.value, t.started_at, t.conversation_id),
    index("analysis_values_state").on(t.name, t.value, t.state, t.started_at, t.conversation_id),
    index("analysis_values_conversation").on(t.conversation_id),
  ],
);

/** Recordings of calls. The audio is in R2 under `account/id`. */
export const recordings = sqliteTable(
  "recordings",
  {
    id: id(),
    call_id: text("call_id").notNull(),
    agent_id: text("agent_id").notNull(),
    campaign_id: text("campaign_id"),
    /** The recording's id at the carrier. A recording that is reported twice is stored once. */
    provider_recording_id: text("provider_recording_id").notNull(),
    content_type: text("content_type").notNull(),
    size_bytes: integer("size_bytes").notNull(),
    duration_ms: integer("duration_ms"),
    created_at: text("created_at").notNull(),
  },
  (t) => [
    index("recordings_source").on(t.call_id, t.provider_recording_id),
    index("recordings_created").on(t.created_at, t.id),
    index("recordings_agent").on(t.agent_id, t.created_at, t.id),
  ],
);

/** The last runs of each tool, without any content of conversations. */
export const toolRuns = sqliteTable(
  "tool_runs",
  {
    id: id(),
    tool_name: text("tool_name").notNull(),
    at: text("at").notNull(),
    /** Null for a run that was requested by the API. */
    conversation_id: text("conversation_id"),
    tool_call_id: text("tool_call_id"),
    ok: integer("ok", { mode: "boolean" }).notNull(),
    /** The HTTP status of the response; null if there was none. */
    status: integer("status"),
    duration_ms: integer("duration_ms").notNull(),
    error: text("error"),
  },
  (t) => [
    index("tool_runs_tool").on(t.tool_name, t.at, t.id),
    index("tool_runs_conversation").on(t.conversation_id, t.tool_call_id),
  ],
);

/** Questions of people for which the agent's search found nothing. */
export const questions = sqliteTable(
  "questions",
  {
    /** The conversation's id, and the number of the search in it. */
    id: id(),
    conversation_id: text("conversation_id").notNull(),
    agent_id: text("agent_id").notNull(),
    at: text("at").notNull(),
    /** What the person said last; empty if that is not known. */
    question: text("question").notNull(),
    /** What the agent searched for. */
    query: text("query").notNull(),
    /** The words by which questions are grouped, without numbers. */
    topic: text("topic").notNull(),
  },
  (t) => [index("questions_asked").on(t.at, t.id), index("questions_conversation").on(t.conversation_id)],
);

/** The audit entries of acts. Their ids begin with their time. Entries of configuration changes are in D1. */
export const acts = sqliteTable(
  "acts",
  {
    id: id(),
    actor: text("actor").notNull(),
    actor_name: text("actor_name"),
    action: text("action").notNull(),
    resource: text("resource").notNull(),
    resource_id: text("resource_id").notNull(),
    resource_name: text("resource_name"),
    request_id: text("request_id").notNull(),
    changes: text("changes", { mode: "json" }).$type<AuditChanges>(),
  },
  (t) => [
    index("acts_actor").on(t.actor, t.id),
    index("acts_resource").on(t.resource, t.id),
    index("acts_action").on(t.action, t.id),
  ],
);

/** The sums that are counted for calls: columns of `counters`. */
export const CALL_COUNTS = ["calls", "running", "answered", "decided", "talk_ms"] as const;
/**
 * Sums by hour (UTC) and by all columns by which statistics and usage are grouped; "" means none. They identify no
 * person, so retention and erasure keep them. The columns of the sums are written and read as plain SQL.
 */
export const counters = sqliteTable(
  "counters",
  {
    /** `2026-11-21T09` */
    hour: text("hour").notNull(),
    agent_id: text("agent_id").notNull(),
    agent_version: integer("agent_version").notNull(),
    campaign_id: text("campaign_id").notNull(),
    kind: text("kind").notNull(),
    direction: text("direction").notNull(),
    api_key_id: text("api_key_id").notNull(),
    /** The model that answered, as prices name it. */
    model: text("model").notNull().default(""),
  },
  (t) => [
    primaryKey({
      columns: [t.hour, t.agent_id, t.agent_version, t.campaign_id, t.kind, t.direction, t.api_key_id, t.model],
    }),
  ],
);
