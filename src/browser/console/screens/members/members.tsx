import type { RouteSectionProps } from "@solidjs/router";
import { Show } from "solid-js";
import { memberList } from "../../api/lists.ts";
import { authority } from "../../api/may.ts";
import { useQuery } from "../../api/use-query.ts";
import { access, members as t } from "../../texts/index.ts";
import { ResourceList } from "../../ui/resource-list.tsx";
import type { Column } from "../../ui/table.tsx";
import { Badge, Time } from "../../ui/values.tsx";
import { Invitations } from "./invitations.tsx";
import type { Member } from "./queries.ts";

const COLUMNS: Column<Member>[] = [
  {
    header: t.columns.member,
    cell: ({ id, name, email }) => (
      <>
        {name || email} <Show when={id === authority()?.user_id}>({t.you})</Show>
        <Show when={name}>
          <br />
          <span class="muted">{email}</span>
        </Show>
      </>
    ),
  },
  { header: t.columns.role, cell: ({ role }) => access.roles[role] },
  { header: t.columns.source, cell: ({ source }) => t.sources[source], minor: true },
  { header: t.columns.factor, cell: (member) => <SecondFactor of={member} />, minor: true },
  { header: t.columns.seen, cell: ({ last_seen_at }) => <Time at={last_seen_at} />, numbers: true },
];

export default function Members(props: RouteSectionProps) {
  const list = useQuery(memberList);
  return (
    <ResourceList
      texts={t}
      path="/members"
      newAt="/members/invite"
      query={list}
      rows={({ members }) => members}
      columns={COLUMNS}
      ids={({ id }) => [encodeURIComponent(id), id]}
      end={(rows) => <Invitations members={rows()} />}
      panel={props.children}
    />
  );
}

export function SecondFactor(props: { of: Member }) {
  return (
    <Show when={props.of.source === "password"} fallback={<span class="muted">{t.factor.provider}</span>}>
      <Badge tone={props.of.second_factor ? "ok" : "idle"}>{props.of.second_factor ? t.factor.on : t.factor.off}</Badge>
    </Show>
  );
}
