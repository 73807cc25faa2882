import { type RouteSectionProps, useParams } from "@solidjs/router";
import Plus from "lucide-solid/icons/plus";
import { runsIn } from "../../api/built-in-tools.ts";
import type { Body } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatName } from "../../texts/format.ts";
import { tools as t } from "../../texts/index.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { categoryOptions } from "../../ui/category-options.ts";
import { Empty, Loaded, Skeleton } from "../../ui/feedback.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { useFilters } from "../../ui/filters.ts";
import { chosen, optionsOf } from "../../ui/options.ts";
import { Origin } from "../../ui/origin.tsx";
import { FilterBar, ListAndPanel, Page } from "../../ui/page.tsx";
import { Pager, useOffset } from "../../ui/pager.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { type Column, Table } from "../../ui/table.tsx";
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

/** What agents can do besides talking. */
export default function Tools(props: RouteSectionProps) {
  const params = useParams();
  const filters = useFilters("search", "category", "type");
  const offset = useOffset();
  const list = useQuery(() => {
    const { type: named = "", ...others } = filters.values();
    const type = chosen(t.types, named);
    return toolPage({ ...others, ...(type && { type }) }, offset());
  });
  const add = () => (
    <LinkButton href={filters.beside("/tools/new")} kind="primary" icon={Plus}>
      {t.add}
    </LinkButton>
  );
  return (
    <ListAndPanel
      isOpen={params.id !== undefined}
      panel={props.children}
      list={
        <Page title={t.title} lead={t.lead} actions={add()} wide>
          <Loaded query={list} skeleton={<Skeleton rows />}>
            {(found) => (
              <>
                <FilterBar>
                  <SearchField
                    label={t.searchLabel}
                    value={filters.get("search")}
                    onSearch={(text) => filters.set("search", text)}
                  />
                  <SelectField
                    label={t.fields.type}
                    value={filters.get("type")}
                    onChange={(value) => filters.set("type", value)}
                    options={[{ value: "", label: t.allTypes }, ...optionsOf(t.types)]}
                  />
                  <SelectField
                    label={t.fields.category}
                    value={filters.get("category")}
                    onChange={(value) => filters.set("category", value)}
                    options={categoryOptions(Object.entries(found().categories))}
                  />
                </FilterBar>
                <Table
                  label={t.title}
                  columns={COLUMNS}
                  rows={found().tools}
                  href={({ id }) => `/tools/${id}`}
                  isOpen={({ id, name }) => id === params.id || name === params.id}
                  empty={
                    filters.isAny() ? (
                      <Empty title={t.nothingTitle} action={<Button onClick={filters.clear}>{t.clear}</Button>}>
                        {t.nothing}
                      </Empty>
                    ) : (
                      <Empty title={t.emptyTitle} action={add()}>
                        {t.empty}
                      </Empty>
                    )
                  }
                />
                <Pager total={found().total} limit={PAGE} offset={offset()} />
              </>
            )}
          </Loaded>
        </Page>
      }
    />
  );
}
