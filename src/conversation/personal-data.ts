import type { PersonalData, PersonalTables } from "../kernel/personal-data.ts";
import { MIGRATION_STEPS, OUTBOX_DATA } from "../kernel/personal-data.ts";

/** The object is of one conversation: that is found by its row in the ledger, and erased as a whole. */
const ofIt = (columns: string[]): PersonalData => ({ by: ["conversation_id", "call_id"], columns, erasure: "delete" });

/** A test made from a conversation is erased with it, and so are its results. */
const ofTests = { by: ["conversation_id"], erasure: "delete" } as const;

/** How a person is found in the object of a test run. */
export const TEST_RUN_PERSONAL_DATA = {
  run: { nobody: "an agent and its version, and which member or key asked for the run" },
  tests: Object.assign({ columns: ["conversation_id", "test"] }, ofTests),
  items: Object.assign({ columns: ["result"] }, ofTests),
  events: { nobody: "numbers of conversations of the run, and what happened to them" },
  outbox: { nobody: "ids, counts and names of tools" },
  migrations: MIGRATION_STEPS,
} as const satisfies PersonalTables;

/** How a person is found in the object of a conversation. */
export const CONVERSATION_PERSONAL_DATA: PersonalTables = {
  conversation: ofIt([
    "id",
    "identity",
    "message_ids",
    "listed",
    "campaign_told",
    "transferred_to",
    "transfer_asked",
    "address",
  ]),
  session_pieces: ofIt(["piece"]),
  events: ofIt(["event"]),
  open_turn: ofIt(["text"]),
  tool_runs: ofIt(["error"]),
  analyses: ofIt(["conversation_id", "job", "fault", "outcome"]),
  outbox: OUTBOX_DATA,
  migrations: MIGRATION_STEPS,
};
