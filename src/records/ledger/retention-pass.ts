/** Most records deleted at once: each conversation has two files, and R2 takes 1,000 keys. */
export const BATCH_ROWS = 500;
/** How long after a failure a pass goes on, ms; the wait grows with each one up to the longest. */
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;
/** When a pass that left records behind begins again, ms. */
const NEXT_PASS_MS = 600_000;

/** A place among the records of a kind, oldest first. */
export interface RecordPlace {
  at: string;
  id: string;
}

/** How far the deletion of one kind of records has got. Times are ms. */
export interface RetentionPass {
  /** Records from before this time (ISO 8601) go. */
  before: string;
  /** Since when there are any. */
  since: number;
  /** The last place that was passed. */
  after: RecordPlace;
  /** Most records of the next batch. */
  rows: number;
  due_at: number;
  /** Failures in a row, and records that were skipped in this pass. */
  failures: number;
  skipped: number;
}

const START: RecordPlace = { at: "", id: "" };

/** A pass over records that are found at `now`. */
export function newPass(before: string, now: number): RetentionPass {
  return { before, since: now, after: START, rows: BATCH_ROWS, due_at: now, failures: 0, skipped: 0 };
}

/** The pass after a batch was deleted; null if nothing is left to delete. */
export function afterBatch(pass: RetentionPass, found: RecordPlace[], now: number): RetentionPass | null {
  const last = found.at(-1);
  if (last && found.length === pass.rows) {
    const rows = Math.min(BATCH_ROWS, pass.rows * 2);
    return Object.assign({}, pass, { after: last, rows, due_at: now, failures: 0 });
  }
  if (pass.skipped === 0) return null;
  // What was left behind is tried again, without holding up anything until then.
  return Object.assign(newPass(pass.before, now + NEXT_PASS_MS), { since: pass.since });
}

/**
 * The pass after a batch failed: half of it is tried next, until the record that fails is alone. That one is left behind
 * for the next pass, so that it holds up no other.
 */
export function afterFailure(pass: RetentionPass, found: RecordPlace[], now: number): RetentionPass {
  const failures = pass.failures + 1;
  const due_at = now + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * failures);
  const [only, ...others] = found;
  if (only && others.length === 0)
    return Object.assign({}, pass, { after: only, skipped: pass.skipped + 1, failures, due_at });
  return Object.assign({}, pass, { rows: Math.max(1, Math.floor(found.length / 2)), failures, due_at });
}
