import type { RouteSectionProps } from "@solidjs/router";
import type { Body } from "../../api/client.ts";
import { numberList } from "../../api/lists.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatNumber } from "../../texts/format.ts";
import { carriers as t } from "../../texts/index.ts";
import { LinkButton } from "../../ui/button.tsx";
import { ResourceList } from "../../ui/resource-list.tsx";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/values.tsx";
import { carrierList } from "./queries.ts";

export default function Carriers(props: RouteSectionProps) {
  const list = useQuery(carrierList);
  const numbers = useQuery(numberList);
  const used = (id: string) => numbers.data?.numbers.filter(({ credentials_id }) => credentials_id === id).length;
  const columns: Column<Body<"TelephonyProvider">>[] = [
    { header: t.columns.label, cell: ({ label }) => label },
    { header: t.columns.provider, cell: ({ provider }) => t.names[provider] },
    {
      header: t.columns.numbers,
      cell: ({ id }) => {
        const count = used(id);
        return count === undefined ? "…" : formatNumber(count);
      },
      numbers: true,
    },
    { header: t.columns.added, cell: ({ created_at }) => <Time at={created_at} />, numbers: true, minor: true },
  ];
  return (
    <ResourceList
      texts={t}
      path="/carriers"
      newAt="/carriers/new"
      query={list}
      rows={({ providers }) => providers}
      columns={columns}
      ids={({ id }) => [id]}
      skeletonLines={3}
      emptyAction={<LinkButton href="/numbers/new">{t.sandboxNumber}</LinkButton>}
      panel={props.children}
    />
  );
}
