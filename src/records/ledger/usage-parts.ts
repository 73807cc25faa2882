import { callContribution } from "./counters.ts";
import type { LedgerRecords } from "./records.ts";
import type { ConversationRow } from "./report.ts";

/** Conversations and calls, by id, whose shares in the usage are requested. */
export interface UsagePartsQuery {
  conversations: string[];
  calls: string[];
  /** Conversations whose spoken characters are requested. */
  speech: string[];
}

/**
 * The shares of conversations (tokens, or spoken characters) and calls (talk time, ms) in the usage; null for removed
 * ones.
 */
export type UsageParts = Record<string, number | null>;

/** Returns the id by which budgets identify the analysis of a conversation as a consumer. */
export function analysisConsumerId(conversation: string, run: number): string {
  return `${conversation}/${run}`;
}

function analysisOfConsumer(id: string): { conversation: string; run: number } | null {
  const [conversation = "", run] = id.split("/");
  return run === undefined ? null : { conversation, run: Number(run) };
}

/** Returns what an analysis used; null if a later one has replaced it, undefined if it is not recorded. */
function runSums(row: ConversationRow | null, run: number): Record<string, number> | null | undefined {
  const brief = row?.analysis_brief ?? null;
  if (brief === null || brief.run < run) return undefined;
  return brief.run === run
    ? { input_tokens: brief.usage.input_tokens, output_tokens: brief.usage.output_tokens }
    : null;
}

function tokensOf(row: ConversationRow | null): Record<string, number> | undefined {
  if (row === null) return undefined;
  const { input_tokens, output_tokens } = row.usage;
  return { input_tokens, output_tokens };
}

/** Returns the shares of these conversations and calls, as far as they are or were recorded in a volume. */
export function usageParts(
  records: Pick<LedgerRecords, "conversation" | "call" | "otherUsage" | "wasRemoved">,
  { conversations, calls, speech }: UsagePartsQuery,
): UsageParts {
  const parts: UsageParts = {};
  for (const id of conversations) {
    const analysis = analysisOfConsumer(id);
    const row = records.conversation(analysis?.conversation ?? id);
    const sums = analysis ? runSums(row, analysis.run) : tokensOf(row);
    const beside = analysis ? null : records.otherUsage(id);
    if (sums) parts[id] = (sums.input_tokens ?? 0) + (sums.output_tokens ?? 0);
    else if (beside !== null) parts[id] = beside;
    else if (sums === null || records.wasRemoved(analysis?.conversation ?? id)) parts[id] = null;
  }
  for (const id of calls) {
    const sums = callContribution(records.call(id))?.sums;
    if (sums) parts[id] = sums.talk_ms ?? 0;
  }
  for (const id of speech) {
    const row = records.conversation(id);
    if (row) parts[id] = row.usage.speech_chars;
    else if (records.wasRemoved(id)) parts[id] = null;
  }
  return parts;
}
