import { useLocation, useSearchParams } from "@solidjs/router";

/**
 * Returns the filters of a list, which are kept in its address, so that a link shows the same list. The names are those
 * of the API's query, so that `values()` can be sent unchanged. Empty filters are left out.
 */
export function useFilters<Name extends string>(...names: Name[]) {
  const [search, setSearch] = useSearchParams();
  const location = useLocation();
  const get = (name: Name): string => {
    const value = search[name];
    return (Array.isArray(value) ? value[0] : value) ?? "";
  };
  const set = (name: Name, value: string) =>
    setSearch({ offset: undefined, [name]: value || undefined }, { replace: true });
  return {
    get,
    /** Sets a filter and returns to the first page. The browser's history keeps one entry per list. */
    set,
    /** Returns the props of the field that edits this filter: spread them on the field. */
    field: (name: Name) => ({
      get value(): string {
        return get(name);
      },
      onInput: (value: string): void => set(name, value),
    }),
    /** Returns the filters that aren't empty. */
    values: (): Partial<Record<Name, string>> => {
      const pairs = names.map((name) => [name, get(name)]).filter(([, value]) => value !== "");
      return Object.fromEntries(pairs);
    },
    isAny: () => names.some((name) => get(name) !== ""),
    clear: () =>
      setSearch(Object.fromEntries(["offset", ...names].map((name) => [name, undefined])), { replace: true }),
    /** Returns an address beside the list that keeps its filters. Rows of a table don't need it. */
    beside: (path: string) => `${path}${location.search}`,
  };
}
