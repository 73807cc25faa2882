import type { RouteSectionProps } from "@solidjs/router";
import { keepPreviousData } from "@tanstack/query-core";
import { Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { useInfiniteQuery } from "../../api/use-query.ts";
import { formatDuration } from "../../texts/format.ts";
import { calls as t } from "../../texts/index.ts";
import { LinkButton } from "../../ui/button.tsx";
import { ExportButton } from "../../ui/export-button.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { useFilters } from "../../ui/filters.ts";
import { AgentFilter, CampaignFilter, DayFilters, MoreFilters, PhoneFilter } from "../../ui/history-filters.tsx";
import { PhoneOutgoing } from "../../ui/icons.tsx";
import { AgentLink } from "../../ui/named.tsx";
import { optionsOf } from "../../ui/options.ts";
import { FilterBar } from "../../ui/page.tsx";
import { distinct } from "../../ui/pages.ts";
import { ResourceList } from "../../ui/resource-list.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import type { Column } from "../../ui/table.tsx";
import { Badge, PhoneNumber, Time } from "../../ui/values.tsx";
import { callPages, FILTERS } from "./queries.ts";
import { isRunning, otherNumber, outcomeInWords, toneOf } from "./words.ts";

const REFETCH_INTERVAL_MS = 3_000;

const STATUS_CHOICES = [{ value: "", label: t.anyStatus }, ...optionsOf(t.statuses)];

const COLUMNS: Column<Body<"Call">>[] = [
  {
    header: t.columns.number,
    cell: (call) => (
      <>
        <PhoneNumber e164={otherNumber(call)} plain />
        <br />
        <span class="muted">{t.directions[call.direction]}</span>
      </>
    ),
  },
  {
    header: t.columns.outcome,
    cell: (call) => (
      <>
        <Badge tone={toneOf(call)}>{t.statuses[call.status]}</Badge>
        <Show when={!isRunning(call)}>
          <br />
          <span class="muted">{outcomeInWords(call)}</span>
        </Show>
      </>
    ),
  },
  { header: t.columns.agent, cell: ({ agent_id }) => <AgentLink id={agent_id} />, minor: true },
  {
    header: t.columns.duration,
    cell: ({ duration_ms }) => (duration_ms === null ? "–" : formatDuration(duration_ms / 1000)),
    numbers: true,
    minor: true,
  },
  { header: t.columns.created, cell: ({ created_at }) => <Time at={created_at} />, numbers: true },
];

export default function Calls(props: RouteSectionProps) {
  const filters = useFilters(...FILTERS);
  const pages = useInfiniteQuery(() => ({
    ...callPages(filters.values()),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ calls }) => calls.some(isRunning)) ? REFETCH_INTERVAL_MS : false,
  }));
  return (
    <ResourceList
      texts={t}
      path="/calls"
      query={pages}
      rows={(found) =>
        distinct(
          found.pages.flatMap(({ calls }) => calls),
          idOf,
        )
      }
      columns={COLUMNS}
      ids={(call) => [idOf(call)]}
      filters={filters}
      skeletonLines={10}
      actions={
        <>
          <ExportButton needs="exportCalls" path="/api/v1/calls/export" filters={filters.values()} file="calls.csv" />
          <Place />
        </>
      }
      emptyAction={<Place />}
      end={(rows, found) => <ShowMore pages={pages} shown={rows().length} of={found().pages[0]} />}
      panel={props.children}
    >
      <FilterBar>
        <PhoneFilter filters={filters} />
        <SelectField label={t.status} {...filters.field("status")} options={STATUS_CHOICES} />
        <MoreFilters filters={filters} folded={["agent_id", "campaign_id", "since", "until"]}>
          <AgentFilter filters={filters} />
          <CampaignFilter filters={filters} />
          <DayFilters filters={filters} />
        </MoreFilters>
      </FilterBar>
    </ResourceList>
  );
}

const idOf = ({ call_id }: Body<"Call">): string => call_id;

function Place() {
  return (
    <LinkButton href="/calls/new" kind="primary" icon={PhoneOutgoing}>
      {t.place}
    </LinkButton>
  );
}
