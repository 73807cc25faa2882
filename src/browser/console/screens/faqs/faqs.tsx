import { type RouteSectionProps, useParams } from "@solidjs/router";
import Plus from "lucide-solid/icons/plus";
import type { Body } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatName } from "../../texts/format.ts";
import { faqs as t } from "../../texts/index.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { categoryOptions } from "../../ui/category-options.ts";
import { Empty, Loaded, Skeleton } from "../../ui/feedback.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { useFilters } from "../../ui/filters.ts";
import { Origin } from "../../ui/origin.tsx";
import { FilterBar, ListAndPanel, Page } from "../../ui/page.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/values.tsx";
import { faqList } from "./queries.ts";

const COLUMNS: Column<Body<"Faq">>[] = [
  { header: t.fields.title, cell: ({ title, name }) => title || name },
  { header: t.fields.name, cell: ({ name }) => <code>{name}</code>, minor: true },
  { header: t.fields.category, cell: ({ category }) => formatName(category), minor: true },
  { header: t.fields.origin, cell: (faq) => <Origin of={faq} />, minor: true },
  { header: t.fields.updated, cell: ({ updated_at }) => <Time at={updated_at} />, numbers: true },
];

/** What agents answer from. All of them are there at once, so that they are searched here. */
export default function Faqs(props: RouteSectionProps) {
  const params = useParams();
  const filters = useFilters("search", "category");
  const list = useQuery(faqList);
  const add = () => (
    <LinkButton href={filters.beside("/faqs/new")} kind="primary" icon={Plus}>
      {t.add}
    </LinkButton>
  );
  const isShown = (faq: Body<"Faq">) =>
    (filters.get("category") === "" || faq.category === filters.get("category")) &&
    [faq.title, faq.name, faq.summary, faq.content].some((text) =>
      text.toLowerCase().includes(filters.get("search").toLowerCase()),
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
                    label={t.fields.category}
                    value={filters.get("category")}
                    onChange={(value) => filters.set("category", value)}
                    options={categoryOptions(countsOf(found().faqs))}
                  />
                </FilterBar>
                <Table
                  label={t.title}
                  columns={COLUMNS}
                  rows={found().faqs.filter(isShown)}
                  href={({ id }) => `/faqs/${id}`}
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
              </>
            )}
          </Loaded>
        </Page>
      }
    />
  );
}

function countsOf(faqs: Body<"Faq">[]): [category: string, count: number][] {
  return [...Map.groupBy(faqs, ({ category }) => category)].map(([category, { length }]) => [category, length]);
}
