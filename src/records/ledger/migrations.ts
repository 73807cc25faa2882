import { firstStep, type Migration } from "../../kernel/durable/migrate.ts";
import { OUTBOX } from "../../kernel/durable/outbox.ts";
import { CALL_TOTALS } from "./call-totals.ts";

const CALLS = `
  CREATE TABLE calls (
    id TEXT PRIMARY KEY, line_revision INTEGER NOT NULL DEFAULT 0, stage INTEGER NOT NULL DEFAULT 0,
    direction TEXT NOT NULL, status TEXT NOT NULL,
    agent_id TEXT NOT NULL, agent_version INTEGER, campaign_id TEXT, contact_id TEXT, api_key_id TEXT,
    from_number TEXT NOT NULL, to_number TEXT NOT NULL, provider TEXT NOT NULL, credentials_id TEXT,
    provider_call_id TEXT, end_reason TEXT, created_at TEXT NOT NULL, started_at TEXT, connected_at TEXT,
    ended_at TEXT, disclosure TEXT, disclosed TEXT, disclosed_at TEXT, recorded INTEGER NOT NULL, voicemail TEXT,
    message TEXT, message_until INTEGER,
    metadata TEXT NOT NULL, variables TEXT NOT NULL, own_metadata TEXT NOT NULL,
    conversation_id TEXT, transferred_to TEXT, recording_id TEXT, hangup_requested INTEGER NOT NULL DEFAULT 0,
    uncounted INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID;
  CREATE INDEX calls_agent ON calls (agent_id, id) WHERE line_revision > 0;
  CREATE INDEX calls_version ON calls (agent_id, agent_version, id)
    WHERE line_revision > 0 AND agent_version IS NOT NULL;
  CREATE INDEX calls_campaign ON calls (campaign_id, id) WHERE campaign_id IS NOT NULL AND line_revision > 0;
  CREATE INDEX calls_status ON calls (status, id) WHERE line_revision > 0;
  CREATE INDEX calls_from ON calls (from_number, id) WHERE line_revision > 0;
  CREATE INDEX calls_to ON calls (to_number, id) WHERE line_revision > 0;
  CREATE INDEX calls_disclosed ON calls (disclosed, id) WHERE line_revision > 0 AND disclosed IS NOT NULL;
  CREATE INDEX calls_provider ON calls (provider, provider_call_id) WHERE direction = 'inbound';
`;

const CONVERSATIONS = `
  CREATE TABLE conversations (
    id TEXT PRIMARY KEY, revision INTEGER NOT NULL, session_key TEXT NOT NULL, kind TEXT NOT NULL,
    status TEXT NOT NULL, direction TEXT, agent_id TEXT NOT NULL, agent_version INTEGER, prompt_id TEXT,
    call_id TEXT, campaign_id TEXT, contact_id TEXT, api_key_id TEXT, visitor_id TEXT, visitor_type TEXT,
    phone_number TEXT, variables TEXT NOT NULL, started_at TEXT NOT NULL, ended_at TEXT, end_reason TEXT,
    transferred_to TEXT, disclosure TEXT, disclosed TEXT, disclosed_at TEXT, disposition TEXT,
    turn_count INTEGER NOT NULL, tool_call_count INTEGER NOT NULL,
    usage TEXT NOT NULL, rates TEXT, latency TEXT NOT NULL, complete INTEGER NOT NULL, archived INTEGER NOT NULL,
    analysis_status TEXT, successful TEXT, analysis_brief TEXT
  ) WITHOUT ROWID;
  CREATE INDEX conversations_started ON conversations (started_at, id);
  CREATE INDEX conversations_session ON conversations (session_key, started_at);
  CREATE INDEX conversations_agent ON conversations (agent_id, started_at, id);
  CREATE INDEX conversations_version ON conversations (agent_id, agent_version, started_at, id)
    WHERE agent_version IS NOT NULL;
  CREATE INDEX conversations_campaign ON conversations (campaign_id, started_at, id) WHERE campaign_id IS NOT NULL;
  CREATE INDEX conversations_contact ON conversations (contact_id, started_at, id) WHERE contact_id IS NOT NULL;
  CREATE INDEX conversations_call ON conversations (call_id, started_at, id) WHERE call_id IS NOT NULL;
  CREATE INDEX conversations_kind ON conversations (kind, started_at, id);
  CREATE INDEX conversations_disposition ON conversations (disposition, started_at, id) WHERE disposition IS NOT NULL;
  CREATE INDEX conversations_phone ON conversations (phone_number, started_at, id) WHERE phone_number IS NOT NULL;
  CREATE INDEX conversations_visitor ON conversations (visitor_id, started_at, id) WHERE visitor_id IS NOT NULL;
  CREATE INDEX conversations_held ON conversations (id) WHERE archived = 0;
  CREATE INDEX conversations_disclosed ON conversations (disclosed, started_at, id) WHERE disclosed IS NOT NULL;
  CREATE INDEX conversations_successful ON conversations (successful, started_at, id) WHERE successful IS NOT NULL;
  CREATE INDEX conversations_unanalyzed ON conversations (id) WHERE analysis_status = 'pending';
`;

