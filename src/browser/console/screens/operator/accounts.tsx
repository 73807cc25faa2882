import { type RouteSectionProps, useLocation, useParams } from "@solidjs/router";
import Plus from "lucide-solid/icons/plus";
import { Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { common, accounts as t } from "../../texts/index.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Empty, Loaded, Skeleton } from "../../ui/feedback.tsx";
import { useFilters } from "../../ui/filters.ts";
import { FilterBar, ListAndPanel, Page } from "../../ui/page.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/values.tsx";
import { AccountState } from "./account-state.tsx";
import { accountList } from "./queries.ts";

const COLUMNS: Column<Body<"Account">>[] = [
  { header: t.fields.display_name, cell: ({ display_name }) => display_name },
  { header: t.fields.name, cell: ({ name }) => <code>{name}</code>, minor: true },
  { header: t.fields.plan, cell: ({ plan }) => t.plans[plan] },
  { header: t.fields.state, cell: ({ disabled }) => <AccountState disabled={disabled} /> },
  { header: t.fields.listed, cell: ({ listed }) => (listed ? common.yes : common.no), minor: true },
  { header: t.fields.created, cell: ({ created_at }) => <Time at={created_at} />, numbers: true, minor: true },
];

/** Every tenant of the service. */
export default function Accounts(props: RouteSectionProps) {
  const params = useParams();
  const location = useLocation();
  const filters = useFilters("search");
  const list = useQuery(accountList);
  const matching = (all: Body<"Account">[]) => {
    const text = filters.get("search").toLowerCase();
    return all.filter((account) => `${account.name}\n${account.display_name}`.toLowerCase().includes(text));
  };
  const add = () => (
    <LinkButton href={filters.beside("/accounts/new")} kind="primary" icon={Plus}>
      {t.add}
    </LinkButton>
  );
  const empty = () => (
    <Show
      when={filters.isAny()}
      fallback={
        <Empty title={t.emptyTitle} action={add()}>
          {t.empty}
        </Empty>
      }
    >
      <Empty title={t.noMatchTitle} action={<Button onClick={() => filters.clear()}>{t.clear}</Button>}>
        {t.noMatch(filters.get("search"))}
      </Empty>
    </Show>
  );
  return (
    <ListAndPanel
      isOpen={params.id !== undefined || location.pathname.endsWith("/accounts/new")}
      panel={props.children}
      list={
        <Page title={t.title} lead={t.lead} actions={add()} wide>
          <FilterBar>
            <SearchField value={filters.get("search")} onSearch={(text) => filters.set("search", text)} />
          </FilterBar>
          <Loaded query={list} skeleton={<Skeleton rows />}>
            {(found) => (
              <>
                <Table
                  label={t.title}
                  columns={COLUMNS}
                  rows={matching(found().accounts)}
                  href={({ name }) => `/accounts/${name}`}
                  isOpen={({ name }) => name === params.id}
                  empty={empty()}
                />
                <div class="muted">{t.shown(matching(found().accounts).length, found().total)}</div>
              </>
            )}
          </Loaded>
        </Page>
      }
    />
  );
}
