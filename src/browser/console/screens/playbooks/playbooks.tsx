import { type RouteSectionProps, useParams } from "@solidjs/router";
import Plus from "lucide-solid/icons/plus";
import type { Body } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatName } from "../../texts/format.ts";
import { playbooks as t } from "../../texts/index.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Empty, Loaded, Skeleton } from "../../ui/feedback.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { useFilters } from "../../ui/filters.ts";
import { Origin } from "../../ui/origin.tsx";
import { FilterBar, ListAndPanel, Page } from "../../ui/page.tsx";
import { Pager, useOffset } from "../../ui/pager.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/values.tsx";
import { PAGE, playbookCategories, playbookPage } from "./queries.ts";

const COLUMNS: Column<Body<"Playbook">>[] = [
  { header: t.fields.displayName, cell: ({ display_name }) => display_name },
  { header: t.fields.description, cell: ({ description }) => <span class="muted">{description}</span>, minor: true },
  { header: t.fields.category, cell: ({ category }) => formatName(category), minor: true },
  { header: t.fields.origin, cell: (playbook) => <Origin of={playbook} />, minor: true },
  { header: t.fields.updated, cell: ({ updated_at }) => <Time at={updated_at} />, numbers: true },
];

/** How agents go about their tasks. */
export default function Playbooks(props: RouteSectionProps) {
  const params = useParams();
  const filters = useFilters("search", "category");
  const offset = useOffset();
  const list = useQuery(() => playbookPage(filters.values(), offset()));
  const categories = useQuery(playbookCategories);
  const options = () => (categories.data ?? []).map((value) => ({ value, label: formatName(value) }));
  const add = () => (
    <LinkButton href={filters.beside("/playbooks/new")} kind="primary" icon={Plus}>
      {t.add}
    </LinkButton>
  );
  return (
    <ListAndPanel
      isOpen={params.id !== undefined}
      panel={props.children}
      list={
        <Page title={t.title} lead={t.lead} actions={add()} wide>
          <FilterBar>
            <SearchField
              label={t.searchLabel}
              value={filters.get("search")}
              onSearch={(text) => filters.set("search", text)}
            />
            <SelectField
              label={t.fields.category}
              value={filters.get("category")}
              onChange={(value) => filters.set("category", value)}
              options={[{ value: "", label: t.allCategories }, ...options()]}
            />
          </FilterBar>
          <Loaded query={list} skeleton={<Skeleton rows />}>
            {(found) => (
              <>
                <Table
                  label={t.title}
                  columns={COLUMNS}
                  rows={found().playbooks}
                  href={({ id }) => `/playbooks/${id}`}
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
