import { variableName } from "../../../../../kernel/rendering/variables.ts";

export interface Typing {
  /** Index of its first character, after the braces. */
  from: number;
  typed: string;
}

/** Longer than any name a user types. */
const MAX_TYPED_CHARS = 80;

/** Returns the name in `{{…` around the caret; undefined if there is none. */
export function typingAt(text: string, caret: number): Typing | undefined {
  const before = text.slice(Math.max(0, caret - MAX_TYPED_CHARS), caret);
  const found = /\{\{([^{}|\n]*)$/.exec(before);
  if (!found) return undefined;
  const [, typed = ""] = found;
  return { from: caret - typed.length, typed };
}

/**
 * Inserts the name and closes its braces, unless they are already closed. Returns the text and the new caret position.
 */
export function completed(text: string, caret: number, name: string): { text: string; caret: number } {
  const from = typingAt(text, caret)?.from ?? caret;
  const rest = text.slice(caret);
  // The rest of the old name is replaced if it ends on the same line.
  const end = /^[^{}|\n]*(?=\}\}|\|[^{}\n]*\}\})/.exec(rest)?.[0].length;
  const left = rest.slice(end ?? 0);
  const isClosed = end !== undefined;
  const written = isClosed ? name : `${name}}}`;
  const after = isClosed && left.startsWith("}}") ? 2 : 0;
  return { text: text.slice(0, from) + written + left, caret: from + written.length + after };
}

/** Returns the names that match what was typed: first those that begin with it, then those that contain it. */
export function namesFor<Named extends { name: string }>(offered: readonly Named[], typed: string): Named[] {
  const part = variableName(typed);
  const starting = offered.filter(({ name }) => name.startsWith(part));
  return [...starting, ...offered.filter(({ name }) => !name.startsWith(part) && name.includes(part))];
}
