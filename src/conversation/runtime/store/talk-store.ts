import type { ConversationStore } from "./conversation-store.ts";
import type { RunRows } from "./run-rows.ts";

/** The store that turns, tools and their usage are written to: the object's store, or one in memory. */
export interface TalkStore
  extends Pick<
    ConversationStore,
    "row" | "existing" | "identity" | "session" | "log" | "events" | "update" | "append" | "appendBeside" | "flush"
  > {
  readonly runs: Pick<RunRows, "all" | "find" | "add" | "update" | "remove">;
}

/** The store of a conversation whose words are spoken while they are generated. */
export interface SpokenStore extends TalkStore, Pick<ConversationStore, "setOpenTurn" | "closeTurn" | "cutTurn"> {}
