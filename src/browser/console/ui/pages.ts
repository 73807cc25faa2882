/** Removes duplicates: a row that moved to the next page between two requests is on both. */
export function distinct<Row>(rows: Row[], idOf: (row: Row) => string): Row[] {
  return [...new Map(rows.map((row) => [idOf(row), row])).values()];
}

/** Returns the offset of the next page after one with this many rows; null after the last. */
function nextOffset({ offset, total }: { offset: number; total: number }, rows: number): number | null {
  return rows > 0 && offset + rows < total ? offset + rows : null;
}

interface Page {
  offset: number;
  total: number;
}

/** Query of a list that is read page by page, with `limit` rows each. `rowsOf` returns the rows of a page. */
export const pagesOf = <Read extends Page>(
  queryKey: readonly unknown[],
  limit: number,
  read: (page: { limit: number; offset: number }, signal: AbortSignal) => Promise<Read>,
  rowsOf: (page: Read) => unknown[],
) => ({
  queryKey,
  queryFn: (context: { signal: AbortSignal; pageParam: number }) =>
    read({ limit, offset: context.pageParam }, context.signal),
  initialPageParam: 0,
  getNextPageParam: (page: Read) => nextOffset(page, rowsOf(page).length),
});

/** Like `pagesOf`, for a list paged by `after`. A short page is filled up while there are more rows. */
export const cursorPagesOf = <Read extends { next: string | null }>(
  queryKey: readonly unknown[],
  limit: number,
  read: (page: { limit: number; after?: string }, signal: AbortSignal) => Promise<Read>,
  rowsOf: (page: Read) => unknown[],
) => ({
  queryKey,
  queryFn: async ({ signal, pageParam }: { signal: AbortSignal; pageParam: string }) => {
    let page = await read(pageParam === "" ? { limit } : { limit, after: pageParam }, signal);
    while (rowsOf(page).length === 0 && page.next !== null) page = await read({ limit, after: page.next }, signal);
    return page;
  },
  initialPageParam: "",
  getNextPageParam: ({ next }: Read) => next,
});
