import { type RouteSectionProps, useParams } from "@solidjs/router";
import { keepPreviousData } from "@tanstack/query-core";
import { Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { useInfiniteQuery } from "../../api/use-query.ts";
import { formatDuration, formatNumber } from "../../texts/format.ts";
import { codeInWords, conversations as t } from "../../texts/index.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ExportButton } from "../../ui/export-button.tsx";
import { Empty, Loaded, Skeleton } from "../../ui/feedback.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { useFilters } from "../../ui/filters.ts";
import { AgentFilter, CampaignFilter, DayFilters, MoreFilters, PhoneFilter } from "../../ui/history-filters.tsx";
import { AgentLink } from "../../ui/named.tsx";
import { FilterBar, ListAndPanel, Page } from "../../ui/page.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Badge, PhoneNumber, Time } from "../../ui/values.tsx";
import { conversationPages, FILTERS } from "./queries.ts";
import { heldIn, otherSide } from "./words.ts";

/** How often the list is asked for while one of it is under way, ms. */
const ASKED_EVERY_MS = 5_000;

const KINDS = [
  { value: "", label: t.filters.anyKind },
  { value: "call", label: t.filters.call },
  { value: "widget", label: t.filters.widget },
  { value: "test", label: t.filters.test },
];

const COLUMNS: Column<Body<"Conversation">>[] = [
  {
    header: t.columns.with,
    cell: (row) => (
      <>
        <Show when={row.contact_name}>
          {(name) => (
            <>
              {name()}
              <br />
            </>
          )}
        </Show>
        <Show when={row.phone_number} fallback={otherSide(row)}>
          {(number) => <PhoneNumber e164={number()} plain />}
        </Show>
        <br />
        <span class="muted">{heldIn(row)}</span>
      </>
    ),
  },
  { header: t.columns.agent, cell: ({ agent_id }) => <AgentLink id={agent_id} />, minor: true },
  {
    header: t.columns.disposition,
    cell: ({ disposition, status }) => (
      <Show when={status === "ended"} fallback={<Badge tone="live">{t.live}</Badge>}>
        <Show when={disposition} fallback={<span class="muted">–</span>}>
          {(word) => <span title={word()}>{codeInWords(word())}</span>}
        </Show>
      </Show>
    ),
  },
  { header: t.columns.turns, cell: ({ turn_count }) => formatNumber(turn_count), numbers: true, minor: true },
  {
    header: t.columns.duration,
    cell: ({ duration_ms }) => (duration_ms === null ? "–" : formatDuration(duration_ms / 1000)),
    numbers: true,
    minor: true,
  },
  { header: t.columns.began, cell: ({ started_at }) => <Time at={started_at} />, numbers: true },
];

/** What was said on the phone and in the widget. */
export default function Conversations(props: RouteSectionProps) {
  const params = useParams();
  const filters = useFilters(...FILTERS);
  const pages = useInfiniteQuery(() => ({
    ...conversationPages(filters.values()),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const rows = state.data?.pages.flatMap(({ conversations }) => conversations) ?? [];
      return rows.some(({ status }) => status === "live") ? ASKED_EVERY_MS : false;
    },
  }));
  return (
    <ListAndPanel
      isOpen={params.id !== undefined}
      panel={props.children}
      list={
        <Page
          title={t.title}
          lead={t.lead}
          actions={
            <ExportButton path="/api/v1/conversations/export" filters={filters.values()} file="conversations.csv" />
          }
          wide
        >
          <FilterBar>
            <PhoneFilter filters={filters} />
            <AgentFilter filters={filters} />
            <MoreFilters filters={filters} folded={["campaign_id", "kind", "disposition", "since", "until"]}>
              <CampaignFilter filters={filters} />
              <SelectField
                label={t.filters.kind}
                value={filters.get("kind")}
                options={KINDS}
                onChange={(kind) => filters.set("kind", kind)}
              />
              <SearchField
                label={t.filters.disposition}
                placeholder={t.filters.dispositionPlaceholder}
                value={filters.get("disposition")}
                onSearch={(word) => filters.set("disposition", word)}
              />
              <DayFilters filters={filters} />
            </MoreFilters>
          </FilterBar>
          <Loaded query={pages} skeleton={<Skeleton rows lines={10} />}>
            {(found) => {
              const rows = () => found().pages.flatMap(({ conversations }) => conversations);
              return (
                <>
                  <Table
                    label={t.title}
                    columns={COLUMNS}
                    rows={rows()}
                    href={({ id }) => `/conversations/${id}`}
                    isOpen={({ id }) => id === params.id}
                    empty={<NoConversations isFiltered={filters.isAny()} clear={filters.clear} />}
                  />
                  <ShowMore pages={pages} shown={rows().length} />
                </>
              );
            }}
          </Loaded>
        </Page>
      }
    />
  );
}

function NoConversations(props: { isFiltered: boolean; clear: () => void }) {
  return (
    <Show
      when={props.isFiltered}
      fallback={
        <Empty
          title={t.emptyTitle}
          action={
            <LinkButton href="/calls/new" kind="primary">
              {t.emptyAction}
            </LinkButton>
          }
        >
          {t.empty}
        </Empty>
      }
    >
      <Empty title={t.noMatchTitle} action={<Button onClick={() => props.clear()}>{t.clearFilters}</Button>}>
        {t.noMatch}
      </Empty>
    </Show>
  );
}
