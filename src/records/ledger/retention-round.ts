/** The most records deleted at once: a conversation has two files, and R2 deletes at most 1,000 keys at a time. */
export const BATCH_ROWS = 500;
/** Retry delay after a failure, ms. It grows with each failure up to the longest delay. */
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;
/** The delay after which a round that skipped records is repeated, ms. */
const NEXT_ROUND_MS = 600_000;

/** A position among the records of a kind, oldest first. */
export interface RecordCursor {
  at: string;
  id: string;
}

/** The progress of deleting one kind of records. Times are ms. */
export interface RetentionRound {
  /** Records from before this time (ISO 8601) are deleted. */
  before: string;
  /** Since when there have been records to delete. */
  since: number;
  /** The last position that was processed. */
  after: RecordCursor;
  /** The size of the next batch. */
  rows: number;
  due_at: number;
  /** Consecutive failures, and the records skipped in this round. */
  failures: number;
  skipped: number;
}

const START: RecordCursor = { at: "", id: "" };

/** Creates a round over records that are found at `now`. */
export function newRound(before: string, now: number): RetentionRound {
  return { before, since: now, after: START, rows: BATCH_ROWS, due_at: now, failures: 0, skipped: 0 };
}

/** Returns the round after a batch was deleted; null if nothing is left to delete. */
export function afterBatch(round: RetentionRound, found: RecordCursor[], now: number): RetentionRound | null {
  const last = found.at(-1);
  if (last && found.length === round.rows) {
    const rows = Math.min(BATCH_ROWS, round.rows * 2);
    return Object.assign({}, round, { after: last, rows, due_at: now, failures: 0 });
  }
  if (round.skipped === 0) return null;
  // Skipped records are retried in a later round, so that they don't delay others.
  return Object.assign(newRound(round.before, now + NEXT_ROUND_MS), { since: round.since });
}

/**
 * Returns the round after a batch failed: the next batch is half as large, until the failing record is alone. It is then
 * skipped until the next round, so that it does not block others.
 */
export function afterFailure(round: RetentionRound, found: RecordCursor[], now: number): RetentionRound {
  const failures = round.failures + 1;
  const due_at = now + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * failures);
  const [only, ...others] = found;
  if (only && others.length === 0)
    return Object.assign({}, round, { after: only, skipped: round.skipped + 1, failures, due_at });
  return Object.assign({}, round, { rows: Math.max(1, Math.floor(found.length / 2)), failures, due_at });
}
