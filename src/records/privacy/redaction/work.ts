/** How much was examined to redact texts: at most in proportion to their length. */
export interface Work {
  /** Characters that patterns were given to search. */
  chars: number;
  /** Stretches that were compared with others. */
  comparisons: number;
  /** Rows of digits that were judged. */
  windows: number;
  /** Groups of digits that were added up to judge a chain. */
  groups: number;
  /** Phone numbers that were parsed, the most expensive check. */
  parses: number;
}

export const noWork = (): Work => ({ chars: 0, comparisons: 0, windows: 0, groups: 0, parses: 0 });

/** Returns a text that a pattern is about to search, and counts its characters. */
export function searched(text: string, work: Work): string {
  work.chars += text.length;
  return text;
}
