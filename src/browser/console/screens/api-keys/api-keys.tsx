import { type RouteSectionProps, useLocation, useParams } from "@solidjs/router";
import Plus from "lucide-solid/icons/plus";
import type { Body } from "../../api/client.ts";
import { apiKeyList } from "../../api/lists.ts";
import { useQuery } from "../../api/use-query.ts";
import { apiKeys as t } from "../../texts/index.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Empty, Loaded, Skeleton } from "../../ui/feedback.tsx";
import { now } from "../../ui/now.ts";
import { ListAndPanel, Page } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Badge, Time } from "../../ui/values.tsx";
import { stateOf, TONES } from "./queries.ts";

const COLUMNS: Column<Body<"ApiKey">>[] = [
  { header: t.fields.name, cell: ({ name }) => name },
  { header: t.fields.key, cell: ({ last8 }) => <code>…{last8}</code>, minor: true },
  { header: t.fields.state, cell: (key) => <State key={key} /> },
  { header: t.fields.used, cell: ({ last_used_at }) => <Time at={last_used_at} />, numbers: true },
  {
    header: t.fields.expires,
    cell: ({ expires_at }) => (expires_at === null ? t.never : <Time at={expires_at} />),
    numbers: true,
    minor: true,
  },
];

function State(props: { key: Body<"ApiKey"> }) {
  const state = () => stateOf(props.key, now());
  return <Badge tone={TONES[state()]}>{t.states[state()]}</Badge>;
}

/** How servers come in. */
export default function ApiKeys(props: RouteSectionProps) {
  const params = useParams();
  const location = useLocation();
  const list = useQuery(apiKeyList);
  const add = () => (
    <LinkButton href="/api-keys/new" kind="primary" icon={Plus}>
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
                columns={COLUMNS}
                rows={keys()}
                href={({ id }) => `/api-keys/${id}`}
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
