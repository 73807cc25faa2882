import type { RouteSectionProps } from "@solidjs/router";
import { Show } from "solid-js";
import { widgetKeyList } from "../../api/lists.ts";
import { useQuery } from "../../api/use-query.ts";
import { widgetKeys as t } from "../../texts/index.ts";
import { OutOfServiceBadge } from "../../ui/in-service.tsx";
import { AgentLink } from "../../ui/named.tsx";
import { ResourceList } from "../../ui/resource-list.tsx";
import type { Column } from "../../ui/table.tsx";
import { Badge, Time } from "../../ui/values.tsx";
import { State, type WidgetKey } from "./state.tsx";

export default function WidgetKeys(props: RouteSectionProps) {
  const list = useQuery(widgetKeyList);
  const columns: Column<WidgetKey>[] = [
    { header: t.fields.name, cell: ({ name }) => name },
    { header: t.fields.key, cell: ({ last8 }) => <code>…{last8}</code>, minor: true },
    {
      header: t.fields.agent,
      cell: ({ agent_id, in_service, disabled_at }) => (
        <>
          <AgentLink id={agent_id} />{" "}
          <Show when={disabled_at === null}>
            <OutOfServiceBadge in_service={in_service} channel="widget" />
          </Show>
        </>
      ),
    },
    {
      header: t.fields.origins,
      cell: ({ domain_allowlist: { length } }) =>
        length === 0 ? <Badge tone="warn">{t.noOrigins}</Badge> : t.origins(length),
      minor: true,
    },
    { header: t.fields.state, cell: (key) => <State of={key} /> },
    { header: t.fields.used, cell: ({ last_used_at }) => <Time at={last_used_at} />, numbers: true },
  ];
  return (
    <ResourceList
      texts={t}
      path="/widget-keys"
      newAt="/widget-keys/new"
      query={list}
      rows={(keys) => keys}
      columns={columns}
      ids={({ id }) => [id]}
      panel={props.children}
    />
  );
}
