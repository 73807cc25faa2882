import type { RouteSectionProps } from "@solidjs/router";
import type { Body } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatName } from "../../texts/format.ts";
import { faqs as t } from "../../texts/index.ts";
import { categoryOptions } from "../../ui/category-options.ts";
import { SelectField } from "../../ui/fields.tsx";
import { useFilters } from "../../ui/filters.ts";
import { Origin } from "../../ui/origin.tsx";
import { FilterBar } from "../../ui/page.tsx";
import { ResourceList } from "../../ui/resource-list.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/values.tsx";
import { faqList } from "./queries.ts";

const COLUMNS: Column<Body<"Faq">>[] = [
  { header: t.fields.title, cell: ({ title, name }) => title || name },
  { header: t.fields.name, cell: ({ name }) => <code>{name}</code>, minor: true },
  { header: t.fields.category, cell: ({ category }) => formatName(category), minor: true },
  { header: t.fields.origin, cell: (faq) => <Origin of={faq} />, minor: true },
  { header: t.fields.updated, cell: ({ updated_at }) => <Time at={updated_at} />, numbers: true },
];

/** The account's FAQs. The API returns all of them, so the search runs here. */
export default function Faqs(props: RouteSectionProps) {
  const filters = useFilters("search", "category");
  const list = useQuery(faqList);
  const isShown = (faq: Body<"Faq">) =>
    (filters.get("category") === "" || faq.category === filters.get("category")) &&
    [faq.title, faq.name, faq.summary, faq.content].some((text) =>
      text.toLowerCase().includes(filters.get("search").toLowerCase()),
    );
  const counts = () => Map.groupBy(list.data?.faqs ?? [], ({ category }) => category);
  return (
    <ResourceList
      texts={t}
      path="/faqs"
      newAt="/faqs/new"
      query={list}
      rows={({ faqs }) => faqs.filter(isShown)}
      columns={COLUMNS}
      ids={({ id, name }) => [id, name]}
      filters={filters}
      panel={props.children}
    >
      <FilterBar>
        <SearchField label={t.searchLabel} {...filters.field("search")} />
        <SelectField
          label={t.fields.category}
          {...filters.field("category")}
          options={categoryOptions([...counts()].map(([category, { length }]) => [category, length]))}
        />
      </FilterBar>
    </ResourceList>
  );
}