const ANALYSES = `
  CREATE TABLE analysis_values (
    id TEXT PRIMARY KEY, conversation_id TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
    state TEXT NOT NULL, started_at TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX analysis_values_any ON analysis_values (name, value, started_at, conversation_id);
  CREATE INDEX analysis_values_state ON analysis_values (name, value, state, started_at, conversation_id);
  CREATE INDEX analysis_values_conversation ON analysis_values (conversation_id);
`;

const RECORDINGS = `
  CREATE TABLE recordings (
    id TEXT PRIMARY KEY, call_id TEXT NOT NULL, agent_id TEXT NOT NULL, campaign_id TEXT,
    provider_recording_id TEXT NOT NULL, content_type TEXT NOT NULL, size_bytes INTEGER NOT NULL,
    duration_ms INTEGER, created_at TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX recordings_source ON recordings (call_id, provider_recording_id);
  CREATE INDEX recordings_created ON recordings (created_at, id);
  CREATE INDEX recordings_agent ON recordings (agent_id, created_at, id);
`;

const TOOL_RUNS = `
  CREATE TABLE tool_runs (
    id TEXT PRIMARY KEY, tool_name TEXT NOT NULL, at TEXT NOT NULL, conversation_id TEXT, tool_call_id TEXT,
    ok INTEGER NOT NULL, status INTEGER, duration_ms INTEGER NOT NULL, error TEXT
  ) WITHOUT ROWID;
  CREATE INDEX tool_runs_tool ON tool_runs (tool_name, at, id);
  CREATE UNIQUE INDEX tool_runs_conversation ON tool_runs (conversation_id, tool_call_id) WHERE conversation_id IS NOT NULL;
`;

const QUESTIONS = `
  CREATE TABLE questions (
    id TEXT PRIMARY KEY, conversation_id TEXT NOT NULL, agent_id TEXT NOT NULL, at TEXT NOT NULL,
    question TEXT NOT NULL, query TEXT NOT NULL, topic TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX questions_asked ON questions (at, id);
  CREATE INDEX questions_conversation ON questions (conversation_id);
`;

