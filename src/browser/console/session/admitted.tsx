import { createComputed, type JSX, onCleanup } from "solid-js";
import { api, data } from "../api/client.ts";
import { setAuthority } from "../api/may.ts";
import { query } from "../api/queries.ts";
import { useQuery } from "../api/use-query.ts";
import { Loaded } from "../ui/feedback.tsx";

/** The user's role in the account of now; asked again where the service refuses something for lack of a scope. */
const currentSession = () => query(["session"], (signal) => data(api.GET("/api/session", { signal })));

/** What is shown once it is known what the user may do. */
export function Admitted(props: { children: JSX.Element }) {
  const current = useQuery(currentSession);
  createComputed(() => setAuthority(current.data));
  onCleanup(() => setAuthority(undefined));
  return <Loaded query={current}>{() => props.children}</Loaded>;
}
