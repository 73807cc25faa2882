import type { PersonalData, PersonalTables } from "../kernel/personal-data.ts";
import { MIGRATION_STEPS, OUTBOX_DATA } from "../kernel/personal-data.ts";

/** The object is of one conversation: that is found by its row in the ledger, and erased as a whole. */
const ofIt = (columns: string[]): PersonalData => ({ by: ["conversation_id", "call_id"], columns, erasure: "delete" });

/** How a person is found in the object of a conversation. */
export const CONVERSATION_PERSONAL_DATA: PersonalTables = {
  conversation: ofIt([
    "id",
    "identity",
    "opt_out",
    "listed",
    "campaign_told",
    "transferred_to",
    "transfer_asked",
    "runs",
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
