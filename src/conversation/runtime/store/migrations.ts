import { firstStep, type Migration } from "../../../kernel/durable/migrate.ts";
import { OUTBOX } from "../../../kernel/durable/outbox.ts";
import { ANALYSES } from "../analysis/job-rows.ts";

const CONVERSATION = `
  -- The conversation itself, in one row; times are ms.
  CREATE TABLE conversation (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    id TEXT NOT NULL,
    -- the caller, visitor or tester: JSON of a SessionIdentity
    identity TEXT NOT NULL,
    -- which runtime holds it, 'edge' or the account's 'own'; null until one has reported anything
    held_by TEXT,
    -- 1 if a machine answered, to which the agent says nothing more
    machine INTEGER NOT NULL DEFAULT 0,
    -- the visitor's address as limits count it
    address TEXT,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    end_reason TEXT,
    last_activity_at INTEGER NOT NULL,
    -- since when nobody speaks, and 1 if the other side was asked whether anybody is there
    quiet_since INTEGER,
    prompted_for_silence INTEGER NOT NULL DEFAULT 0,
    -- when its socket was lost
    lost_at INTEGER,
    -- 1 once it was checked whether the call has ended too
    hung_up INTEGER NOT NULL DEFAULT 0,
    -- the number that the caller was transferred to, and a requested one that the carrier has not confirmed
    transferred_to TEXT,
    transfer_requested TEXT,
    -- what budgets are charged: tokens, and completed requests
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    requests INTEGER NOT NULL DEFAULT 0,
    -- the most tokens that the request in progress may count
    open_request INTEGER,
    -- characters that the agent's own voice was asked to speak, and the number of parts
    speech_chars INTEGER NOT NULL DEFAULT 0,
    speech_parts INTEGER NOT NULL DEFAULT 0,
    -- the number of reports to the account's ledger
    revision INTEGER NOT NULL DEFAULT 0,
    -- the last reports to the ledger and the campaign, and 1 if R2 has the turns
    listed TEXT,
    campaign_reported TEXT,
    archived INTEGER NOT NULL DEFAULT 0,
    -- 1 if its own analysis has begun
    analyzed INTEGER NOT NULL DEFAULT 0,
    -- the ids of the page's last messages, so that a repeated one counts once: JSON
    message_ids TEXT
  );
  -- The session: JSON in pieces, because it may exceed a row.
  CREATE TABLE session_pieces (
    n INTEGER PRIMARY KEY,
    piece TEXT NOT NULL
  );
  -- The events in the order of their arrival; seq is the order within the conversation.
  CREATE TABLE events (
    n INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL UNIQUE,
    event TEXT NOT NULL
  );
  -- The agent's turn in progress.
  CREATE TABLE open_turn (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    at INTEGER NOT NULL,
    text TEXT NOT NULL
  );
`;

const TOOL_RUNS = `
  -- Runs of tools; times are ms.
  CREATE TABLE tool_runs (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    -- the tool call that requested it first
    tool_call_id TEXT NOT NULL,
    -- 'read' or 'write'
    effect TEXT NOT NULL,
    -- 'asked', 'running', 'ok', 'failed' or 'unknown'
    state TEXT NOT NULL,
    requested_at INTEGER NOT NULL,
    -- when its request was sent
    started_at INTEGER,
    ended_at INTEGER,
    -- the HTTP status of the response, and what went wrong
    status INTEGER,
    error TEXT,
    -- 1 if the process was lost while it ran, and 1 if the ledger has it
    lost INTEGER NOT NULL DEFAULT 0,
    listed INTEGER NOT NULL DEFAULT 0
  );
`;

export const CONVERSATION_MIGRATIONS: readonly Migration[] = [firstStep(CONVERSATION, TOOL_RUNS, OUTBOX, ANALYSES)];
