import type { RouteSectionProps } from "@solidjs/router";
import type { Body } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { integrations as t } from "../../texts/index.ts";
import { categoryOptions } from "../../ui/category-options.ts";
import { SelectField } from "../../ui/fields.tsx";
import { useFilters } from "../../ui/filters.ts";
import { chosen, optionsOf } from "../../ui/options.ts";
import { FilterBar } from "../../ui/page.tsx";
import { ResourceList } from "../../ui/resource-list.tsx";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/values.tsx";
import { categoryName, IntegrationState } from "./integration-state.tsx";
import { integrationsBy } from "./queries.ts";

const COLUMNS: Column<Body<"Integration">>[] = [
  { header: t.fields.name, cell: ({ display_name }) => display_name },
  { header: t.fields.description, cell: ({ description }) => <span class="muted">{description}</span>, minor: true },
  { header: t.fields.category, cell: ({ category }) => categoryName(category), minor: true },
  { header: t.fields.state, cell: (integration) => <IntegrationState of={integration} /> },
  { header: t.fields.installed, cell: ({ installed_at }) => <Time at={installed_at} />, numbers: true, minor: true },
];

export default function Integrations(props: RouteSectionProps) {
  const filters = useFilters("category", "status");
  const list = useQuery(() => {
    const { status: named = "", ...others } = filters.values();
    const status = chosen(t.statuses, named);
    return integrationsBy({ ...others, ...(status && { status }) });
  });
  return (
    <ResourceList
      texts={t}
      path="/integrations"
      query={list}
      rows={({ integrations }) => integrations.toSorted(installedFirst)}
      columns={COLUMNS}
      ids={({ id, name }) => [name, id]}
      filters={filters}
      panel={props.children}
    >
      <FilterBar>
        <SelectField
          label={t.category}
          {...filters.field("category")}
          options={categoryOptions(Object.entries(list.data?.categories ?? {}), categoryName)}
        />
        <SelectField
          label={t.status}
          {...filters.field("status")}
          options={[{ value: "", label: t.anyStatus }, ...optionsOf(t.statuses)]}
        />
      </FilterBar>
    </ResourceList>
  );
}

/** Compares integrations: installed ones come first, otherwise in the catalog's order, by category. */
const installedFirst = (a: Body<"Integration">, b: Body<"Integration">) =>
  Number(b.status === "installed") - Number(a.status === "installed");
