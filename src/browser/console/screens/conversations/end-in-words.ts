import { codeInWords, conversations as t } from "../../texts/index.ts";

/** Returns why a conversation ended, as a sentence. */
export function endInWords(reason: string): string {
  const reasons: Record<string, string> = t.endReasons;
  return reasons[reason] ?? t.otherEnd(codeInWords(reason));
}
