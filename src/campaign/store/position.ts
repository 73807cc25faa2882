/**
 * A contact's position in the list, from 1 and without gaps, is its row number minus the number of missing rows before
 * it. Only the gaps from dropped duplicates are stored: a list without duplicates costs nothing, and nothing is ever
 * renumbered.
 */
export const FIND_GAPS = `
  INSERT INTO contact_gaps (row, missing)
  SELECT id, missing FROM (
    SELECT id, missing, lag(missing, 1, 0) OVER (ORDER BY id) before
    FROM (SELECT id, id - row_number() OVER (ORDER BY id) missing FROM contacts)
  ) WHERE missing <> before`;

/** Returns the SQL for the position of the contact in this row. */
export function positionOf(row: string): string {
  return `${row} - coalesce((SELECT missing FROM contact_gaps WHERE row <= ${row} ORDER BY row DESC LIMIT 1), 0)`;
}
