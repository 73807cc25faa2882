import { firstStep, type Migration } from "../../kernel/durable/migrate.ts";
import { OUTBOX } from "../../kernel/durable/outbox.ts";

const CAMPAIGN = `
  CREATE TABLE campaign (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    id TEXT NOT NULL, account TEXT NOT NULL,
    status TEXT NOT NULL, status_reason TEXT,
    importing INTEGER NOT NULL, settings TEXT NOT NULL, columns TEXT NOT NULL,
    created_by TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, started_at INTEGER, ended_at INTEGER,
    accepted INTEGER NOT NULL DEFAULT 0, rejected INTEGER NOT NULL DEFAULT 0, duplicates INTEGER NOT NULL DEFAULT 0,
    pending INTEGER NOT NULL DEFAULT 0, originated INTEGER NOT NULL DEFAULT 0, connected INTEGER NOT NULL DEFAULT 0,
    completed INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0, cancelled INTEGER NOT NULL DEFAULT 0,
    seq INTEGER NOT NULL DEFAULT 0, hash TEXT NOT NULL DEFAULT '',
    -- the number of changes, and the revision that D1 lists
    revision INTEGER NOT NULL DEFAULT 1, listed_revision INTEGER NOT NULL DEFAULT 0,
    -- the circuit breaker: failures in a row, when the last one counted, and until when no contact is dialed
    failures INTEGER NOT NULL DEFAULT 0, failed_at INTEGER, not_before INTEGER,
    -- the failed contacts that are being made pending again: JSON; null for none
    redial TEXT,
    -- while contacts are being added: the last row before them; otherwise null
    append_after INTEGER,
    -- the revision of the settings, who changed them last, and when; null if nobody has
    settings_revision INTEGER NOT NULL DEFAULT 1, settings_by TEXT, settings_at INTEGER,
    -- the country that was assumed for numbers in its uploads: JSON; null for none
    assumed TEXT,
    -- the last entry of the history that was reported to the account's events, and the status at that time
    reported_seq INTEGER NOT NULL DEFAULT 0, reported_status TEXT NOT NULL DEFAULT 'draft',
    -- the last entry of the history that added or corrected contacts
    contacts_revision INTEGER NOT NULL DEFAULT 0
  );
`;

const CONTACTS = `
  CREATE TABLE zones (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE contacts (
    id INTEGER PRIMARY KEY,
    -- the digits of the E.164 number
    phone INTEGER NOT NULL,
    -- 0 is the campaign's own zone
    zone INTEGER NOT NULL,
    variables TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'pending', outcome TEXT, failure_reason TEXT,
    attempts INTEGER NOT NULL DEFAULT 0, last_attempt_at INTEGER,
    -- 0 before the first call; null if it must not be dialed (an open call, or over)
    next_attempt_at INTEGER DEFAULT 0,
    call_id TEXT, updated_at INTEGER NOT NULL,
    -- upload * 2^32 + line (see upload-position.ts); null for contacts that were copied
    position INTEGER
  );
  CREATE INDEX contacts_outcome ON contacts (outcome, status) WHERE outcome IS NOT NULL;
  -- row numbers without a contact, because duplicates were dropped: how many, from which row on
  CREATE TABLE contact_gaps (row INTEGER PRIMARY KEY, missing INTEGER NOT NULL);
  -- the numbers of corrected contacts, for entries of the history up to until_seq
  CREATE TABLE earlier_numbers (
    contact INTEGER NOT NULL, until_seq INTEGER NOT NULL, phone INTEGER NOT NULL, PRIMARY KEY (contact, until_seq)
  ) WITHOUT ROWID;
`;

