import type { RouteSectionProps } from "@solidjs/router";
import { keepPreviousData } from "@tanstack/query-core";
import { Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { useInfiniteQuery } from "../../api/use-query.ts";
import { formatBytes, formatDuration } from "../../texts/format.ts";
import { recordings as t } from "../../texts/index.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Note } from "../../ui/feedback.tsx";
import { useFilters } from "../../ui/filters.ts";
import { AgentFilter } from "../../ui/history-filters.tsx";
import { AgentLink, CampaignLink } from "../../ui/named.tsx";
import { FilterBar } from "../../ui/page.tsx";
import { distinct } from "../../ui/pages.ts";
import { ResourceList } from "../../ui/resource-list.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import type { Column } from "../../ui/table.tsx";
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
  { header: t.columns.received, cell: ({ created_at }) => <Time at={created_at} />, numbers: true },
  { header: t.columns.size, cell: ({ size_bytes }) => formatBytes(size_bytes), numbers: true, minor: true },
];

export default function Recordings(props: RouteSectionProps) {
  const filters = useFilters(...FILTERS);
  const pages = useInfiniteQuery(() => ({ ...recordingPages(filters.values()), placeholderData: keepPreviousData }));
  return (
    <ResourceList
      texts={t}
      path="/recordings"
      query={pages}
      rows={(found) =>
        distinct(
          found.pages.flatMap(({ recordings }) => recordings),
          idOf,
        )
      }
      columns={COLUMNS}
      ids={(recording) => [idOf(recording)]}
      filters={filters}
      emptyAction={<LinkButton href="/call-settings">{t.emptyAction}</LinkButton>}
      end={(rows, found) => <ShowMore pages={pages} shown={rows().length} of={found().pages[0]} />}
      panel={props.children}
    >
      <FilterBar>
        <AgentFilter filters={filters} />
      </FilterBar>
      <Show when={filters.get("call_id")}>
        <Note>
          <span>{t.ofOneCall}</span>
          <div>
            <Button small onClick={filters.clear}>
              {t.clear}
            </Button>
          </div>
        </Note>
      </Show>
    </ResourceList>
  );
}

const idOf = ({ id }: Body<"Recording">): string => id;
