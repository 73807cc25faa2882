import { ACCOUNT_ROWS, GATE, METER } from "../account/stores.ts";
import { AGENT_ROWS, DOCUMENTS, KNOWLEDGE } from "../agent/stores.ts";
import { CAMPAIGN, CAMPAIGN_ROWS } from "../campaign/stores.ts";
import { CONVERSATION, CONVERSATION_ROWS, TEST_RUN } from "../conversation/stores.ts";
import { erasures } from "../kernel/db/schema/index.ts";
import { accountDeletion, erasureObject } from "../kernel/durable/objects.ts";
import { IDEMPOTENCY_STORE } from "../kernel/idempotency/store.ts";
import {
  type BucketBinding,
  type BucketStore,
  byRows,
  type ObjectBinding,
  type ObjectStore,
  ONE,
  objectStore,
} from "../kernel/stores/stores.ts";
import type { D1Table, RowRules, RowTables } from "../kernel/stores/tables.ts";
import { INBOX, PHONE_ROWS, RECORDINGS, SANDBOX } from "../phone/stores.ts";
import { CONVERSATIONS, EVENTS, LEDGER, RECORDS_ROWS, WEBHOOK } from "../records/stores.ts";
import { ERASURE_MIGRATIONS } from "./erasures/job-store.ts";

const whom = { by: ["phone_number", "visitor_id", "conversation_id"], erasure: "delete" } as const;
const carriedOutThere = { left: "an erasure is carried out only in the account where it was requested" } as const;

/** Erasures, which name their subject until they are complete. */
const ERASURE = objectStore({
  migrations: ERASURE_MIGRATIONS,
  listing: byRows("erasures", erasures),
  at: erasureObject,
  erasedBy: "the erasure itself, once it is complete",
  tables: {
    job: { ...whom, columns: ["subject"], ...carriedOutThere },
    traces: { ...whom, columns: ["id"], ...carriedOutThere },
    counted: { nobody: "ids of campaigns, and numbers of their rows", ...carriedOutThere },
    carrier_recordings: { ...whom, columns: ["call_id", "source_id"], ...carriedOutThere },
  },
});

/** The deletion of the account. Its progress is in D1. */
const ACCOUNT_DELETION = objectStore({
  migrations: [],
  listing: ONE,
  at: accountDeletion,
  erasedBy: "nothing, because it has no tables",
  tables: {},
});

const OWN_ROWS = {
  // A pending erasure is completed at the source, not in the restored account.
  erasures: {
    nobody: "receipts of erasures: counts by kind, and the last digits of a number",
    copy: true,
    only: { status: ["complete"] },
  },
  restores: { nobody: "ids of backups", left: "of the account that was restored" },
  account_deletions: {
    nobody: "names of deleted accounts, which are never used again",
    left: "a deletion is carried out only in the deployment where it was requested",
    outlives: "records that the account was deleted, so that its name is never used again",
  },
} as const satisfies Partial<RowTables>;

/**
 * Every table of D1, in the order in which backups write them: each table comes after those that it references.
 * Deletions use the reverse order. The code does not compile if a table is missing.
 */
export const D1_TABLES: RowTables = {
  ...RECORDS_ROWS,
  ...AGENT_ROWS,
  ...PHONE_ROWS,
  ...ACCOUNT_ROWS,
  ...CONVERSATION_ROWS,
  ...CAMPAIGN_ROWS,
  ...OWN_ROWS,
};

/**
 * Every class of Durable Objects, in the order in which erasures and deletions walk them: those that report to others
 * come first, then the ledger, which lists conversations. Backups use the reverse order. The code does not compile if a
 * class is missing.
 */
export const OBJECTS: Readonly<Record<ObjectBinding, ObjectStore>> = {
  TEST_RUN,
  CAMPAIGN,
  CONVERSATION,
  SANDBOX_CARRIER: SANDBOX,
  RECORDING_INBOX: INBOX,
  ERASURE,
  IDEMPOTENCY_STORE,
  ACCOUNT_LEDGER: LEDGER,
  WEBHOOK,
  KNOWLEDGE_BASE: KNOWLEDGE,
  ACCOUNT_METER: METER,
  ACCOUNT_EVENTS: EVENTS,
  ACCOUNT_GATE: GATE,
  ACCOUNT_DELETION,
};

/** Every bucket, in the order of backups. The code does not compile if a bucket is missing. */
export const BUCKETS = { RECORDINGS, CONVERSATIONS, DOCUMENTS } as const satisfies Record<BucketBinding, BucketStore>;

export const BINDINGS = Object.keys(OBJECTS) as ObjectBinding[];
export const BUCKET_BINDINGS = Object.keys(BUCKETS) as BucketBinding[];
export const D1_ENTRIES = Object.entries(D1_TABLES) as [D1Table, RowRules][];

/** Tables whose rows are deleted with their account, those that reference others first. */
export const DELETED_TABLES: readonly D1Table[] = D1_ENTRIES.flatMap(([table, { outlives }]) =>
  outlives === undefined ? table : [],
).reverse();

/** Returns the prefix of the keys of an account's files. */
export const prefixOf = (account: string): string => `${account}/`;
