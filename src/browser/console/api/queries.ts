import { QueryClient } from "@tanstack/query-core";
import { ApiFailure } from "./client.ts";

const MAX_RETRIES = 2;

/**
 * Cache of API answers. It shows a cached answer at once and refetches it in the background, so that changes by others
 * appear. Keys begin with the collection: `["agents"]`, `["agents", id]`.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => error instanceof ApiFailure && error.passing && failures < MAX_RETRIES,
    },
    mutations: { retry: false },
  },
});

export interface QueryContext {
  /** Aborted once the result is no longer needed. */
  signal: AbortSignal;
}

/** Returns a query of the API with its key in the cache. */
export const query = <Read>(queryKey: readonly unknown[], read: (signal: AbortSignal) => Promise<Read>) => ({
  queryKey,
  queryFn: (context: QueryContext) => read(context.signal),
});

export const invalidate = (...collections: string[]) =>
  Promise.all(collections.map((name) => queries.invalidateQueries({ queryKey: [name] })));

export interface Answer<T> {
  data: T | undefined;
  error: Error | null;
  isPending: boolean;
  /** Whether the query failed without ever succeeding. */
  isLoadingError: boolean;
  refetch: () => unknown;
}
