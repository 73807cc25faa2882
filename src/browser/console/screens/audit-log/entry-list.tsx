import { useParams } from "@solidjs/router";
import type { InfiniteData, InfiniteQueryObserverResult } from "@tanstack/query-core";
import { Show } from "solid-js";
import { authority } from "../../api/may.ts";
import { auditLog as t } from "../../texts/index.ts";
import { useFilters } from "../../ui/filters.ts";
import { DayFilters } from "../../ui/history-filters.tsx";
import { FilterBar } from "../../ui/page.tsx";
import { distinct } from "../../ui/pages.ts";
import { ResourceList } from "../../ui/resource-list.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/values.tsx";
import { actorInWords } from "./actor.ts";
import { type Entry, EntryPanel } from "./entry-panel.tsx";

export type Filters = Partial<Record<"account" | "action" | "resource" | "actor" | "since" | "until", string>>;

interface Props {
  lead: string;
  path: string;
  /** Whether the entries belong to several accounts. */
  hasAccounts?: boolean;
  /** Reads the filtered log page by page. */
  read: (filters: () => Filters) => EntryPages;
}

/** The pages of entries read so far. */
type EntryPages = InfiniteQueryObserverResult<
  InfiniteData<{ entries: Entry[]; total: number; total_at_least?: boolean }, unknown>,
  Error
>;

export const PAGE_ROWS = 50;

export function EntryList(props: Props) {
  const params = useParams();
  const filters = useFilters("account", "action", "resource", "actor", "since", "until");
  const list = props.read(() => filters.values());
  const entries = () =>
    distinct(
      (list.data?.pages ?? []).flatMap((page) => page.entries),
      ({ id }) => id,
    );
  const who = (entry: Entry) => actorInWords(entry, authority()?.user_id);
  const columns: Column<Entry>[] = [
    {
      header: t.fields.what,
      cell: (entry) => (
        <>
          {t.sentence(entry)}
          <Show when={entry.resource_name}>
            {(name) => (
              <>
                <br />
                <span class="muted">{name()}</span>
              </>
            )}
          </Show>
        </>
      ),
    },
    ...(props.hasAccounts ? [{ header: t.fields.account, cell: ({ account }: Entry) => account ?? "–" }] : []),
    { header: t.fields.actor, cell: (entry) => <span title={entry.actor}>{who(entry)}</span>, minor: true },
    { header: t.fields.at, cell: ({ at }) => <Time at={at} />, numbers: true },
  ];
  const field = (name: "account" | "action" | "resource" | "actor") => (
    <SearchField label={t.fields[name]} placeholder={t.any} {...filters.field(name)} />
  );
  return (
    <ResourceList
      texts={Object.assign({}, t, { lead: props.lead })}
      path={props.path}
      query={list}
      rows={entries}
      columns={columns}
      ids={({ id }) => [id]}
      filters={filters}
      end={(_, found) => <ShowMore pages={list} shown={entries().length} of={counted(found().pages[0])} />}
      panel={
        <Show when={params.id}>
          {(id) => (
            <EntryPanel
              list={list}
              entry={entries().find((entry) => entry.id === id())}
              isFurtherBack={list.hasNextPage}
              closeTo={props.path}
            />
          )}
        </Show>
      }
    >
      <FilterBar>
        <Show when={props.hasAccounts}>{field("account")}</Show>
        {field("action")}
        {field("resource")}
        {field("actor")}
        <DayFilters filters={filters} />
      </FilterBar>
    </ResourceList>
  );
}

function counted(page: { total: number; total_at_least?: boolean } | undefined) {
  return page && { total: page.total, total_at_least: page.total_at_least ?? false };
}
