import { A } from "@solidjs/router";
import { Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatNumber } from "../../texts/format.ts";
import { tools } from "../../texts/index.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Empty, Loaded, Skeleton } from "../../ui/feedback.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Badge, Time } from "../../ui/values.tsx";
import { toolRuns } from "./queries.ts";

const { runs: t } = tools;

const COLUMNS: Column<Body<"ToolRun">>[] = [
  { header: t.at, cell: ({ at }) => <Time at={at} /> },
  {
    header: t.ok,
    cell: ({ ok, error }) => (
      <>
        <Badge tone={ok ? "ok" : "bad"}>{ok ? t.worked : t.failed}</Badge>
        <Show when={error}>{(words) => <p class="muted">{words()}</p>}</Show>
      </>
    ),
  },
  {
    header: t.by,
    cell: ({ conversation_id }) => (
      <Show when={conversation_id} fallback={t.api}>
        {(id) => <A href={`/conversations/${id()}`}>{t.conversation}</A>}
      </Show>
    ),
    minor: true,
  },
  { header: t.status, cell: ({ status }) => status ?? "–", numbers: true },
  { header: t.duration, cell: ({ duration_ms }) => formatNumber(duration_ms), numbers: true },
];

export function ToolRuns(props: { tool: Body<"Tool"> }) {
  const runs = useQuery(() => toolRuns(props.tool.id));
  return (
    <Loaded query={runs} skeleton={<Skeleton rows />}>
      {(found) => (
        <Table
          label={tools.parts.runs}
          columns={COLUMNS}
          rows={found().runs}
          empty={
            <Empty
              title={t.emptyTitle}
              action={<LinkButton href={`/tools/${props.tool.id}/run`}>{t.tryIt}</LinkButton>}
            >
              {t.empty}
            </Empty>
          }
        />
      )}
    </Loaded>
  );
}
