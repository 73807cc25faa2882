import { RESULT_STATES, testRuns } from "../kernel/db/schema/index.ts";
import { conversationObject, ledgerVolume, testRunObject } from "../kernel/durable/objects.ts";
import type { PersonalData } from "../kernel/personal-data.ts";
import { byRows, type ListContext, objectStore, volumesOf } from "../kernel/stores/stores.ts";
import { OUTBOX, type RowTables } from "../kernel/stores/tables.ts";
import { CONVERSATION_MIGRATIONS } from "./runtime/store/migrations.ts";
import { TEST_RUN_MIGRATIONS } from "./test-runs/run-store.ts";

const archived = { left: "a conversation is copied once it has ended, from its archive" } as const;
const ofIt = (columns: string[]): PersonalData => ({ by: ["conversation_id", "call_id"], columns, erasure: "delete" });

/** A conversation. It is found by its row in the ledger and erased as a whole. */
export const CONVERSATION = objectStore({
  migrations: CONVERSATION_MIGRATIONS,
  listing: { list: heldConversations },
  at: conversationObject,
  erasedBy: "by the conversations in the ledger",
  tables: {
    conversation: {
      ...ofIt([
        "id",
        "identity",
        "message_ids",
        "listed",
        "campaign_reported",
        "transferred_to",
        "transfer_requested",
        "address",
      ]),
      ...archived,
    },
    session_pieces: { ...ofIt(["piece"]), ...archived },
    events: { ...ofIt(["event"]), ...archived },
    open_turn: { ...ofIt(["text"]), ...archived },
    tool_runs: { ...ofIt(["error"]), ...archived },
    analyses: { ...ofIt(["conversation_id", "job", "fault", "outcome"]), ...archived },
    outbox: { ...OUTBOX, ...archived },
  },
});

/**
 * Lists live conversations by the keys of their sessions. Once a conversation's turns are in R2, its object is empty.
 */
async function heldConversations(context: ListContext, after: string | null, limit: number) {
  const { env, store } = context;
  const [from = "", id = ""] = (after ?? "").split(" ");
  for (const day of (await volumesOf(context)).filter((one) => one >= from)) {
    const rows = await ledgerVolume(env, store.account, day).heldConversations(day === from ? id : "", limit);
    if (rows.length > 0) return { ids: rows.map(({ session_key }) => session_key), next: `${day} ${rows.at(-1)?.id}` };
  }
  return { ids: [], next: null };
}

/** A test made from a conversation is erased with it, including its results. */
const ofTests = { by: ["conversation_id"], erasure: "delete" } as const;

/** A test run. Backups copy the runs that have ended. */
export const TEST_RUN = objectStore({
  migrations: TEST_RUN_MIGRATIONS,
  backup: "test_run",
  listing: byRows("test_runs", testRuns),
  at: testRunObject,
  erasedBy: "by the conversations from which its tests were created",
  tables: {
    run: {
      nobody: "an agent and its version, and the member or key that requested the run",
      copy: true,
      json: ["plan"],
      only: { status: ["completed", "failed"] },
    },
    tests: { ...ofTests, columns: ["conversation_id", "test"], copy: true, json: ["test"] },
    items: {
      ...ofTests,
      columns: ["result"],
      copy: true,
      json: ["result"],
      values: { outcome: [null, ...RESULT_STATES] },
    },
    events: { nobody: "numbers of conversations of the run, and what happened to them", copy: true },
    outbox: {
      nobody: "ids, counts and names of tools",
      left: "pending deliveries of a run, which the source delivers",
    },
  },
});

export const CONVERSATION_ROWS = {
  // A run in progress is not copied.
  test_runs: {
    by: ["conversation_id"],
    columns: ["outcomes"],
    erasure: "mask",
    copy: true,
    only: { status: ["completed", "failed"] },
  },
} as const satisfies Partial<RowTables>;
