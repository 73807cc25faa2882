/** Each row once: one that was pushed from a page to the next between two requests is on both. */
export function distinct<Row>(rows: Row[], idOf: (row: Row) => string): Row[] {
  return [...new Map(rows.map((row) => [idOf(row), row])).values()];
}