const USAGE = `
  CREATE TABLE counters (
    hour TEXT NOT NULL, agent_id TEXT NOT NULL, agent_version INTEGER NOT NULL, campaign_id TEXT NOT NULL,
    kind TEXT NOT NULL, direction TEXT NOT NULL, api_key_id TEXT NOT NULL, model TEXT NOT NULL DEFAULT '',
    calls INTEGER NOT NULL DEFAULT 0, running INTEGER NOT NULL DEFAULT 0, answered INTEGER NOT NULL DEFAULT 0,
    decided INTEGER NOT NULL DEFAULT 0, talk_ms INTEGER NOT NULL DEFAULT 0,
    ended_answered INTEGER NOT NULL DEFAULT 0, ended_busy INTEGER NOT NULL DEFAULT 0,
    ended_no_answer INTEGER NOT NULL DEFAULT 0, ended_failed INTEGER NOT NULL DEFAULT 0,
    ended_rejected INTEGER NOT NULL DEFAULT 0, ended_machine INTEGER NOT NULL DEFAULT 0,
    ended_canceled INTEGER NOT NULL DEFAULT 0, ended_hangup INTEGER NOT NULL DEFAULT 0,
    ended_do_not_call INTEGER NOT NULL DEFAULT 0, ended_caller_limit INTEGER NOT NULL DEFAULT 0,
    ended_budget INTEGER NOT NULL DEFAULT 0, ended_no_final_event INTEGER NOT NULL DEFAULT 0,
    ended_unknown INTEGER NOT NULL DEFAULT 0,
    conversations INTEGER NOT NULL DEFAULT 0, conversation_ms INTEGER NOT NULL DEFAULT 0,
    input_tokens INTEGER NOT NULL DEFAULT 0, cached_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0, speech_chars INTEGER NOT NULL DEFAULT 0,
    carrier_s INTEGER NOT NULL DEFAULT 0, tool_runs INTEGER NOT NULL DEFAULT 0,
    model_errors INTEGER NOT NULL DEFAULT 0,
    cost_micros INTEGER NOT NULL DEFAULT 0, cost_incomplete INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (hour, agent_id, agent_version, campaign_id, kind, direction, api_key_id, model)
  ) WITHOUT ROWID;
  CREATE TABLE other_usage (id TEXT PRIMARY KEY, tokens INTEGER NOT NULL) WITHOUT ROWID;
`;

const VOLUME = `
  CREATE TABLE days (day TEXT PRIMARY KEY, revision INTEGER NOT NULL DEFAULT 0, due_at INTEGER) WITHOUT ROWID;
  CREATE TABLE split (one INTEGER PRIMARY KEY CHECK (one = 1));
  CREATE TABLE removed (id TEXT PRIMARY KEY) WITHOUT ROWID;
`;

const ACTS = `
  CREATE TABLE acts (
    id TEXT PRIMARY KEY, actor TEXT NOT NULL, actor_name TEXT, action TEXT NOT NULL, resource TEXT NOT NULL,
    resource_id TEXT NOT NULL, resource_name TEXT, request_id TEXT NOT NULL, changes TEXT
  ) WITHOUT ROWID;
  CREATE INDEX acts_actor ON acts (actor, id);
  CREATE INDEX acts_resource ON acts (resource, id);
  CREATE INDEX acts_action ON acts (action, id);
  CREATE TABLE act_retention (one INTEGER PRIMARY KEY CHECK (one = 1), looked_at INTEGER NOT NULL);
`;

const RETENTION = `
  CREATE TABLE call_retention (one INTEGER PRIMARY KEY CHECK (one = 1), kept_from TEXT NOT NULL, due INTEGER NOT NULL);
  -- The progress of the deletion of a kind of records; no row if nothing is to be deleted.
  CREATE TABLE record_retention (
    kind TEXT PRIMARY KEY, before TEXT NOT NULL, since INTEGER NOT NULL, after_at TEXT NOT NULL, after_id TEXT NOT NULL,
    rows INTEGER NOT NULL, due_at INTEGER NOT NULL, failures INTEGER NOT NULL, skipped INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE notices (
    n INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL, since INTEGER NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0, due_at INTEGER NOT NULL
  );
  CREATE INDEX notices_due ON notices (due_at, n);
`;

export const LEDGER_MIGRATIONS: readonly Migration[] = [
  firstStep(
    CALLS,
    CALL_TOTALS,
    CONVERSATIONS,
    ANALYSES,
    RECORDINGS,
    TOOL_RUNS,
    QUESTIONS,
    USAGE,
    VOLUME,
    ACTS,
    RETENTION,
    OUTBOX,
  ),
];
