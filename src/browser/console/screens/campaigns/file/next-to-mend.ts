import { isMisquoted } from "./reasons.ts";

/** The line of the row to mend after that of another line: the next one below, else the first; undefined for none. */
export function nextToMend(rejects: readonly { line: number; reason: string }[], after: number): number | undefined {
  const mendable = rejects.filter(({ reason }) => !isMisquoted(reason));
  return (mendable.find(({ line }) => line > after) ?? mendable[0])?.line;
}
