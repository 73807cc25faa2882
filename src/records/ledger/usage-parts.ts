import { callContribution, conversationContribution } from "./counters.ts";
import type { LedgerRecords } from "./records.ts";

/** Conversations and calls, by id, whose own part in the usage is wanted. */
export interface UsagePartsQuery {
  conversations: string[];
  calls: string[];
}

/** What conversations (tokens) and calls (talk time, ms) have in the usage; null for those that were removed. */
export type UsageParts = Record<string, number | null>;

/** The parts of those that a volume has on record, or had. */
export function usageParts(
  records: Pick<LedgerRecords, "conversation" | "call" | "otherUsage" | "wasRemoved">,
  { conversations, calls }: UsagePartsQuery,
): UsageParts {
  const parts: UsageParts = {};
  for (const id of conversations) {
    const sums = conversationContribution(records.conversation(id))?.sums;
    const beside = records.otherUsage(id);
    if (sums) parts[id] = (sums.input_tokens ?? 0) + (sums.output_tokens ?? 0);
    else if (beside !== null) parts[id] = beside;
    else if (records.wasRemoved(id)) parts[id] = null;
  }
  for (const id of calls) {
    const sums = callContribution(records.call(id))?.sums;
    if (sums) parts[id] = sums.talk_ms ?? 0;
  }
  return parts;
}
