import type { RouteSectionProps } from "@solidjs/router";
import { runsIn } from "../../api/built-in-tools.ts";
import type { Body } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatName } from "../../texts/format.ts";
import { tools as t } from "../../texts/index.ts";
import { categoryOptions } from "../../ui/category-options.ts";
import { SelectField } from "../../ui/fields.tsx";
import { useFilters } from "../../ui/filters.ts";
import { chosen, optionsOf } from "../../ui/options.ts";
import { Origin } from "../../ui/origin.tsx";
import { FilterBar } from "../../ui/page.tsx";
import { Pager, useOffset } from "../../ui/pager.tsx";
import { ResourceList } from "../../ui/resource-list.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/values.tsx";
import { PAGE, toolPage } from "./queries.ts";

const COLUMNS: Column<Body<"Tool">>[] = [
  { header: t.fields.displayName, cell: ({ display_name }) => display_name },
  { header: t.fields.name, cell: ({ name }) => <code>{name}</code>, minor: true },
  { header: t.fields.category, cell: ({ category }) => formatName(category), minor: true },
  { header: t.fields.type, cell: (tool) => t.runsIn[runsIn(tool)] },
  { header: t.fields.origin, cell: (tool) => <Origin of={tool} />, minor: true },
  { header: t.fields.updated, cell: ({ updated_at }) => <Time at={updated_at} />, numbers: true, minor: true },
];

export default function Tools(props: RouteSectionProps) {
  const filters = useFilters("search", "category", "type");
  const offset = useOffset();
  const list = useQuery(() => {
    const { type: named = "", ...others } = filters.values();
    const type = chosen(t.types, named);
    return toolPage({ ...others, ...(type && { type }) }, offset());
  });
  return (
    <ResourceList
      texts={t}
      path="/tools"
      newAt="/tools/new"
      query={list}
      rows={({ tools }) => tools}
      columns={COLUMNS}
      ids={({ id, name }) => [id, name]}
      filters={filters}
      end={(_, found) => <Pager total={found().total} limit={PAGE} offset={offset()} />}
      panel={props.children}
    >
      <FilterBar>
        <SearchField label={t.searchLabel} {...filters.field("search")} />
        <SelectField
          label={t.fields.type}
          {...filters.field("type")}
          options={[{ value: "", label: t.allTypes }, ...optionsOf(t.types)]}
        />
        <SelectField
          label={t.fields.category}
          {...filters.field("category")}
          options={categoryOptions(Object.entries(list.data?.categories ?? {}))}
        />
      </FilterBar>
    </ResourceList>
  );
}
