import { A, type RouteSectionProps, useParams } from "@solidjs/router";
import { createEffect, For, Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatName } from "../../texts/format.ts";
import { marketplace as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { categoryOptions } from "../../ui/category-options.ts";
import { Empty, Loaded, Skeleton } from "../../ui/feedback.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { useFilters } from "../../ui/filters.ts";
import { FilterBar, ListAndPanel, Page } from "../../ui/page.tsx";
import { Pager, useOffset } from "../../ui/pager.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import styles from "./marketplace.module.css";
import { PAGE, templateCategories, templatePage } from "./queries.ts";
import { TemplateIcon } from "./template-icon.tsx";

export default function Marketplace(props: RouteSectionProps) {
  const params = useParams();
  const filters = useFilters("search", "category");
  const offset = useOffset();
  const list = useQuery(() => templatePage(filters.values(), offset()));
  const categories = useQuery(templateCategories);
  const counts = () => (categories.data?.categories ?? []).map(({ category, count }) => [category, count] as const);
  return (
    <ListAndPanel
      isOpen={params.id !== undefined}
      panel={props.children}
      list={
        <Page title={t.title} lead={t.lead}>
          <FilterBar>
            <SearchField label={t.searchLabel} {...filters.field("search")} />
            <SelectField label={t.category} {...filters.field("category")} options={categoryOptions(counts())} />
          </FilterBar>
          <Loaded query={list} skeleton={<Skeleton rows />}>
            {(found) => (
              <Show
                when={found().agents.length > 0}
                fallback={
                  <Empty title={t.nothingTitle} action={<Button onClick={filters.clear}>{t.clear}</Button>}>
                    {t.nothing}
                  </Empty>
                }
              >
                <ul class={styles.cards}>
                  <For each={found().agents}>
                    {(template) => (
                      <li>
                        <Card
                          template={template}
                          href={filters.beside(`/marketplace/${template.id}`)}
                          isOpen={template.id === params.id}
                        />
                      </li>
                    )}
                  </For>
                </ul>
                <Pager total={found().total} limit={PAGE} offset={offset()} />
              </Show>
            )}
          </Loaded>
        </Page>
      }
    />
  );
}

function Card(props: { template: Body<"AgentTemplate">; href: string; isOpen: boolean }) {
  let card: HTMLElement | undefined;
  // An open panel leaves room for fewer cards per row, so the open card moves.
  createEffect(() => props.isOpen && requestAnimationFrame(() => card?.scrollIntoView({ block: "nearest" })));
  return (
    <article ref={card} class={styles.card} aria-current={props.isOpen ? "true" : undefined}>
      <span class={styles.icon}>
        <TemplateIcon name={props.template.icon} />
      </span>
      <h2 class={styles.name}>
        <A href={props.href}>{props.template.name}</A>
      </h2>
      <p class={`muted ${styles.category}`}>{formatName(props.template.category)}</p>
      <p class={styles.what}>{props.template.description}</p>
      <p class={`muted ${styles.brings}`}>
        {t.brings(props.template.playbooks.length, props.template.kb_count, props.template.tool_count)}
      </p>
    </article>
  );
}
