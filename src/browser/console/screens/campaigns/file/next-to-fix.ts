import { isMisquoted } from "./reasons.ts";

/** The line of the row to fix after that of another line: the next one below, else the first; undefined for none. */
export function nextToFix(rejects: readonly { line: number; reason: string }[], after: number): number | undefined {
  const fixable = rejects.filter(({ reason }) => !isMisquoted(reason));
  return (fixable.find(({ line }) => line > after) ?? fixable[0])?.line;
}
