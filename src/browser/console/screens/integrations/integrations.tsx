import { type RouteSectionProps, useParams } from "@solidjs/router";
import type { Body } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { integrations as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { categoryOptions } from "../../ui/category-options.ts";
import { Empty, Loaded, Skeleton } from "../../ui/feedback.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { useFilters } from "../../ui/filters.ts";
import { chosen, optionsOf } from "../../ui/options.ts";
import { FilterBar, ListAndPanel, Page } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
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

/** Other companies' services that tools work with. */
export default function Integrations(props: RouteSectionProps) {
  const params = useParams();
  const filters = useFilters("category", "status");
  const list = useQuery(() => {
    const { status: named = "", ...others } = filters.values();
    const status = chosen(t.statuses, named);
    return integrationsBy({ ...others, ...(status && { status }) });
  });
  return (
    <ListAndPanel
      isOpen={params.id !== undefined}
      panel={props.children}
      list={
        <Page title={t.title} lead={t.lead} wide>
          <Loaded query={list} skeleton={<Skeleton rows />}>
            {(found) => (
              <>
                <FilterBar>
                  <SelectField
                    label={t.category}
                    value={filters.get("category")}
                    onChange={(value) => filters.set("category", value)}
                    options={categoryOptions(Object.entries(found().categories), categoryName)}
                  />
                  <SelectField
                    label={t.status}
                    value={filters.get("status")}
                    onChange={(value) => filters.set("status", value)}
                    options={[{ value: "", label: t.anyStatus }, ...optionsOf(t.statuses)]}
                  />
                </FilterBar>
                <Table
                  label={t.title}
                  columns={COLUMNS}
                  rows={found().integrations.toSorted(installedFirst)}
                  href={({ name }) => `/integrations/${name}`}
                  isOpen={({ id, name }) => id === params.id || name === params.id}
                  empty={
                    <Empty title={t.nothingTitle} action={<Button onClick={filters.clear}>{t.clear}</Button>}>
                      {t.nothing}
                    </Empty>
                  }
                />
              </>
            )}
          </Loaded>
        </Page>
      }
    />
  );
}

/** What is in use stands before what could be; else in the catalogue's order, by category. */
const installedFirst = (a: Body<"Integration">, b: Body<"Integration">) =>
  Number(b.status === "installed") - Number(a.status === "installed");
