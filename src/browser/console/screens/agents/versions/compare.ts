import { diffLines, diffWordsWithSpace } from "diff";

/** A part of a line, and whether it changed within a similar line. */
interface Piece {
  text: string;
  isChanged: boolean;
}

/** A line of one text or of both. */
export interface Line {
  kind: "same" | "removed" | "added";
  pieces: Piece[];
}

/**
 * Texts with more edits are shown as entirely different: a closer comparison takes time and doesn't help the reader.
 */
const MAX_LINE_EDITS = 500;
const MAX_WORD_EDITS = 400;
/** Lines that share less than this part of their characters aren't compared word by word. */
const LEAST_ALIKE = 0.4;

/** Returns the edits that turn one text into another, line by line, and word by word within similar lines. */
export function compare(before: string, after: string): Line[] {
  const parts = diffLines(ended(before), ended(after), { maxEditLength: MAX_LINE_EDITS });
  if (!parts) return [...whole("removed", linesOf(ended(before))), ...whole("added", linesOf(ended(after)))];
  return parts.flatMap((part, at) => {
    const lines = linesOf(part.value);
    if (part.removed) return parts[at + 1]?.added ? [] : whole("removed", lines);
    if (!part.added) return whole("same", lines);
    const removed = parts[at - 1];
    return removed?.removed ? changed(linesOf(removed.value), lines) : whole("added", lines);
  });
}

/** Returns replaced lines: all removed ones, then all added ones, with the changes within similar lines marked. */
function changed(removed: string[], added: string[]): Line[] {
  const pairs = removed.map((line, at) => pairOf(line, added[at]));
  return [
    ...removed.map((line, at) => pairs[at]?.[0] ?? lineOf("removed", line)),
    ...added.map((line, at) => pairs[at]?.[1] ?? lineOf("added", line)),
  ];
}

function pairOf(removed: string, added: string | undefined): [Line, Line] | undefined {
  if (added === undefined) return undefined;
  const words = diffWordsWithSpace(removed, added, { maxEditLength: MAX_WORD_EDITS });
  if (!words) return undefined;
  const common = words.filter((part) => !part.removed && !part.added).reduce((sum, { value }) => sum + value.length, 0);
  if (common < LEAST_ALIKE * Math.max(removed.length, added.length)) return undefined;
  const side = (kind: "removed" | "added"): Line => {
    const own = words.filter((part) => part[kind] || !(part.removed || part.added));
    return { kind, pieces: own.map((part) => ({ text: part.value, isChanged: part[kind] })) };
  };
  return [side("removed"), side("added")];
}

const lineOf = (kind: Line["kind"], text: string): Line => ({ kind, pieces: [{ text, isChanged: false }] });
const whole = (kind: Line["kind"], lines: string[]): Line[] => lines.map((line) => lineOf(kind, line));

/** Ends the text with a line break, so that the last line is equal whether or not something follows it. */
function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function linesOf(text: string): string[] {
  return text.split("\n").slice(0, -1);
}

/** Consecutive lines, or a number of unchanged lines that are left out. */
export type Stretch = { lines: Line[]; left?: never } | { lines?: never; left: number };

/** Number of unchanged lines shown around a change. */
const AROUND = 3;

/** Returns the lines near a change and the number of lines left out between them. */
export function condense(lines: Line[]): Stretch[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ kind }) => kind !== "same"),
  );
  const stretches: Stretch[] = [];
  lines.forEach((line, at) => {
    const last = stretches.at(-1);
    if (isNear[at]) {
      if (last?.lines) last.lines.push(line);
      else stretches.push({ lines: [line] });
    } else if (last?.left !== undefined) last.left++;
    else stretches.push({ left: 1 });
  });
  return stretches;
}
