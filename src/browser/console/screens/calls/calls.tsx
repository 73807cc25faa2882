import { type RouteSectionProps, useLocation, useParams } from "@solidjs/router";
import { keepPreviousData } from "@tanstack/query-core";
import PhoneOutgoing from "lucide-solid/icons/phone-outgoing";
import { Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { useInfiniteQuery } from "../../api/use-query.ts";
import { formatDuration } from "../../texts/format.ts";
import { calls as t } from "../../texts/index.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ExportButton } from "../../ui/export-button.tsx";
import { Empty, Loaded, Skeleton } from "../../ui/feedback.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { useFilters } from "../../ui/filters.ts";
import { AgentFilter, CampaignFilter, DayFilters, MoreFilters, PhoneFilter } from "../../ui/history-filters.tsx";
import { AgentLink } from "../../ui/named.tsx";
import { FilterBar, ListAndPanel, Page } from "../../ui/page.tsx";
import { distinct } from "../../ui/pages.ts";
import { ShowMore } from "../../ui/show-more.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Badge, PhoneNumber, Time } from "../../ui/values.tsx";
import { callPages, FILTERS, STATUSES } from "./queries.ts";
import { isRunning, otherNumber, outcomeInWords, toneOf } from "./words.ts";

/** How often the list is asked for while one of it goes on, ms. */
const ASKED_EVERY_MS = 3_000;

const STATUS_CHOICES = [
  { value: "", label: t.anyStatus },
  ...STATUSES.map((status) => ({ value: status, label: t.statuses[status] })),
];

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
        <br />
        <span class="muted">{outcomeInWords(call)}</span>
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
  { header: t.columns.made, cell: ({ created_at }) => <Time at={created_at} />, numbers: true },
];

/** Every call, with how it went. */
export default function Calls(props: RouteSectionProps) {
  const params = useParams();
  const location = useLocation();
  const filters = useFilters(...FILTERS);
  const pages = useInfiniteQuery(() => ({
    ...callPages(filters.values()),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ calls }) => calls.some(isRunning)) ? ASKED_EVERY_MS : false,
  }));
  return (
    <ListAndPanel
      isOpen={params.id !== undefined || location.pathname.endsWith("/calls/new")}
      panel={props.children}
      list={
        <Page
          title={t.title}
          lead={t.lead}
          actions={
            <>
              <ExportButton path="/api/v1/calls/export" filters={filters.values()} file="calls.csv" />
              <Place />
            </>
          }
          wide
        >
          <FilterBar>
            <PhoneFilter filters={filters} />
            <SelectField
              label={t.status}
              value={filters.get("status")}
              options={STATUS_CHOICES}
              onChange={(status) => filters.set("status", status)}
            />
            <MoreFilters filters={filters} folded={["agent_id", "campaign_id", "since", "until"]}>
              <AgentFilter filters={filters} />
              <CampaignFilter filters={filters} />
              <DayFilters filters={filters} />
            </MoreFilters>
          </FilterBar>
          <Loaded query={pages} skeleton={<Skeleton rows lines={10} />}>
            {(found) => {
              const rows = () =>
                distinct(
                  found().pages.flatMap(({ calls }) => calls),
                  ({ call_id }) => call_id,
                );
              return (
                <>
                  <Table
                    label={t.title}
                    columns={COLUMNS}
                    rows={rows()}
                    href={({ call_id }) => `/calls/${call_id}`}
                    isOpen={({ call_id }) => call_id === params.id}
                    empty={<NoCalls isFiltered={filters.isAny()} clear={filters.clear} />}
                  />
                  <ShowMore pages={pages} shown={rows().length} total={found().pages[0]?.total} />
                </>
              );
            }}
          </Loaded>
        </Page>
      }
    />
  );
}

function Place() {
  return (
    <LinkButton href="/calls/new" kind="primary" icon={PhoneOutgoing}>
      {t.place}
    </LinkButton>
  );
}

function NoCalls(props: { isFiltered: boolean; clear: () => void }) {
  return (
    <Show
      when={props.isFiltered}
      fallback={
        <Empty title={t.emptyTitle} action={<Place />}>
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
