import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  QueryClient,
  type Updater,
} from "@tanstack/query-core";
import { ApiFailure } from "./client.ts";

const MAX_RETRIES = 2;

/** A cache that never shows the answer of a read that began before a change. */
class Answers extends QueryClient {
  override async invalidateQueries(filters: InvalidateQueryFilters = {}, options?: InvalidateOptions): Promise<void> {
    // The library repeats a read in progress only if an earlier one has succeeded.
    const { predicate = () => true } = filters;
    const first = Object.assign({}, filters, {
      predicate: (query: Query) => query.state.data === undefined && query.isActive() && predicate(query),
    });
    await this.cancelQueries(first);
    return super.invalidateQueries(filters, options);
  }
}

/**
 * Cache of API answers. It shows a cached answer at once and refetches it in the background, so that changes by others
 * appear. Keys begin with the collection: `["agents"]`, `["agents", id]`.
 */
export const queries = new Answers({
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

/** Shows a state that the service has just returned, instead of the answer of any read in progress. */
export function showAnswer<Data>(
  queryKey: readonly unknown[],
  state: Updater<Data | undefined, Data | undefined>,
): void {
  void queries.cancelQueries({ queryKey, exact: true });
  queries.setQueryData<Data>(queryKey, state);
}

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
