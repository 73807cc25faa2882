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
    -- counts changes; mirrored is the last one that D1 has
    revision INTEGER NOT NULL DEFAULT 1, mirrored INTEGER NOT NULL DEFAULT 0,
    -- the circuit breaker: failures in a row, when the last one counted, and until when nobody is dialled
    failures INTEGER NOT NULL DEFAULT 0, failed_at INTEGER, not_before INTEGER,
    -- which failed contacts are being made pending again, and how many are: JSON, null where none are
    redial TEXT,
    -- while contacts are being added: the last row before them
    append_after INTEGER,
    -- who changed the settings last, and when; null where nobody has
    settings_revision INTEGER NOT NULL DEFAULT 1, settings_by TEXT, settings_at INTEGER,
    -- what was assumed of its uploads' numbers: JSON, null where nothing was
    assumed TEXT,
    -- the last entry of the history that the account's events have, and the campaign's status by then
    told_seq INTEGER NOT NULL DEFAULT 0, told_status TEXT NOT NULL DEFAULT 'draft',
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
    -- 0: not dialled yet; null: not to be dialled (an open call, or over)
    next_attempt_at INTEGER DEFAULT 0,
    call_id TEXT, updated_at INTEGER NOT NULL,
    -- upload * 2^32 + line (see upload-position.ts)
    position INTEGER
  );
  CREATE INDEX contacts_outcome ON contacts (outcome, status) WHERE outcome IS NOT NULL;
  -- from this row on, so many row numbers have no contact: those of dropped duplicates
  CREATE TABLE contact_gaps (row INTEGER PRIMARY KEY, missing INTEGER NOT NULL);
  -- the number that entries of the history up to this one are about, where their contact has another by now
  CREATE TABLE earlier_numbers (
    contact INTEGER NOT NULL, until_seq INTEGER NOT NULL, phone INTEGER NOT NULL, PRIMARY KEY (contact, until_seq)
  ) WITHOUT ROWID;
`;

const ATTEMPTS = `
  CREATE TABLE attempts (
    call_id TEXT PRIMARY KEY,
    contact INTEGER NOT NULL REFERENCES contacts (id),
    number INTEGER NOT NULL,
    -- dialing: the carrier may or may not have it; placed: it has it; ended
    state TEXT NOT NULL,
    status TEXT NOT NULL, provider TEXT NOT NULL, provider_call_id TEXT,
    dialled_at INTEGER NOT NULL, connected_at INTEGER, ended_at INTEGER,
    -- when to look it up if nothing is heard
    deadline INTEGER,
    outcome TEXT, reason TEXT,
    -- whether it is to be hung up, and when a hang-up that failed is tried again
    hangup INTEGER NOT NULL DEFAULT 0, hangup_at INTEGER,
    -- what the meter is still to be told: renew, free, refund
    lease TEXT,
    -- whether the account's ledger lacks it as it is, and how often what the ledger has of it has changed
    unreported INTEGER NOT NULL DEFAULT 1, revision INTEGER NOT NULL DEFAULT 1,
    from_number TEXT NOT NULL, credentials_id TEXT, agent_id TEXT NOT NULL, recorded INTEGER NOT NULL,
    -- the version that its agent was pinned to, and the one that its conversation was held with
    pinned_version INTEGER, agent_version INTEGER,
    -- what is said on it before the first word: JSON of a Disclosure, null for nothing
    disclosure TEXT,
    -- who picked up, where the carrier told
    answered_by TEXT,
    -- when the carrier was last asked about the call
    looked_at INTEGER,
    -- what its agent made of it, and what was read out of the conversation: JSON
    conversation_id TEXT, disposition TEXT, analysis TEXT,
    -- how far the message to the machine is that answered (MessageState), null where there is none; when the call is hung up
    -- that is still to take it
    message TEXT, message_until INTEGER,
    -- what the call was made with, where its contact was corrected since
    to_number INTEGER, contact_variables TEXT
  ) WITHOUT ROWID;
  CREATE INDEX attempts_contact ON attempts (contact, number);
  CREATE INDEX attempts_open ON attempts (deadline) WHERE state <> 'ended';
  CREATE INDEX attempts_dialled ON attempts (dialled_at);
  CREATE INDEX attempts_hangup ON attempts (hangup_at) WHERE hangup = 1;
  CREATE INDEX attempts_lease ON attempts (call_id) WHERE lease IS NOT NULL;
  CREATE INDEX attempts_unreported ON attempts (call_id) WHERE unreported = 1;
  CREATE INDEX attempts_message ON attempts (message_until) WHERE message_until IS NOT NULL;
  -- the names of the values that were ever found, as columns of files
  CREATE TABLE analysis_names (name TEXT PRIMARY KEY) WITHOUT ROWID;
`;

const HISTORY = `
  CREATE TABLE log (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL, event TEXT NOT NULL, actor TEXT,
    contact INTEGER, status TEXT NOT NULL, previous_status TEXT, attempt INTEGER, call_id TEXT, reason TEXT,
    -- of campaign entries: JSON
    counts TEXT, detail TEXT,
    hash TEXT NOT NULL
  );
  CREATE INDEX log_cancelled_by_hand ON log (contact) WHERE reason = 'cancelled' AND event = 'cancelled';
`;

const UPLOADS = `
  CREATE TABLE rejects (line INTEGER PRIMARY KEY, reason TEXT NOT NULL, row TEXT NOT NULL, national INTEGER NOT NULL);
  CREATE TABLE uploads (n INTEGER PRIMARY KEY, names TEXT NOT NULL, phone INTEGER NOT NULL, extra INTEGER NOT NULL);
  -- first is the contact that has the number; of rejects, line is the position
  CREATE TABLE duplicates (
    position INTEGER PRIMARY KEY, first INTEGER NOT NULL, phone TEXT NOT NULL, variables TEXT NOT NULL
  );
  -- while an upload is read: cells that are not just the number
  CREATE TABLE numbers_as_sent (position INTEGER PRIMARY KEY, phone TEXT NOT NULL);
`;

const REQUESTS = `
  -- what a request under an idempotency key did, by the id that its key fixed
  CREATE TABLE operations (id TEXT PRIMARY KEY, contacts INTEGER NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX operations_at ON operations (at);
  -- erasures of people, by their ids; the number is nowhere here
  CREATE TABLE erasures (
    id TEXT PRIMARY KEY,
    -- rows of their contacts, and of those that once had the number: JSON
    contacts TEXT NOT NULL, formerly TEXT NOT NULL, counts TEXT NOT NULL,
    -- where the sweep of the tables goes on: JSON, null at the end
    cursor TEXT,
    -- the first entry of the history that was hashed anew; until all are (rewriting), hashes may not hold
    rewritten_from INTEGER, rewriting INTEGER NOT NULL,
    done INTEGER NOT NULL
  ) WITHOUT ROWID;
`;

/** The schema of a campaign's object as migrations. Times are ms. */
export const CAMPAIGN_MIGRATIONS: readonly Migration[] = [
  firstStep(CAMPAIGN, CONTACTS, ATTEMPTS, HISTORY, UPLOADS, REQUESTS, OUTBOX),
];
