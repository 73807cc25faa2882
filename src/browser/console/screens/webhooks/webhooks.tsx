import type { RouteSectionProps } from "@solidjs/router";
import { Show } from "solid-js";
import { useQuery } from "../../api/use-query.ts";
import { webhooks as t } from "../../texts/index.ts";
import { ResourceList } from "../../ui/resource-list.tsx";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/values.tsx";
import { EVERYTHING } from "./chosen-types.ts";
import { type Webhook, webhookList } from "./queries.ts";
import { State } from "./state.tsx";

const COLUMNS: Column<Webhook>[] = [
  {
    header: t.columns.url,
    cell: ({ url, description }) => (
      <>
        {url}
        <Show when={description}>
          {(words) => (
            <>
              <br />
              <span class="muted">{words()}</span>
            </>
          )}
        </Show>
      </>
    ),
  },
  { header: t.columns.state, cell: (webhook) => <State of={webhook} /> },
  {
    header: t.columns.types,
    cell: ({ types }) => (types.includes(EVERYTHING) ? t.all : types.join(", ")),
    minor: true,
  },
  { header: t.columns.last, cell: ({ last_delivery_at }) => <Time at={last_delivery_at} />, numbers: true },
];

export default function Webhooks(props: RouteSectionProps) {
  const list = useQuery(webhookList);
  return (
    <ResourceList
      texts={t}
      path="/webhooks"
      newAt="/webhooks/new"
      query={list}
      rows={({ webhooks }) => webhooks}
      columns={COLUMNS}
      ids={({ id }) => [id]}
      skeletonLines={4}
      panel={props.children}
    />
  );
}
