import type { Migration } from "../../../kernel/durable/migrate.ts";
import { OUTBOX } from "../../../kernel/durable/outbox.ts";
import { ANALYSES } from "../analysis/job-rows.ts";

/** The schema of a conversation's object, step by step. */
export const CONVERSATION_MIGRATIONS: readonly Migration[] = [
  {
    id: "first-tables",
    sql: `
      -- The conversation itself, in one row; times are ms.
      CREATE TABLE conversation (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        id TEXT NOT NULL,
        -- who it is held with, as JSON
        identity TEXT NOT NULL,
        -- who holds it: the edge runtime, or the account's own; null until one has said anything
        held_by TEXT,
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
        -- a number for the do-not-call list, until it is on it
        opt_out TEXT,
        -- how much of it the others have: what D1's row and the campaign were last told, and whether R2 has the turns
        listed TEXT,
        campaign_told TEXT,
        archived INTEGER NOT NULL DEFAULT 0
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
    `,
  },
  {
    id: "carriers",
    sql: `
      -- whether the carrier of its call has shown by its signature that it holds the call
      ALTER TABLE conversation ADD COLUMN vouched INTEGER NOT NULL DEFAULT 0;
      -- whether it was looked into whether the call has ended too
      ALTER TABLE conversation ADD COLUMN hung_up INTEGER NOT NULL DEFAULT 0;
    `,
  },
  {
    id: "transferred-to",
    sql: `
      -- The number that the caller was handed over to; and the one that the carrier was asked for, while it has not said
      -- whether it did.
      ALTER TABLE conversation ADD COLUMN transferred_to TEXT;
      ALTER TABLE conversation ADD COLUMN transfer_asked TEXT;
    `,
  },
  {
    id: "tool-runs",
    sql: `
      -- Runs of tools that the list of them does not have yet, as JSON.
      ALTER TABLE conversation ADD COLUMN runs TEXT;
    `,
  },
  {
    id: "answered-by-a-machine",
    sql: `
      -- Whether it is held with a machine, to which the agent says nothing more.
      ALTER TABLE conversation ADD COLUMN machine INTEGER NOT NULL DEFAULT 0;
    `,
  },
  {
    id: "visitors-address",
    sql: `
      -- The address that a visitor began it from, as limits count it.
      ALTER TABLE conversation ADD COLUMN address TEXT;
    `,
  },
  {
    id: "tool-run-rows",
    sql: `
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
      -- Those that the list does not have yet were kept as JSON.
      INSERT INTO tool_runs (id, name, tool_call_id, effect, state, asked_at, started_at, ended_at, status, error)
      SELECT
        'run-' || conversation.id || '-' || run.key,
        run.value ->> 'tool_name',
        run.value ->> 'tool_call_id',
        'read',
        iif(run.value ->> 'ok', 'ok', 'failed'),
        CAST(round((julianday(run.value ->> 'at') - 2440587.5) * 86400000) AS INTEGER),
        CAST(round((julianday(run.value ->> 'at') - 2440587.5) * 86400000) AS INTEGER),
        CAST(round((julianday(run.value ->> 'at') - 2440587.5) * 86400000) AS INTEGER) + (run.value ->> 'duration_ms'),
        run.value ->> 'status',
        run.value ->> 'error'
      FROM conversation, json_each(conversation.runs) AS run;
      UPDATE conversation SET runs = NULL;
    `,
  },
  {
    id: "use-of-models",
    sql: `
      -- What it has used of models, as budgets are charged with it: tokens, and requests that are over.
      ALTER TABLE conversation ADD COLUMN input_tokens INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE conversation ADD COLUMN output_tokens INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE conversation ADD COLUMN requests INTEGER NOT NULL DEFAULT 0;
      -- the most tokens that the request under way is read as
      ALTER TABLE conversation ADD COLUMN open_request INTEGER;
    `,
  },
  OUTBOX,
  {
    id: "reports",
    sql: `
      -- How often the conversation was reported to the account's ledger, which has nothing of what was reported to D1.
      ALTER TABLE conversation ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
      UPDATE conversation SET listed = NULL;
      UPDATE tool_runs SET listed = 0;
      -- A number that waited to be put on the do-not-call list.
      INSERT INTO outbox (destination, key, body)
      SELECT 'd1', opt_out, json_object('phone_number', opt_out, 'conversation_id', id, 'at', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
      FROM conversation WHERE opt_out IS NOT NULL;
      UPDATE conversation SET opt_out = NULL;
    `,
  },
  ANALYSES,
  {
    id: "message-ids",
    sql: `
      -- The ids that a visitor's page gave its last messages, as JSON: what it sends again is taken once.
      ALTER TABLE conversation ADD COLUMN message_ids TEXT;
    `,
  },
];
