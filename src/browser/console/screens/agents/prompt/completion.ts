import { variableName } from "../../../../../kernel/rendering/variables.ts";

/** A variable's name that is being typed. */
export interface Typing {
  /** Where it begins, after the braces. */
  from: number;
  /** The part before the caret. */
  typed: string;
}

/** Longer than any name that is typed. */
const MAX_TYPED_CHARS = 80;

/** The name in `{{…` around the caret; undefined if the caret is in none. */
export function typingAt(text: string, caret: number): Typing | undefined {
  const before = text.slice(Math.max(0, caret - MAX_TYPED_CHARS), caret);
  const found = /\{\{([^{}|\n]*)$/.exec(before);
  if (!found) return undefined;
  const [, typed = ""] = found;
  return { from: caret - typed.length, typed };
}

/** The text with the name inserted and closed, and the resulting caret position. An existing closing is reused. */
export function completed(text: string, caret: number, name: string): { text: string; caret: number } {
  const from = typingAt(text, caret)?.from ?? caret;
  const rest = text.slice(caret);
  // The rest of the old name goes where its end is on the same line.
  const end = /^[^{}|\n]*(?=\}\}|\|[^{}\n]*\}\})/.exec(rest)?.[0].length;
  const left = rest.slice(end ?? 0);
  const isClosed = end !== undefined;
  const written = isClosed ? name : `${name}}}`;
  const after = isClosed && left.startsWith("}}") ? 2 : 0;
  return { text: text.slice(0, from) + written + left, caret: from + written.length + after };
}

/** The names that what was typed may become: those that begin with it first, then those with it inside. */
export function namesFor<Named extends { name: string }>(offered: readonly Named[], typed: string): Named[] {
  const part = variableName(typed);
  const starting = offered.filter(({ name }) => name.startsWith(part));
  return [...starting, ...offered.filter(({ name }) => !name.startsWith(part) && name.includes(part))];
}
