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
  return {
    get,
    /** Another value for a filter, from the first page on; the browser's history keeps one step a list. */
    set: (name: Name, value: string) => setSearch({ offset: undefined, [name]: value || undefined }, { replace: true }),
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
