import { type RouteSectionProps, useLocation, useParams } from "@solidjs/router";
import Plus from "lucide-solid/icons/plus";
import type { Body } from "../../api/client.ts";
import { numberList } from "../../api/lists.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatNumber } from "../../texts/format.ts";
import { carriers as t } from "../../texts/index.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Empty, Loaded, Skeleton } from "../../ui/feedback.tsx";
import { ListAndPanel, Page } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/values.tsx";
import { carrierList } from "./queries.ts";

/** The carrier accounts that calls go by. */
export default function Carriers(props: RouteSectionProps) {
  const params = useParams();
  const location = useLocation();
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
  const add = () => (
    <LinkButton href="/carriers/new" kind="primary" icon={Plus}>
      {t.add}
    </LinkButton>
  );
  return (
    <ListAndPanel
      isOpen={params.id !== undefined || location.pathname.endsWith("/new")}
      panel={props.children}
      list={
        <Page title={t.title} lead={t.lead} actions={add()} wide>
          <Loaded query={list} skeleton={<Skeleton rows lines={3} />}>
            {(found) => (
              <Table
                label={t.title}
                columns={columns}
                rows={found().providers}
                href={({ id }) => `/carriers/${id}`}
                isOpen={({ id }) => id === params.id}
                empty={
                  <Empty title={t.emptyTitle} action={<LinkButton href="/numbers/new">{t.sandboxNumber}</LinkButton>}>
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
