import type { RouteSectionProps } from "@solidjs/router";
import type { Body } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { common, accounts as t } from "../../texts/index.ts";
import { useFilters } from "../../ui/filters.ts";
import { FilterBar } from "../../ui/page.tsx";
import { ResourceList } from "../../ui/resource-list.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import type { Column } from "../../ui/table.tsx";
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

export default function Accounts(props: RouteSectionProps) {
  const filters = useFilters("search");
  const list = useQuery(accountList);
  const matching = (all: Body<"Account">[]) => {
    const text = filters.get("search").toLowerCase();
    return all.filter((account) => `${account.name}\n${account.display_name}`.toLowerCase().includes(text));
  };
  const texts = {
    ...t,
    get nothing(): string {
      return t.noMatch(filters.get("search"));
    },
  };
  return (
    <ResourceList
      texts={texts}
      path="/accounts"
      newAt="/accounts/new"
      query={list}
      rows={({ accounts }) => matching(accounts)}
      columns={COLUMNS}
      ids={({ name }) => [name]}
      filters={filters}
      end={(rows, found) => <div class="muted">{t.shown(rows().length, found().total)}</div>}
      panel={props.children}
    >
      <FilterBar>
        <SearchField {...filters.field("search")} />
      </FilterBar>
    </ResourceList>
  );
}
