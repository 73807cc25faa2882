import type { RedactKind, Storage } from "../../../kernel/db/schema/agents.ts";

/** What is stored of an agent's conversations: everything, with these kinds redacted, or counts and times alone. */
export interface StoragePolicy {
  storage: Storage;
  /** What is redacted where `storage` is `redacted`. */
  redact: RedactKind[];
}

/** What holds for conversations that began before agents could say otherwise. */
export const STORES_ALL: StoragePolicy = { storage: "all", redact: [] };

/** Whether the audio of calls and the digits that are keyed in may be kept. */
export function keepsAudio({ storage }: Pick<StoragePolicy, "storage">): boolean {
  return storage === "all";
}
