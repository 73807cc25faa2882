import type { RouteSectionProps } from "@solidjs/router";
import type { Body } from "../../api/client.ts";
import { apiKeyList } from "../../api/lists.ts";
import { useQuery } from "../../api/use-query.ts";
import { apiKeys as t } from "../../texts/index.ts";
import { ResourceList } from "../../ui/resource-list.tsx";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/values.tsx";
import { State } from "./state.tsx";

const COLUMNS: Column<Body<"ApiKey">>[] = [
  { header: t.fields.name, cell: ({ name }) => name },
  { header: t.fields.key, cell: ({ last8 }) => <code>…{last8}</code>, minor: true },
  { header: t.fields.state, cell: (key) => <State of={key} /> },
  { header: t.fields.used, cell: ({ last_used_at }) => <Time at={last_used_at} />, numbers: true },
  {
    header: t.fields.expires,
    cell: ({ expires_at }) => (expires_at === null ? t.never : <Time at={expires_at} />),
    numbers: true,
    minor: true,
  },
];

export default function ApiKeys(props: RouteSectionProps) {
  const list = useQuery(apiKeyList);
  return (
    <ResourceList
      texts={t}
      path="/api-keys"
      newAt="/api-keys/new"
      query={list}
      rows={(keys) => keys}
      columns={COLUMNS}
      ids={({ id }) => [id]}
      panel={props.children}
    />
  );
}
