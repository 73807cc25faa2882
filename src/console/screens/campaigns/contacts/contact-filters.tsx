import { createSignal, onCleanup } from "solid-js";
import { board as t } from "../../../texts/index.ts";
import { SelectField, TextField } from "../../../ui/fields.tsx";
import type { useFilters } from "../../../ui/filters.ts";
import { FilterBar } from "../../../ui/page.tsx";

/** Whoever types wants to search for the whole of it, ms. */
const TYPED_MS = 300;

const any = { value: "", label: t.contacts.filters.any };
const options = (labels: Record<string, string>) => [
  any,
  ...Object.entries(labels).map(([value, label]) => ({ value, label })),
];
const STATES = options(t.contacts.status);
const OUTCOMES = options(t.outcomes);

/** What narrows the contacts down; the address holds it. */
export function ContactFilters(props: { filters: ReturnType<typeof useFilters<"status" | "outcome" | "search">> }) {
  const { get, set } = props.filters;
  const [typed, setTyped] = createSignal(get("search"));
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));
  const type = (text: string) => {
    setTyped(text);
    clearTimeout(timer);
    timer = setTimeout(() => set("search", text.trim()), TYPED_MS);
  };
  return (
    <FilterBar>
      <TextField
        label={t.contacts.filters.search}
        type="search"
        placeholder={t.contacts.filters.searchHint}
        maxLength={100}
        value={typed()}
        onInput={type}
      />
      <SelectField
        label={t.contacts.filters.status}
        value={get("status")}
        options={STATES}
        onChange={(value) => set("status", value)}
      />
      <SelectField
        label={t.contacts.filters.outcome}
        value={get("outcome")}
        options={OUTCOMES}
        onChange={(value) => set("outcome", value)}
      />
    </FilterBar>
  );
}
