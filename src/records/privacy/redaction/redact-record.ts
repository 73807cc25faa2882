import { REDACT_KINDS } from "../../../kernel/db/schema/agents.ts";
import { redactText } from "./redact.ts";
import type { RedactKind } from "./spans.ts";
import type { StoragePolicy } from "./storage-policy.ts";

/** What is redacted in the words beside what was said; of conversations that are not stored all that can be. */
function kindsOf({ storage, redact }: StoragePolicy): ReadonlySet<RedactKind> {
  if (storage === "all") return new Set();
  return new Set(storage === "redacted" ? redact : REDACT_KINDS);
}

/** What a model or a runtime called something, as it goes on record. */
export function redactWord<T extends string | null>(word: T, policy: StoragePolicy): T {
  return (word === null ? null : redactText(word, kindsOf(policy))) as T;
}

/** What the agent was told of the other side, as it goes on record; nothing where only counts and times do. */
export function redactVariables(variables: Record<string, string>, policy: StoragePolicy): Record<string, string> {
  if (policy.storage === "metadata") return {};
  const kinds = kindsOf(policy);
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [redactText(name, kinds), redactText(value, kinds)]),
  );
}

/** What went wrong in a tool run, as it goes on record: it may quote what the tool was given or answered. */
export function redactRunError(error: string | null, policy: StoragePolicy): string | null {
  return policy.storage === "metadata" ? null : redactWord(error, policy);
}
