import { type RouteSectionProps, useLocation, useParams } from "@solidjs/router";
import Plus from "lucide-solid/icons/plus";
import { widgetKeyList } from "../../api/lists.ts";
import { useQuery } from "../../api/use-query.ts";
import { widgetKeys as t } from "../../texts/index.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Empty, Loaded, Skeleton } from "../../ui/feedback.tsx";
import { AgentLink } from "../../ui/named.tsx";
import { ListAndPanel, Page } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Badge, Time } from "../../ui/values.tsx";
import type { WidgetKey } from "./queries.ts";

/** Which pages may show the widget, and whom it leads to. */
export default function WidgetKeys(props: RouteSectionProps) {
  const params = useParams();
  const location = useLocation();
  const list = useQuery(widgetKeyList);
  const columns: Column<WidgetKey>[] = [
    { header: t.fields.name, cell: ({ name }) => name },
    { header: t.fields.key, cell: ({ last8 }) => <code>…{last8}</code>, minor: true },
    { header: t.fields.agent, cell: ({ agent_id }) => <AgentLink id={agent_id} /> },
    {
      header: t.fields.origins,
      cell: ({ domain_allowlist: { length } }) =>
        length === 0 ? <Badge tone="warn">{t.noOrigins}</Badge> : t.origins(length),
      minor: true,
    },
    {
      header: t.fields.state,
      cell: ({ disabled_at }) => (
        <Badge tone={disabled_at === null ? "ok" : "idle"}>
          {disabled_at === null ? t.states.active : t.states.disabled}
        </Badge>
      ),
    },
    { header: t.fields.used, cell: ({ last_used_at }) => <Time at={last_used_at} />, numbers: true },
  ];
  const add = () => (
    <LinkButton href="/widget-keys/new" kind="primary" icon={Plus}>
      {t.add}
    </LinkButton>
  );
  return (
    <ListAndPanel
      isOpen={params.id !== undefined || location.pathname.endsWith("/new")}
      panel={props.children}
      list={
        <Page title={t.title} lead={t.lead} actions={add()} wide>
          <Loaded query={list} skeleton={<Skeleton rows />}>
            {(keys) => (
              <Table
                label={t.title}
                columns={columns}
                rows={keys()}
                href={({ id }) => `/widget-keys/${id}`}
                isOpen={({ id }) => id === params.id}
                empty={
                  <Empty title={t.emptyTitle} action={add()}>
                    {t.empty}
                  </Empty>
                }
              />
            )}
          </Loaded>
        </Page>
      }
    />
  );
}
