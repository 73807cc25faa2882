import { REDACT_KINDS } from "../../../kernel/db/schema/agents.ts";
import { redactText } from "./redact.ts";
import type { RedactKind } from "./spans.ts";
import type { StoragePolicy } from "./storage-policy.ts";

/** The kinds that are redacted in texts about a conversation; for conversations that are not stored, all kinds. */
function kindsOf({ storage, redact }: StoragePolicy): ReadonlySet<RedactKind> {
  if (storage === "all") return new Set();
  return new Set(storage === "redacted" ? redact : REDACT_KINDS);
}

/** A name given by a model or a runtime, as it is stored. */
export function redactWord<T extends string | null>(word: T, policy: StoragePolicy): T {
  return (word === null ? null : redactText(word, kindsOf(policy))) as T;
}

/** The agent's variables, as they are stored; none if only counts and times are. */
export function redactVariables(variables: Record<string, string>, policy: StoragePolicy): Record<string, string> {
  if (policy.storage === "metadata") return {};
  const kinds = kindsOf(policy);
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [redactText(name, kinds), redactText(value, kinds)]),
  );
}

/** A tool run's error, as it is stored: it may quote the tool's arguments or answer. */
export function redactRunError(error: string | null, policy: StoragePolicy): string | null {
  return policy.storage === "metadata" ? null : redactWord(error, policy);
}
