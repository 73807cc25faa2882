import { createComputed, type JSX, on, onCleanup } from "solid-js";
import { MINUTE_MS } from "../../../kernel/time.ts";
import { api, data } from "../api/client.ts";
import { setAuthority } from "../api/may.ts";
import { queries, query } from "../api/queries.ts";
import { useQuery } from "../api/use-query.ts";
import { Loaded } from "../ui/feedback.tsx";

/**
 * How often the role is refetched, ms. A changed role takes effect immediately, but an idle screen wouldn't notice it.
 */
const REFETCH_INTERVAL_MS = MINUTE_MS;

/**
 * Returns the query of the user's role in the current account. It is refetched when the service reports a missing scope
 * or a stream ends, as all streams do when the role changes.
 */
const currentSession = () => query(["session"], (signal) => data(api.GET("/api/session", { signal })));

/** Shows its children once the user's permissions are known. */
export function Admitted(props: { children: JSX.Element }) {
  const current = useQuery(() => Object.assign(currentSession(), { refetchInterval: REFETCH_INTERVAL_MS }));
  createComputed(() => setAuthority(current.data));
  // Refetches everything, because another role may see other data.
  createComputed(
    on(
      () => current.data?.role,
      (role, before) => {
        if (role === undefined || before === undefined || role === before) return;
        void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
      },
    ),
  );
  onCleanup(() => setAuthority(undefined));
  return <Loaded query={current}>{() => props.children}</Loaded>;
}
