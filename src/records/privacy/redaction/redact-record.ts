import { REDACT_KINDS } from "../../../kernel/db/schema/agents.ts";
import { redactText } from "./redact.ts";
import type { RedactKind } from "./spans.ts";
import type { StoragePolicy } from "./storage-policy.ts";

/** Returns the kinds to redact in texts about a conversation: all kinds if conversations are not stored. */
function kindsOf({ storage, redact }: StoragePolicy): ReadonlySet<RedactKind> {
  if (storage === "all") return new Set();
  return new Set(storage === "redacted" ? redact : REDACT_KINDS);
}

export function redactWord<T extends string | null>(word: T, policy: StoragePolicy): T {
  return (word === null ? null : redactText(word, kindsOf(policy))) as T;
}

/** Redacts the agent's variables for storage; returns none if only counts and times are stored. */
export function redactVariables(variables: Record<string, string>, policy: StoragePolicy): Record<string, string> {
  if (policy.storage === "metadata") return {};
  const kinds = kindsOf(policy);
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [redactText(name, kinds), redactText(value, kinds)]),
  );
}

/** Redacts a tool run's error for storage, because it may quote the tool's arguments or response. */
export function redactRunError(error: string | null, policy: StoragePolicy): string | null {
  return policy.storage === "metadata" ? null : redactWord(error, policy);
}