const ATTEMPTS = `
  CREATE TABLE attempts (
    call_id TEXT PRIMARY KEY,
    contact INTEGER NOT NULL REFERENCES contacts (id),
    number INTEGER NOT NULL,
    -- 'dialing' (the carrier may have it), 'placed' (the carrier has it) or 'ended'
    state TEXT NOT NULL,
    status TEXT NOT NULL, provider TEXT NOT NULL, provider_call_id TEXT,
    dialled_at INTEGER NOT NULL, connected_at INTEGER, ended_at INTEGER,
    -- when to look it up if no report arrives
    deadline INTEGER,
    outcome TEXT, reason TEXT,
    -- 1 if it must be hung up, and when that is tried next
    hangup INTEGER NOT NULL DEFAULT 0, hangup_at INTEGER,
    -- the change to report to the meter: 'renew', 'free' or 'refund'
    lease TEXT,
    -- 1 if the ledger lacks this revision; each change that the ledger receives increments the revision
    unreported INTEGER NOT NULL DEFAULT 1, revision INTEGER NOT NULL DEFAULT 1,
    from_number TEXT NOT NULL, credentials_id TEXT, agent_id TEXT NOT NULL, recorded INTEGER NOT NULL,
    -- the version to which its agent was pinned, and the version that held its conversation
    pinned_version INTEGER, agent_version INTEGER,
    -- JSON of a Disclosure; null for none
    disclosure TEXT,
    -- 'human' or 'machine', if the carrier reported it
    answered_by TEXT,
    -- when the carrier was last asked about the call
    looked_at INTEGER,
    -- the conversation, its disposition, and its analysis: JSON of a HeldAnalysis
    conversation_id TEXT, disposition TEXT, analysis TEXT,
    -- the state of the message for a machine (MessageState), and when the call is hung up at the latest; null for none
    message TEXT, message_until INTEGER,
    -- what the call was placed with, if its contact was corrected since
    to_number INTEGER, contact_variables TEXT
  ) WITHOUT ROWID;
  CREATE INDEX attempts_contact ON attempts (contact, number);
  CREATE INDEX attempts_open ON attempts (deadline) WHERE state <> 'ended';
  CREATE INDEX attempts_dialled ON attempts (dialled_at);
  CREATE INDEX attempts_hangup ON attempts (hangup_at) WHERE hangup = 1;
  CREATE INDEX attempts_lease ON attempts (call_id) WHERE lease IS NOT NULL;
  CREATE INDEX attempts_unreported ON attempts (call_id) WHERE unreported = 1;
  CREATE INDEX attempts_message ON attempts (message_until) WHERE message_until IS NOT NULL;
  -- the names of all values that analyses found, as columns of downloads
  CREATE TABLE analysis_names (name TEXT PRIMARY KEY) WITHOUT ROWID;
`;

const HISTORY = `
  CREATE TABLE log (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL, event TEXT NOT NULL, actor TEXT,
    contact INTEGER, status TEXT NOT NULL, previous_status TEXT, attempt INTEGER, call_id TEXT, reason TEXT,
    -- JSON, for entries about the campaign
    counts TEXT, detail TEXT,
    hash TEXT NOT NULL
  );
  CREATE INDEX log_cancelled_by_hand ON log (contact) WHERE reason = 'cancelled' AND event = 'cancelled';
`;

const UPLOADS = `
  CREATE TABLE rejects (line INTEGER PRIMARY KEY, reason TEXT NOT NULL, row TEXT NOT NULL, national INTEGER NOT NULL);
  CREATE TABLE uploads (n INTEGER PRIMARY KEY, names TEXT NOT NULL, phone INTEGER NOT NULL, extra INTEGER NOT NULL);
  -- first is the contact that has the number; the line of a reject is also a position (see upload-position.ts)
  CREATE TABLE duplicates (
    position INTEGER PRIMARY KEY, first INTEGER NOT NULL, phone TEXT NOT NULL, variables TEXT NOT NULL
  );
  -- while an upload is read: cells that contain more than the number
  CREATE TABLE numbers_as_sent (position INTEGER PRIMARY KEY, phone TEXT NOT NULL);
`;

const REQUESTS = `
  -- the results of requests with an idempotency key, by the id derived from the key
  CREATE TABLE operations (id TEXT PRIMARY KEY, contacts INTEGER NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX operations_at ON operations (at);
  -- erasures of people by id, without their numbers
  CREATE TABLE erasures (
    id TEXT PRIMARY KEY,
    -- the ids of their contacts, and of contacts that once had the number: JSON
    contacts TEXT NOT NULL, formerly TEXT NOT NULL, counts TEXT NOT NULL,
    -- the cursor of the sweep over the tables: JSON; null at its end
    cursor TEXT,
    -- the first entry of the history that is hashed again; while rewriting is 1, the hashes may not match
    rewritten_from INTEGER, rewriting INTEGER NOT NULL,
    done INTEGER NOT NULL
  ) WITHOUT ROWID;
`;

/** The schema of a campaign's object as migrations. Times are ms. */
export const CAMPAIGN_MIGRATIONS: readonly Migration[] = [
  firstStep(CAMPAIGN, CONTACTS, ATTEMPTS, HISTORY, UPLOADS, REQUESTS, OUTBOX),
];
