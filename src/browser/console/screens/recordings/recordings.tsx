import { type RouteSectionProps, useParams } from "@solidjs/router";
import { keepPreviousData } from "@tanstack/query-core";
import { Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { useInfiniteQuery } from "../../api/use-query.ts";
import { formatBytes, formatDuration } from "../../texts/format.ts";
import { recordings as t } from "../../texts/index.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Empty, Loaded, Note, Skeleton } from "../../ui/feedback.tsx";
import { useFilters } from "../../ui/filters.ts";
import { AgentFilter } from "../../ui/history-filters.tsx";
import { AgentLink, CampaignLink } from "../../ui/named.tsx";
import { FilterBar, ListAndPanel, Page } from "../../ui/page.tsx";
import { distinct } from "../../ui/pages.ts";
import { ShowMore } from "../../ui/show-more.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { PhoneNumber, Time } from "../../ui/values.tsx";
import { FILTERS, recordingPages } from "./queries.ts";

const COLUMNS: Column<Body<"Recording">>[] = [
  {
    header: t.columns.with,
    cell: ({ phone_number, contact_name }) => (
      <>
        <Show when={contact_name}>
          {(name) => (
            <>
              {name()}
              <br />
            </>
          )}
        </Show>
        <Show when={phone_number} fallback="–">
          {(number) => <PhoneNumber e164={number()} plain />}
        </Show>
      </>
    ),
  },
  { header: t.columns.agent, cell: ({ agent_id }) => <AgentLink id={agent_id} /> },
  { header: t.columns.campaign, cell: ({ campaign_id }) => <CampaignLink id={campaign_id} />, minor: true },
  {
    header: t.columns.length,
    cell: ({ duration_ms }) => (duration_ms === null ? "–" : formatDuration(duration_ms / 1000)),
    numbers: true,
  },
  { header: t.columns.made, cell: ({ created_at }) => <Time at={created_at} />, numbers: true },
  { header: t.columns.size, cell: ({ size_bytes }) => formatBytes(size_bytes), numbers: true, minor: true },
];

/** What the carriers recorded. */
export default function Recordings(props: RouteSectionProps) {
  const params = useParams();
  const filters = useFilters(...FILTERS);
  const pages = useInfiniteQuery(() => ({ ...recordingPages(filters.values()), placeholderData: keepPreviousData }));
  return (
    <ListAndPanel
      isOpen={params.id !== undefined}
      panel={props.children}
      list={
        <Page title={t.title} lead={t.lead} wide>
          <FilterBar>
            <AgentFilter filters={filters} />
          </FilterBar>
          <Show when={filters.get("call_id")}>
            <Note>
              <span>{t.ofOneCall}</span>
              <div>
                <Button small onClick={filters.clear}>
                  {t.clearFilters}
                </Button>
              </div>
            </Note>
          </Show>
          <Loaded query={pages} skeleton={<Skeleton rows lines={10} />}>
            {(found) => {
              const rows = () =>
                distinct(
                  found().pages.flatMap(({ recordings }) => recordings),
                  ({ id }) => id,
                );
              return (
                <>
                  <Table
                    label={t.title}
                    columns={COLUMNS}
                    rows={rows()}
                    href={({ id }) => `/recordings/${id}`}
                    isOpen={({ id }) => id === params.id}
                    empty={<NoRecordings isFiltered={filters.isAny()} clear={filters.clear} />}
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

function NoRecordings(props: { isFiltered: boolean; clear: () => void }) {
  return (
    <Show
      when={props.isFiltered}
      fallback={
        <Empty title={t.emptyTitle} action={<LinkButton href="/call-settings">{t.emptyAction}</LinkButton>}>
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
