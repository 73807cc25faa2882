import { firstStep, type Migration } from "../../../kernel/durable/migrate.ts";
import { OUTBOX } from "../../../kernel/durable/outbox.ts";
import { ANALYSES } from "../analysis/job-rows.ts";

const CONVERSATION = `
  -- The conversation itself, in one row; times are ms.
  CREATE TABLE conversation (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    id TEXT NOT NULL,
    -- who it is held with, as JSON
    identity TEXT NOT NULL,
    -- who holds it: the edge runtime, or the account's own; null until one has said anything
    held_by TEXT,
    -- whether it is held with a machine, to which the agent says nothing more
    machine INTEGER NOT NULL DEFAULT 0,
    -- the address that a visitor began it from, as limits count it
    address TEXT,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    end_reason TEXT,
    -- when something was last heard of it
    heard_at INTEGER NOT NULL,
    -- since when nobody speaks, and whether the other side was asked whether it is there
    quiet_since INTEGER,
    asked_whether_there INTEGER NOT NULL DEFAULT 0,
    -- when the socket broke that it is held over
    lost_at INTEGER,
    -- whether the carrier of its call has shown by its signature that it holds the call
    vouched INTEGER NOT NULL DEFAULT 0,
    -- whether it was looked into whether the call has ended too
    hung_up INTEGER NOT NULL DEFAULT 0,
    -- the number that the caller was handed over to; and the one that the carrier was asked for, while it has not said
    -- whether it did
    transferred_to TEXT,
    transfer_asked TEXT,
    -- what it has used of models, as budgets are charged with it: tokens, and requests that are over
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    requests INTEGER NOT NULL DEFAULT 0,
    -- the most tokens that the request under way is read as
    open_request INTEGER,
    -- characters that the agent's own voice was asked to speak, and in how many parts
    speech_chars INTEGER NOT NULL DEFAULT 0,
    speech_parts INTEGER NOT NULL DEFAULT 0,
    -- how often it was reported to the account's ledger
    revision INTEGER NOT NULL DEFAULT 0,
    -- how much of it the others have: what the ledger and the campaign were last told, and whether R2 has the turns
    listed TEXT,
    campaign_told TEXT,
    archived INTEGER NOT NULL DEFAULT 0,
    -- whether its own analysis has begun
    analyzed INTEGER NOT NULL DEFAULT 0,
    -- the ids that a visitor's page gave its last messages, as JSON: what it sends again is taken once
    message_ids TEXT
  );
  -- The session as its runtime was told of it, as JSON in pieces: what an agent knows may be longer than a row.
  CREATE TABLE session_pieces (
    n INTEGER PRIMARY KEY,
    piece TEXT NOT NULL
  );
  -- What happened, in the order it arrived; seq is its place in the conversation.
  CREATE TABLE events (
    n INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL UNIQUE,
    event TEXT NOT NULL
  );
  -- What the agent is saying and has not finished.
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
    -- the tool call that asked for it first
    tool_call_id TEXT NOT NULL,
    -- read or write
    effect TEXT NOT NULL,
    -- asked, running, ok, failed or unknown
    state TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    -- when its request left for the service
    started_at INTEGER,
    ended_at INTEGER,
    -- how the service answered, and what went wrong
    status INTEGER,
    error TEXT,
    -- whether its process was lost while it ran, and whether the list of the tool's runs has it
    lost INTEGER NOT NULL DEFAULT 0,
    listed INTEGER NOT NULL DEFAULT 0
  );
`;

export const CONVERSATION_MIGRATIONS: readonly Migration[] = [firstStep(CONVERSATION, TOOL_RUNS, OUTBOX, ANALYSES)];
