/** The most records deleted at once: a conversation has two files, and R2 deletes at most 1,000 keys at a time. */
export const BATCH_ROWS = 500;
/** Retry delay after a failure, ms. It grows with each failure up to the longest delay. */
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;
/** When a pass that skipped records starts again, ms. */
const NEXT_PASS_MS = 600_000;

/** A position among the records of a kind, oldest first. */
export interface RecordCursor {
  at: string;
  id: string;
}

/** The progress of deleting one kind of records. Times are ms. */
export interface RetentionPass {
  /** Records from before this time (ISO 8601) are deleted. */
  before: string;
  /** Since when there are records to delete. */
  since: number;
  /** The last position that was processed. */
  after: RecordCursor;
  /** The size of the next batch. */
  rows: number;
  due_at: number;
  /** Consecutive failures, and the records skipped in this pass. */
  failures: number;
  skipped: number;
}

const START: RecordCursor = { at: "", id: "" };

/** Creates a pass over records that are found at `now`. */
export function newPass(before: string, now: number): RetentionPass {
  return { before, since: now, after: START, rows: BATCH_ROWS, due_at: now, failures: 0, skipped: 0 };
}

/** Returns the pass after a batch was deleted; null if nothing is left to delete. */
export function afterBatch(pass: RetentionPass, found: RecordCursor[], now: number): RetentionPass | null {
  const last = found.at(-1);
  if (last && found.length === pass.rows) {
    const rows = Math.min(BATCH_ROWS, pass.rows * 2);
    return Object.assign({}, pass, { after: last, rows, due_at: now, failures: 0 });
  }
  if (pass.skipped === 0) return null;
  // Skipped records are tried again in a later pass, so that they don't delay others.
  return Object.assign(newPass(pass.before, now + NEXT_PASS_MS), { since: pass.since });
}

/**
 * Returns the pass after a batch failed: the next batch is half as large, until the failing record is alone. It is then
 * skipped until the next pass, so that it does not block others.
 */
export function afterFailure(pass: RetentionPass, found: RecordCursor[], now: number): RetentionPass {
  const failures = pass.failures + 1;
  const due_at = now + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * failures);
  const [only, ...others] = found;
  if (only && others.length === 0)
    return Object.assign({}, pass, { after: only, skipped: pass.skipped + 1, failures, due_at });
  return Object.assign({}, pass, { rows: Math.max(1, Math.floor(found.length / 2)), failures, due_at });
}
