/** Each row once: one that was pushed from a page to the next between two requests is on both. */
export function distinct<Row>(rows: Row[], idOf: (row: Row) => string): Row[] {
  return [...new Map(rows.map((row) => [idOf(row), row])).values()];
}

/** Where the next page begins, after one of so many rows; null after the last. */
export function nextOffset({ offset, total }: { offset: number; total: number }, rows: number): number | null {
  return rows > 0 && offset + rows < total ? offset + rows : null;
}
