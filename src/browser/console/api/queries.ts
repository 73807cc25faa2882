import { QueryClient } from "@tanstack/query-core";
import { ApiFailure } from "./client.ts";

const MAX_RETRIES = 2;

/**
 * The cache of API answers: shown at once when asked for again, and refetched in the background, so that changes made
 * by others appear. Its keys begin with the collection: `["agents"]`, `["agents", id]`.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => error instanceof ApiFailure && error.passing && failures < MAX_RETRIES,
    },
    mutations: { retry: false },
  },
});

/** What a query is read with. */
export interface QueryContext {
  /** Aborted once nobody waits for the result. */
  signal: AbortSignal;
}

/** A query of the API, and its key in the cache. */
export const query = <Read>(queryKey: readonly unknown[], read: (signal: AbortSignal) => Promise<Read>) => ({
  queryKey,
  queryFn: (context: QueryContext) => read(context.signal),
});

/** Reads everything in these collections again, after a change. */
export const invalidate = (...collections: string[]) =>
  Promise.all(collections.map((name) => queries.invalidateQueries({ queryKey: [name] })));

/** How a query stands. */
export interface Answer<T> {
  data: T | undefined;
  error: Error | null;
  isPending: boolean;
  /** It was never answered. */
  isLoadingError: boolean;
  refetch: () => unknown;
}

/** How a thing that others may change too is begun from in a form, and how it is read again. */
export function storedBy<T extends object, Values>(
  from: T,
  query: { queryKey: readonly unknown[]; queryFn: (context: QueryContext) => Promise<T> },
  values: (read: T) => Values,
) {
  const read = async () => {
    const found = await queries.fetchQuery({ queryKey: query.queryKey, queryFn: query.queryFn });
    return { from: found, values: values(found) };
  };
  return { from, read };
}
