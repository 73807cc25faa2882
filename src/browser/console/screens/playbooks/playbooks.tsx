import type { RouteSectionProps } from "@solidjs/router";
import type { Body } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatName } from "../../texts/format.ts";
import { playbooks as t } from "../../texts/index.ts";
import { SelectField } from "../../ui/fields.tsx";
import { useFilters } from "../../ui/filters.ts";
import { Origin } from "../../ui/origin.tsx";
import { FilterBar } from "../../ui/page.tsx";
import { Pager, useOffset } from "../../ui/pager.tsx";
import { ResourceList } from "../../ui/resource-list.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/values.tsx";
import { PAGE, playbookCategories, playbookPage } from "./queries.ts";

const COLUMNS: Column<Body<"Playbook">>[] = [
  { header: t.fields.displayName, cell: ({ display_name }) => display_name },
  { header: t.fields.description, cell: ({ description }) => <span class="muted">{description}</span>, minor: true },
  { header: t.fields.category, cell: ({ category }) => formatName(category), minor: true },
  { header: t.fields.origin, cell: (playbook) => <Origin of={playbook} />, minor: true },
  { header: t.fields.updated, cell: ({ updated_at }) => <Time at={updated_at} />, numbers: true },
];

export default function Playbooks(props: RouteSectionProps) {
  const filters = useFilters("search", "category");
  const offset = useOffset();
  const list = useQuery(() => playbookPage(filters.values(), offset()));
  const categories = useQuery(playbookCategories);
  const options = () => (categories.data ?? []).map((value) => ({ value, label: formatName(value) }));
  return (
    <ResourceList
      texts={t}
      path="/playbooks"
      newAt="/playbooks/new"
      query={list}
      rows={({ playbooks }) => playbooks}
      columns={COLUMNS}
      ids={({ id, name }) => [id, name]}
      filters={filters}
      end={(_, found) => <Pager total={found().total} limit={PAGE} offset={offset()} />}
      panel={props.children}
    >
      <FilterBar>
        <SearchField label={t.searchLabel} {...filters.field("search")} />
        <SelectField
          label={t.fields.category}
          {...filters.field("category")}
          options={[{ value: "", label: t.allCategories }, ...options()]}
        />
      </FilterBar>
    </ResourceList>
  );
}
