/**
 * A contact's place in the list, from 1 and without gaps, is its row number less the rows missing before it. Only the
 * gaps that dropped duplicates left are stored: a list without duplicates costs nothing, and nothing is ever renumbered.
 */
export const FIND_GAPS = `
  INSERT INTO contact_gaps (row, missing)
  SELECT id, missing FROM (
    SELECT id, missing, lag(missing, 1, 0) OVER (ORDER BY id) before
    FROM (SELECT id, id - row_number() OVER (ORDER BY id) missing FROM contacts)
  ) WHERE missing <> before`;

/** The position of the contact in this row, as SQL. */
export function positionOf(row: string): string {
  return `${row} - coalesce((SELECT missing FROM contact_gaps WHERE row <= ${row} ORDER BY row DESC LIMIT 1), 0)`;
}
