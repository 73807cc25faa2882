import { isMisquoted } from "./reasons.ts";

/**
 * Returns the line of the next row to fix: the first one below, otherwise the first of all; undefined if there is none.
 */
export function nextToFix(rejects: readonly { line: number; reason: string }[], after: number): number | undefined {
  const fixable = rejects.filter(({ reason }) => !isMisquoted(reason));
  return (fixable.find(({ line }) => line > after) ?? fixable[0])?.line;
}
