import { useNavigate } from "@solidjs/router";
import type { QueryFunction, QueryKey, QueryObserverOptions } from "@tanstack/query-core";
import { type JSX, Show } from "solid-js";
import { data } from "../api/client.ts";
import { invalidate } from "../api/queries.ts";
import { useQuery } from "../api/use-query.ts";
import { common } from "../texts/index.ts";
import { confirmed } from "./confirm.tsx";
import { Loaded } from "./feedback.tsx";
import { dropUnsaved } from "./form.ts";
import { ById, SidePanel } from "./page.tsx";
import { notify } from "./toast.tsx";

interface Props<Read, Shown, Key extends QueryKey> {
  query: (id: string) => QueryObserverOptions<Read, Error, Shown, Read, Key>;
  one: string;
  title: (found: NonNullable<Shown>) => string;
  lead?: (found: () => NonNullable<Shown>) => JSX.Element;
  actions?: (found: () => NonNullable<Shown>) => JSX.Element;
  /** The address of the list, which opens when the panel is closed. */
  closeTo: string;
  children: (found: () => NonNullable<Shown>) => JSX.Element;
}

/** One resource of a list, by the ID in its address, beside the list. */
export function ResourcePanel<Read, Shown = Read, Key extends QueryKey = QueryKey>(props: Props<Read, Shown, Key>) {
  return <ById>{(id) => <Opened id={id} {...props} />}</ById>;
}

function Opened<Read, Shown, Key extends QueryKey>(props: Props<Read, Shown, Key> & { id: string }) {
  const query = useQuery(() => props.query(props.id));
  const found = () => query.data ?? undefined;
  const title = () => {
    const shown = found();
    return shown === undefined ? props.one : props.title(shown);
  };
  return (
    <SidePanel
      title={title()}
      lead={<Show when={found()}>{(shown) => <>{props.lead?.(shown)}</>}</Show>}
      closeTo={props.closeTo}
      actions={<Show when={found()}>{(shown) => props.actions?.(shown)}</Show>}
    >
      <Loaded query={query}>{props.children}</Loaded>
    </SidePanel>
  );
}

/** Finds one resource in a complete list, for resources that the API doesn't return by ID. */
export function fromList<Read, Shown, Key extends QueryKey>(
  list: () => { queryKey: Key; queryFn: QueryFunction<Read, Key> },
  find: (read: Read, id: string) => Shown | undefined,
) {
  return (id: string): QueryObserverOptions<Read, Error, Shown | undefined, Read, Key> =>
    Object.assign(list(), { select: (read: Read) => find(read, id) });
}

/** Returns a function that asks, deletes a resource and returns to its list. */
export function useDelete(list: string, ...collections: string[]) {
  const navigate = useNavigate();
  return (
    question: { title: string; body: JSX.Element; verb?: string },
    send: () => Promise<{ data?: unknown; response: Response }>,
    done?: string,
  ): Promise<void> =>
    confirmed({ verb: common.delete, danger: true, ...question }, async () => {
      try {
        await data(send());
        dropUnsaved();
        navigate(list);
        if (done) notify(done);
      } finally {
        await invalidate(...collections);
      }
    });
}
