/** How much was examined to redact texts. It is at most proportional to their length. */
export interface Work {
  /** Characters searched by patterns. */
  chars: number;
  comparisons: number;
  /** Sequences of digits that were checked. */
  windows: number;
  /** Groups of digits that were summed to check a chain. */
  groups: number;
  /** Phone numbers that were parsed, the most expensive check. */
  parses: number;
}

export const noWork = (): Work => ({ chars: 0, comparisons: 0, windows: 0, groups: 0, parses: 0 });

/** Counts the characters of a text that a pattern is about to search, and returns the text. */
export function searched(text: string, work: Work): string {
  work.chars += text.length;
  return text;
}
