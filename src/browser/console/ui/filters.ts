import { useLocation, useSearchParams } from "@solidjs/router";

/**
 * What narrows a list down, kept in its address: a link shows the same list. Names are those of the API's query, so that
 * `values()` can be sent as they are; one that is empty is left out.
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
    /** Sets a filter and goes back to the first page; the browser's history keeps one entry per list. */
    set,
    /** The props of a field that edits this filter: spread them on the field. */
    field: (name: Name) => ({
      get value(): string {
        return get(name);
      },
      onInput: (value: string): void => set(name, value),
    }),
    /** What to send: the filters that are not empty. */
    values: (): Partial<Record<Name, string>> => {
      const pairs = names.map((name) => [name, get(name)]).filter(([, value]) => value !== "");
      return Object.fromEntries(pairs);
    },
    isAny: () => names.some((name) => get(name) !== ""),
    clear: () =>
      setSearch(Object.fromEntries(["offset", ...names].map((name) => [name, undefined])), { replace: true }),
    /** An address beside the list, which leaves the list as it is; a table's rows need none. */
    beside: (path: string) => `${path}${location.search}`,
  };
}
