/** Each row once: one that was pushed from a page to the next between two requests is on both. */
export function distinct<Row>(rows: Row[], idOf: (row: Row) => string): Row[] {
  return [...new Map(rows.map((row) => [idOf(row), row])).values()];
}

/** Where the next page begins, after one with this many rows; null after the last. */
function nextOffset({ offset, total }: { offset: number; total: number }, rows: number): number | null {
  return rows > 0 && offset + rows < total ? offset + rows : null;
}

interface Page {
  offset: number;
  total: number;
}

/** A list that is read page by page: `limit` rows each, of which `rowsOf` gives those of a page. */
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

/** Like `pagesOf`, for a list paged by `after`; a short page is filled while there are more. */
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
