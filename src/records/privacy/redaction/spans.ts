import type { Work } from "./work.ts";

export type { RedactKind } from "../../../kernel/db/schema/agents.ts";

/** A stretch of a text: from the character `from` to before `to`. */
export interface Stretch {
  from: number;
  to: number;
}

/** Checks whether two stretches have a character in common. */
export function overlap(a: Stretch, b: Stretch, work: Work): boolean {
  work.comparisons += 1;
  return a.from < b.to && b.from < a.to;
}

/** Returns a function that checks whether a stretch overlaps any of these. Each check takes O(log n). */
export function overlapping(stretches: readonly Stretch[], work: Work): (one: Stretch) => boolean {
  const apart = mergedStretches(stretches);
  work.comparisons += stretches.length;
  return (one) => {
    let [low, high] = [0, apart.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((apart[middle]?.to ?? 0) <= one.from) low = middle + 1;
      else high = middle;
    }
    const next = apart[low];
    return next !== undefined && overlap(next, one, work);
  };
}

/** Returns the stretches in order, with overlapping ones merged. */
function mergedStretches(stretches: readonly Stretch[]): Stretch[] {
  const apart: Stretch[] = [];
  for (const { from, to } of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = apart.at(-1);
    if (last && from < last.to) last.to = Math.max(last.to, to);
    else apart.push({ from, to });
  }
  return apart;
}
