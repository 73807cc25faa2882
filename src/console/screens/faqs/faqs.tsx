import { type RouteSectionProps, useParams } from "@solidjs/router";
import { useQuery } from "@tanstack/solid-query";
import Plus from "lucide-solid/icons/plus";
import type { Body } from "../../api/client.ts";
import { faqs as t } from "../../texts/index.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Empty, Loaded, Skeleton } from "../../ui/feedback.tsx";
import { ListAndPanel, Page } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/values.tsx";
import { faqList } from "./queries.ts";

const COLUMNS: Column<Body<"Faq">>[] = [
  { header: t.fields.title, cell: ({ title }) => title },
  { header: t.fields.name, cell: ({ name }) => <code>{name}</code>, minor: true },
  { header: t.fields.updated, cell: ({ updated_at }) => <Time at={updated_at} />, numbers: true },
];

/** What agents answer from. */
export default function Faqs(props: RouteSectionProps) {
  const params = useParams();
  const list = useQuery(faqList);
  const add = () => (
    <LinkButton href="/faqs/new" kind="primary" icon={Plus}>
      {t.add}
    </LinkButton>
  );
  return (
    <ListAndPanel
      isOpen={params.id !== undefined}
      panel={props.children}
      list={
        <Page title={t.title} lead={t.lead} actions={add()} wide>
          <Loaded query={list} skeleton={<Skeleton rows />}>
            {(found) => (
              <Table
                label={t.title}
                columns={COLUMNS}
                rows={found().faqs}
                href={({ id }) => `/faqs/${id}`}
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
