/** What can be redacted. */
export type { RedactKind } from "../../../kernel/db/schema/agents.ts";

/** A stretch of a text. */
export interface Stretch {
  from: number;
  to: number;
}

/** Whether two stretches have a character in common. */
export function overlap(a: Stretch, b: Stretch): boolean {
  return a.from < b.to && b.from < a.to;
}
