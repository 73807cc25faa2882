import { Show } from "solid-js";
import { seesContacts } from "../../../api/may.ts";
import { board as t } from "../../../texts/index.ts";
import { SelectField } from "../../../ui/fields.tsx";
import type { useFilters } from "../../../ui/filters.ts";
import { FilterBar } from "../../../ui/page.tsx";
import { SearchField } from "../../../ui/search-field.tsx";

const any = { value: "", label: t.contacts.filters.any };
const options = (labels: Record<string, string>) => [
  any,
  ...Object.entries(labels).map(([value, label]) => ({ value, label })),
];
const STATES = options(t.contacts.status);
const OUTCOMES = options(t.outcomes);

export function ContactFilters(props: { filters: ReturnType<typeof useFilters<"status" | "outcome" | "search">> }) {
  const { get, set } = props.filters;
  return (
    <FilterBar>
      <Show when={seesContacts()}>
        <SearchField label={t.contacts.filters.search} value={get("search")} onInput={(text) => set("search", text)} />
      </Show>
      <SelectField
        label={t.contacts.filters.status}
        value={get("status")}
        options={STATES}
        onInput={(value) => set("status", value)}
      />
      <SelectField
        label={t.contacts.filters.outcome}
        value={get("outcome")}
        options={OUTCOMES}
        onInput={(value) => set("outcome", value)}
      />
    </FilterBar>
  );
}
