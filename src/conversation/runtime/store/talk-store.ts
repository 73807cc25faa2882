import type { ConversationStore } from "./conversation-store.ts";
import type { RunRows } from "./run-rows.ts";

/** What of a conversation its turns, its tools and what they use are written to: its object's store, or one in memory. */
export interface TalkStore
  extends Pick<
    ConversationStore,
    "row" | "existing" | "identity" | "session" | "log" | "events" | "update" | "append" | "appendBeside" | "flush"
  > {
  readonly runs: Pick<RunRows, "all" | "find" | "add" | "update" | "remove">;
}
