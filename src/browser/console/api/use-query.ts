import {
  type InfiniteData,
  InfiniteQueryObserver,
  type InfiniteQueryObserverOptions,
  type InfiniteQueryObserverResult,
  notifyManager,
  type QueryKey,
  QueryObserver,
  type QueryObserverOptions,
  type QueryObserverResult,
} from "@tanstack/query-core";
import { type Accessor, batch, createComputed, createMemo, createSignal, on, onCleanup, untrack } from "solid-js";
import { queries } from "./queries.ts";

// Renders notifications that arrive together in one batch.
notifyManager.setBatchNotifyFunction(batch);

/**
 * Observes a query while its component exists, and refetches when the options change. Unlike the library's own binding
 * to Solid it never suspends: suspending removes the screen from the page for a moment whenever an answer arrives, and
 * with it the focus and the text being typed.
 */
export function useQuery<Read, Shown = Read, Key extends QueryKey = QueryKey>(
  options: Accessor<QueryObserverOptions<Read, Error, Shown, Read, Key>>,
): QueryObserverResult<Shown, Error> {
  return follow(options, (initial) => new QueryObserver(queries, initial));
}

export function useInfiniteQuery<Read, Key extends QueryKey, Page>(
  options: Accessor<InfiniteQueryObserverOptions<Read, Error, InfiniteData<Read, Page>, Key, Page>>,
): InfiniteQueryObserverResult<InfiniteData<Read, Page>, Error> {
  return follow(options, (initial) => new InfiniteQueryObserver(queries, initial));
}

/**
 * Describes how a form begins with a stored resource that others may change, which state of it the console has now, and
 * how the form reads it again.
 */
export function storedBy<Read, T extends object, Values, Key extends QueryKey>(
  from: T,
  query: QueryObserverOptions<Read, Error, T | undefined, Read, Key>,
  values: (read: T) => Values,
) {
  // Reads only on request. Without retries, saving fails at once if the service can't be reached.
  const once = { enabled: false, retry: false, networkMode: "always" } as const;
  const cached = useQuery(() => Object.assign({}, query, once));
  const begin = (found: T | undefined) => found && { from: found, values: values(found) };
  return {
    from,
    latest: () => begin(cached.data),
    read: async () => begin((await cached.refetch({ throwOnError: true })).data),
  };
}

interface Observer<Options, Result> {
  setOptions(options: Options): void;
  getCurrentResult(): Result;
  /** Notifies only about properties that were read. */
  subscribe(listener: () => void): () => void;
  trackProp(name: string | symbol): void;
}

function follow<Options, Result extends object>(
  options: Accessor<Options>,
  observe: (initial: Options) => Observer<Options, Result>,
): Result {
  const current = createMemo(options);
  const observer = observe(untrack(current));
  const [changes, notify] = createSignal(undefined, { equals: false });
  const changed = () => void notify(undefined);
  const refetch = (options: Options) => {
    observer.setOptions(options);
    changed();
  };
  createComputed(on(current, refetch, { defer: true }));
  onCleanup(observer.subscribe(changed));
  return new Proxy(observer.getCurrentResult(), {
    get(_, name) {
      changes();
      observer.trackProp(name);
      return Reflect.get(observer.getCurrentResult(), name);
    },
  });
}
