import type { RouteSectionProps } from "@solidjs/router";
import { Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { numberList } from "../../api/lists.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatExact } from "../../texts/format.ts";
import { carriers, numbers as t } from "../../texts/index.ts";
import { OutOfServiceBadge } from "../../ui/in-service.tsx";
import { AgentLink } from "../../ui/named.tsx";
import { ResourceList } from "../../ui/resource-list.tsx";
import type { Column } from "../../ui/table.tsx";
import { Badge, PhoneNumber } from "../../ui/values.tsx";
import { carrierList } from "./queries.ts";
import { callsOf } from "./words.ts";

export default function Numbers(props: RouteSectionProps) {
  const list = useQuery(numberList);
  const credentials = useQuery(carrierList);
  const line = ({ provider, credentials_id }: Body<"PhoneNumber">): string => {
    const stored = credentials.data?.providers.find(({ id }) => id === credentials_id);
    return stored?.label ?? carriers.names[provider];
  };
  const columns: Column<Body<"PhoneNumber">>[] = [
    { header: t.columns.number, cell: ({ e164 }) => <PhoneNumber e164={e164} plain /> },
    {
      header: t.columns.agent,
      cell: ({ agent_id, in_service, inbound_enabled }) => (
        <Show when={agent_id} fallback={<span class="muted">{t.nobody}</span>}>
          {(id) => (
            <>
              <AgentLink id={id()} />{" "}
              <Show when={inbound_enabled}>
                <OutOfServiceBadge in_service={in_service} channel="phone" />
              </Show>
            </>
          )}
        </Show>
      ),
    },
    { header: t.columns.carrier, cell: line, minor: true },
    { header: t.columns.calls, cell: callsOf, minor: true },
    {
      header: t.columns.check,
      minor: true,
      cell: ({ last_check }) => (
        <Show when={last_check} fallback={<span class="muted">{t.checkNever}</span>}>
          {(check) => (
            <Badge tone={check().ok ? "ok" : "bad"}>
              <span title={formatExact(check().at)}>{check().ok ? t.checkGood : t.checkBad}</span>
            </Badge>
          )}
        </Show>
      ),
    },
  ];
  return (
    <ResourceList
      texts={t}
      path="/numbers"
      newAt="/numbers/new"
      query={list}
      rows={({ numbers }) => numbers}
      columns={columns}
      ids={({ id }) => [id]}
      skeletonLines={4}
      panel={props.children}
    />
  );
}
