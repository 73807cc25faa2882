import type { RouteSectionProps } from "@solidjs/router";
import { Show } from "solid-js";
import { priceList } from "../../api/lists.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatDay } from "../../texts/format.ts";
import { prices as t } from "../../texts/index.ts";
import { SelectField } from "../../ui/fields.tsx";
import { useFilters } from "../../ui/filters.ts";
import { FilterBar } from "../../ui/page.tsx";
import { idOfPrice } from "../../ui/price-address.ts";
import { ResourceList } from "../../ui/resource-list.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import type { Column } from "../../ui/table.tsx";
import { isOwn, type Price, PriceOf, Source } from "./words.tsx";

const COLUMNS: Column<Price>[] = [
  { header: t.columns.what, cell: ({ what }) => t.nameOf(what) },
  { header: t.columns.price, cell: (price) => <PriceOf price={price} />, numbers: true },
  { header: t.columns.since, cell: (price) => <Since price={price} />, numbers: true, minor: true },
  { header: t.columns.source, cell: (price) => <Source price={price} />, minor: true },
];

const KINDS = [
  { value: "", label: t.filters.all },
  { value: "own", label: t.filters.own },
  { value: "list", label: t.filters.list },
  { value: "unknown", label: t.filters.unknown },
];

export default function Prices(props: RouteSectionProps) {
  const list = useQuery(priceList);
  const filters = useFilters("search", "kind");
  const kindOf = (price: Price) => {
    if (price.unit_micros === null) return "unknown";
    return isOwn(price) ? "own" : "list";
  };
  const isShown = (price: Price) => {
    const text = `${t.nameOf(price.what)} ${price.what}`.toLowerCase();
    const kind = filters.get("kind");
    return text.includes(filters.get("search").toLowerCase()) && (kind === "" || kind === kindOf(price));
  };
  return (
    <ResourceList
      texts={t}
      path="/prices"
      query={list}
      rows={({ prices }) => prices.filter(isShown)}
      columns={COLUMNS}
      ids={({ what }) => [idOfPrice(what)]}
      filters={filters}
      skeletonLines={10}
      panel={props.children}
    >
      <FilterBar>
        <SearchField label={t.filters.search} {...filters.field("search")} />
        <SelectField label={t.filters.from} {...filters.field("kind")} options={KINDS} />
      </FilterBar>
    </ResourceList>
  );
}

function Since(props: { price: Price }) {
  return (
    <Show when={props.price.since} fallback={<span class="muted">–</span>}>
      {(at) => <time datetime={at()}>{formatDay(at())}</time>}
    </Show>
  );
}
