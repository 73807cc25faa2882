import { codeInWords, conversations as t } from "../../texts/index.ts";

/** Why a conversation ended, in a sentence. */
export function endInWords(reason: string): string {
  const known: Record<string, string> = t.endReasons;
  return known[reason] ?? t.otherEnd(codeInWords(reason));
}
