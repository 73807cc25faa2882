import { createMemo, Show } from "solid-js";
import { agentList, campaignList } from "../../../api/lists.ts";
import { useQuery } from "../../../api/use-query.ts";
import { board, common, campaigns as t } from "../../../texts/index.ts";
import { SelectField, TextField } from "../../../ui/fields.tsx";
import { useFilters } from "../../../ui/filters.ts";
import { FilterBar } from "../../../ui/page.tsx";
import { ResourceList } from "../../../ui/resource-list.tsx";
import type { Column } from "../../../ui/table.tsx";
import { Badge, Time } from "../../../ui/values.tsx";
import type { Campaign } from "../live/campaign-events.ts";
import { isImporting, STATUS_TONES } from "../live/state.ts";
import styles from "./list.module.css";
import { Progress } from "./progress.tsx";

const REFETCH_INTERVAL_MS = 3_000;
const STATUSES: Campaign["status"][] = ["running", "paused", "draft", "completed", "stopped"];

/** The account's campaigns. Running ones are refreshed. */
export default function Campaigns() {
  const list = useQuery(() => ({
    ...campaignList(),
    refetchInterval: ({ state }) =>
      state.data?.campaigns.some((campaign) => campaign.status === "running" || isImporting(campaign))
        ? REFETCH_INTERVAL_MS
        : false,
  }));
  const agents = useQuery(agentList);
  const agentNames = createMemo(() => new Map(agents.data?.map(({ id, name }) => [id, name])));
  const filters = useFilters("status", "search");

  const agentOf = ({ agent_id }: Campaign) => {
    if (agent_id === null) return <span class="muted">{t.noAgent}</span>;
    return agentNames().get(agent_id) ?? <span class="muted">{agents.data ? t.goneAgent : "…"}</span>;
  };
  const columns: Column<Campaign>[] = [
    { header: t.columns.name, cell: (campaign) => <Name campaign={campaign} /> },
    { header: t.columns.state, cell: (campaign) => <State campaign={campaign} /> },
    { header: t.columns.progress, cell: (campaign) => <Progress campaign={campaign} /> },
    { header: t.columns.agent, cell: agentOf, minor: true },
    { header: t.columns.when, cell: (campaign) => <When campaign={campaign} />, numbers: true, minor: true },
  ];
  const shown = (all: Campaign[]) => {
    const [status, search] = [filters.get("status"), filters.get("search").trim().toLowerCase()];
    return all.filter(
      (campaign) => (status === "" || campaign.status === status) && campaign.name.toLowerCase().includes(search),
    );
  };
  return (
    <ResourceList
      texts={t}
      path="/campaigns"
      newAt="/campaigns/new"
      query={list}
      rows={({ campaigns }) => shown(campaigns)}
      columns={columns}
      ids={({ id }) => [id]}
      filters={filters}
    >
      <Show when={list.data?.campaigns.length}>
        <FilterBar>
          <SelectField
            label={t.filters.status}
            {...filters.field("status")}
            options={[
              { value: "", label: common.all },
              ...STATUSES.map((value) => ({ value, label: board.status[value] })),
            ]}
          />
          <TextField label={t.filters.search} type="search" {...filters.field("search")} />
        </FilterBar>
      </Show>
    </ResourceList>
  );
}

function Name(props: { campaign: Campaign }) {
  const reason = () => (props.campaign.status === "paused" ? props.campaign.status_reason : null);
  return (
    <>
      {props.campaign.name}
      <Show when={reason()}>{(why) => <div class={styles.why}>{board.pausedBecause(why())}</div>}</Show>
    </>
  );
}

function State(props: { campaign: Campaign }) {
  return (
    <Show
      when={isImporting(props.campaign)}
      fallback={<Badge tone={STATUS_TONES[props.campaign.status]}>{board.status[props.campaign.status]}</Badge>}
    >
      <Badge tone="live">{t.importing}</Badge>
    </Show>
  );
}

function When(props: { campaign: Campaign }) {
  const what = () => (props.campaign.ended_at ? "ended" : props.campaign.started_at ? "started" : "created");
  const at = () => props.campaign.ended_at ?? props.campaign.started_at ?? props.campaign.created_at;
  return (
    <>
      <span class="muted">{t.when[what()]}</span> <Time at={at()} />
    </>
  );
}
