import type { RedactKind, Storage } from "../../../kernel/db/schema/agents.ts";

/**
 * What is stored of an agent's conversations: everything, everything with these kinds redacted, or only counts and
 * times.
 */
export interface StoragePolicy {
  storage: Storage;
  /** The kinds to redact if `storage` is `redacted`. */
  redact: RedactKind[];
}

/** Checks whether the audio of calls and the digits entered on the keypad may be stored. */
export function keepsAudio({ storage }: Pick<StoragePolicy, "storage">): boolean {
  return storage === "all";
}
