import type { Migration } from "../../kernel/durable/migrate.ts";
import { OUTBOX } from "../../kernel/durable/outbox.ts";
import firstTables from "./first-tables.sql";
import { FIND_GAPS } from "./position.ts";

/** The schema of a campaign's object, step by step; the first step adopts tables made before steps were recorded. */
export const CAMPAIGN_MIGRATIONS: readonly Migration[] = [
  { id: "first-tables", sql: firstTables },
  {
    id: "attempts-carry-their-line",
    sql: `
      ALTER TABLE attempts ADD COLUMN from_number TEXT;
      ALTER TABLE attempts ADD COLUMN credentials_id TEXT;
      ALTER TABLE attempts ADD COLUMN agent_id TEXT;
      -- who picked up, where the carrier told
      ALTER TABLE attempts ADD COLUMN answered_by TEXT;
      -- when the carrier was last asked about the call
      ALTER TABLE attempts ADD COLUMN looked_at INTEGER;
      -- when a hang-up that failed is tried again
      ALTER TABLE attempts ADD COLUMN hangup_at INTEGER;
      UPDATE attempts SET
        from_number = (SELECT settings ->> '$.from_number' FROM campaign),
        agent_id = (SELECT settings ->> '$.agent_id' FROM campaign)
      WHERE state <> 'ended' OR hangup = 1 OR unmirrored = 1;
      UPDATE attempts SET hangup_at = 0 WHERE hangup = 1;
      DROP INDEX attempts_hangup;
      CREATE INDEX attempts_hangup ON attempts (hangup_at) WHERE hangup = 1;
    `,
  },
  { id: "audit-entries-name-fields", sql: "ALTER TABLE audits ADD COLUMN changes TEXT;" },
  {
    id: "attempts-know-their-conversation",
    sql: `
      ALTER TABLE attempts ADD COLUMN conversation_id TEXT;
      -- what the agent made of the call
      ALTER TABLE attempts ADD COLUMN disposition TEXT;
    `,
  },
  // Null for those made before it could be chosen.
  { id: "attempts-know-whether-they-are-recorded", sql: "ALTER TABLE attempts ADD COLUMN recorded INTEGER;" },
  {
    id: "attempts-leave-messages",
    sql: `
      -- how far the message to the machine is that answered (MessageState), null where there is none
      ALTER TABLE attempts ADD COLUMN message TEXT;
      -- when the call is hung up that is still to take it, ms
      ALTER TABLE attempts ADD COLUMN message_until INTEGER;
      CREATE INDEX attempts_message ON attempts (message_until) WHERE message_until IS NOT NULL;
    `,
  },
  {
    id: "contacts-are-repaired",
    sql: `
      -- which failed contacts are being made pending again, and how many are: JSON, null where none are
      ALTER TABLE campaign ADD COLUMN redial TEXT;
      -- the number that entries of the history up to this one are about, where their contact has another by now
      CREATE TABLE earlier_numbers (
        contact INTEGER NOT NULL, until_seq INTEGER NOT NULL, phone INTEGER NOT NULL, PRIMARY KEY (contact, until_seq)
      ) WITHOUT ROWID;
      -- what the call was made with, where its contact was corrected since
      ALTER TABLE attempts ADD COLUMN to_number INTEGER;
      ALTER TABLE attempts ADD COLUMN contact_variables TEXT;
      CREATE INDEX contacts_outcome ON contacts (outcome, status) WHERE outcome IS NOT NULL;
    `,
  },
  {
    id: "skipped-rows-of-several-uploads",
    sql: `
      -- upload * 2^32 + line (see place.ts); null where it was imported before this was noted
      ALTER TABLE contacts ADD COLUMN place INTEGER;
      -- while contacts are being added: the last row before them
      ALTER TABLE campaign ADD COLUMN append_after INTEGER;
      CREATE TABLE uploads (n INTEGER PRIMARY KEY, names TEXT NOT NULL, phone INTEGER NOT NULL, extra INTEGER NOT NULL);
      -- first is the contact that has the number; of rejects, line is the place
      CREATE TABLE duplicates (
        place INTEGER PRIMARY KEY, first INTEGER NOT NULL, phone TEXT NOT NULL, variables TEXT NOT NULL
      );
      -- while an upload is read: cells that are not just the number
      CREATE TABLE numbers_as_sent (place INTEGER PRIMARY KEY, phone TEXT NOT NULL);
    `,
  },
  {
    id: "contacts-have-positions",
    sql: `
      -- from this row on, so many row numbers have no contact: those of dropped duplicates
      CREATE TABLE contact_gaps (row INTEGER PRIMARY KEY, missing INTEGER NOT NULL);
      ${FIND_GAPS};
    `,
  },
  {
    id: "history-tells-who-was-cancelled-by-hand",
    sql: `
      CREATE INDEX log_cancelled_by_hand ON log (contact) WHERE reason = 'cancelled' AND event = 'cancelled';
    `,
  },
  {
    id: "operations-of-idempotency-keys",
    sql: `
      -- what a request under an idempotency key did, by the id that its key fixed
      CREATE TABLE operations (id TEXT PRIMARY KEY, contacts INTEGER NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
      CREATE INDEX operations_at ON operations (at);
    `,
  },
  {
    id: "settings-have-a-revision",
    sql: `
      ALTER TABLE campaign ADD COLUMN settings_revision INTEGER NOT NULL DEFAULT 1;
      -- who changed the settings last, and when (ms); null where nobody has
      ALTER TABLE campaign ADD COLUMN settings_by TEXT;
      ALTER TABLE campaign ADD COLUMN settings_at INTEGER;
    `,
  },
  // JSON of AssumedNumbers, a list; null where nothing was assumed.
  { id: "imports-say-what-was-assumed", sql: "ALTER TABLE campaign ADD COLUMN assumed TEXT;" },
  {
    id: "attempts-have-a-revision",
    sql: `
      DROP INDEX attempts_unmirrored;
      -- the account's ledger does not have it as it is
      ALTER TABLE attempts RENAME COLUMN unmirrored TO unreported;
      CREATE INDEX attempts_unreported ON attempts (call_id) WHERE unreported = 1;
      -- counts the changes of what the ledger has of it
      ALTER TABLE attempts ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
    `,
  },
  OUTBOX,
  {
    id: "audit-entries-go-by-the-outbox",
    sql: `
      INSERT INTO outbox (destination, key, body)
        SELECT 'd1', id, json_object('id', id, 'at', at, 'action', action, 'actor', actor, 'request_id', request_id, 'changes', json(changes))
        FROM audits ORDER BY id;
      DROP TABLE audits;
    `,
  },
  {
    id: "the-account-has-events",
    sql: `
      -- the last entry of the history that the account's events have, and the campaign's status by then
      ALTER TABLE campaign ADD COLUMN told_seq INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE campaign ADD COLUMN told_status TEXT NOT NULL DEFAULT 'draft';
      UPDATE campaign SET told_seq = seq, told_status = status;
    `,
  },
  {
    id: "people-are-erased",
    sql: `
      -- erasures of people, by their ids; the number is nowhere here
      CREATE TABLE erasures (
        id TEXT PRIMARY KEY,
        -- rows of their contacts, and of those that once had the number: JSON
        contacts TEXT NOT NULL, formerly TEXT NOT NULL, counts TEXT NOT NULL,
        -- where the sweep of the tables goes on: JSON, null at the end
        place TEXT,
        -- the first entry of the history that was hashed anew; until all are (rewriting), hashes may not hold
        rewritten_from INTEGER, rewriting INTEGER NOT NULL,
        done INTEGER NOT NULL
      ) WITHOUT ROWID;
    `,
  },
  {
    id: "a-start-names-the-contacts-that-were-seen",
    sql: `
      -- the last entry of the history that added or corrected contacts
      ALTER TABLE campaign ADD COLUMN contacts_revision INTEGER NOT NULL DEFAULT 0;
    `,
  },
  {
    id: "calls-know-the-version-of-their-agent",
    sql: `
      -- the version that its agent was pinned to, and the one that its conversation was held with
      ALTER TABLE attempts ADD COLUMN pinned_version INTEGER;
      ALTER TABLE attempts ADD COLUMN agent_version INTEGER;
    `,
  },
  {
    id: "conversations-are-analyzed",
    sql: `
      -- what was read out of the call's conversation: JSON
      ALTER TABLE attempts ADD COLUMN analysis TEXT;
      -- the names of the values that were ever found, as columns of files
      CREATE TABLE analysis_names (name TEXT PRIMARY KEY) WITHOUT ROWID;
    `,
  },
  // When the last failure of the carrier counted, ms.
  { id: "carrier-failures-have-a-time", sql: "ALTER TABLE campaign ADD COLUMN failed_at INTEGER;" },
];
