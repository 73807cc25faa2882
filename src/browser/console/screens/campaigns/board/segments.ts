import type { Campaign } from "../live/campaign-events.ts";
import { FAILED_OUTCOMES, type FailedCounts, type FailedOutcome } from "../live/queries.ts";

export type SegmentKind = "answered" | FailedOutcome | "not_reached" | "calls" | "cancelled" | "waiting";

/** A part of the contacts, and the query that lists it. */
export interface Segment {
  kind: SegmentKind;
  count: number;
  query: string;
}

/** Returns all contacts in parts, completed ones first. `failed` may be slightly outdated and may lack outcomes. */
export function segments({ counts }: Pick<Campaign, "counts">, failed: FailedCounts): Segment[] {
  const uncounted = FAILED_OUTCOMES.filter((outcome) => failed[outcome] === null);
  let left = counts.failed;
  const failedSegments = FAILED_OUTCOMES.map((outcome): Segment => {
    const count = Math.min(failed[outcome] ?? 0, left);
    left -= count;
    return { kind: outcome, count, query: `?status=failed&outcome=${outcome}` };
  });
  // One outcome has too many contacts to count, so its number is the remainder.
  const [only] = uncounted.length === 1 ? uncounted : [];
  for (const segment of failedSegments) if (segment.kind === only) segment.count = left;
  const all: Segment[] = [
    { kind: "answered", count: counts.completed, query: "?status=completed" },
    ...failedSegments,
    { kind: "not_reached", count: only === undefined ? left : 0, query: "?status=failed" },
    { kind: "cancelled", count: counts.cancelled, query: "?status=cancelled" },
    { kind: "calls", count: counts.originated + counts.connected, query: "" },
    { kind: "waiting", count: counts.pending, query: "?status=pending" },
  ];
  return all.filter(({ count }) => count > 0);
}
