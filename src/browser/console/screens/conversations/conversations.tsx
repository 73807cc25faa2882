import type { RouteSectionProps } from "@solidjs/router";
import { keepPreviousData } from "@tanstack/query-core";
import { Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { seesContent } from "../../api/may.ts";
import { useInfiniteQuery } from "../../api/use-query.ts";
import { formatDuration, formatNumber } from "../../texts/format.ts";
import { analysis, codeInWords, conversations as t } from "../../texts/index.ts";
import { LinkButton } from "../../ui/button.tsx";
import { ExportButton } from "../../ui/export-button.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { useFilters } from "../../ui/filters.ts";
import { AgentFilter, CampaignFilter, DayFilters, MoreFilters, PhoneFilter } from "../../ui/history-filters.tsx";
import { AgentLink } from "../../ui/named.tsx";
import { Hidden } from "../../ui/not-allowed.tsx";
import { optionsOf } from "../../ui/options.ts";
import { FilterBar } from "../../ui/page.tsx";
import { ResourceList } from "../../ui/resource-list.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import type { Column } from "../../ui/table.tsx";
import { Badge, PhoneNumber, Time } from "../../ui/values.tsx";
import { VerdictBadge } from "../../ui/verdict.tsx";
import styles from "./conversations.module.css";
import { conversationPages, FILTERS } from "./queries.ts";
import { heldIn, otherSide } from "./words.ts";

/** How often the list is refetched while it contains a conversation that is live or being analyzed, ms. */
const REFETCH_INTERVAL_MS = 5_000;

const KINDS = [
  { value: "", label: t.filters.anyKind },
  { value: "call", label: t.filters.call },
  { value: "widget", label: t.filters.widget },
  { value: "test", label: t.filters.test },
];

const RESULTS = [{ value: "", label: analysis.anyResult }, ...optionsOf(analysis.verdicts)];

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
    cell: ({ disposition, status, analysis: found }) => (
      <>
        <Show when={status === "ended"} fallback={<Badge tone="live">{t.live}</Badge>}>
          <Show when={disposition} fallback={seesContent() ? <span class="muted">–</span> : <Hidden short />}>
            {(word) => <span title={word()}>{codeInWords(word())}</span>}
          </Show>
        </Show>
        <Show when={found?.summary}>
          {(summary) => (
            <span class={styles.summary} title={summary()}>
              {summary()}
            </span>
          )}
        </Show>
      </>
    ),
  },
  {
    header: analysis.column,
    cell: ({ analysis: found }) => (
      <Show when={found} fallback={<span class="muted">–</span>}>
        {(listed) => (
          <Show
            when={listed().status === "done"}
            fallback={
              <Badge tone={listed().status === "pending" ? "live" : "idle"}>{analysis.statuses[listed().status]}</Badge>
            }
          >
            <VerdictBadge of={listed().successful} />
          </Show>
        )}
      </Show>
    ),
    minor: true,
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

export default function Conversations(props: RouteSectionProps) {
  const filters = useFilters(...FILTERS);
  const pages = useInfiniteQuery(() => ({
    ...conversationPages(filters.values()),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const rows = state.data?.pages.flatMap(({ conversations }) => conversations) ?? [];
      const isChanging = rows.some(({ status, analysis: found }) => status === "live" || found?.status === "pending");
      return isChanging ? REFETCH_INTERVAL_MS : false;
    },
  }));
  return (
    <ResourceList
      texts={t}
      path="/conversations"
      query={pages}
      rows={(found) => found.pages.flatMap(({ conversations }) => conversations)}
      columns={COLUMNS}
      ids={({ id }) => [id]}
      filters={filters}
      skeletonLines={10}
      actions={
        <ExportButton
          needs="exportConversations"
          path="/api/v1/conversations/export"
          filters={filters.values()}
          file="conversations.csv"
        />
      }
      emptyAction={
        <LinkButton href="/calls/new" kind="primary">
          {t.emptyAction}
        </LinkButton>
      }
      end={(rows) => <ShowMore pages={pages} shown={rows().length} />}
      panel={props.children}
    >
      <FilterBar>
        <PhoneFilter filters={filters} />
        <AgentFilter filters={filters} />
        <MoreFilters filters={filters} folded={["campaign_id", "kind", "successful", "disposition", "since", "until"]}>
          <CampaignFilter filters={filters} />
          <SelectField label={t.filters.kind} {...filters.field("kind")} options={KINDS} />
          <SelectField label={analysis.filter} {...filters.field("successful")} options={RESULTS} />
          <Show when={seesContent()}>
            <SearchField
              label={t.filters.disposition}
              placeholder={t.filters.dispositionPlaceholder}
              {...filters.field("disposition")}
            />
          </Show>
          <DayFilters filters={filters} />
        </MoreFilters>
      </FilterBar>
    </ResourceList>
  );
}
