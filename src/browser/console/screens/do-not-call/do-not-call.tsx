import { type RouteSectionProps, useLocation } from "@solidjs/router";
import Plus from "lucide-solid/icons/plus";
import { Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { useInfiniteQuery } from "../../api/use-query.ts";
import { doNotCall as t } from "../../texts/index.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { confirmed } from "../../ui/confirm.tsx";
import { Empty, Loaded, Skeleton } from "../../ui/feedback.tsx";
import { ListAndPanel, Page } from "../../ui/page.tsx";
import { distinct } from "../../ui/pages.ts";
import { groupedNumber } from "../../ui/phone-number.ts";
import { ShowMore } from "../../ui/show-more.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { tell } from "../../ui/toast.tsx";
import { PhoneNumber, Time } from "../../ui/values.tsx";
import { doNotCallChanged, doNotCallPages } from "./queries.ts";

type Entry = Body<"DoNotCallEntry">;

const COLUMNS: Column<Entry>[] = [
  { header: t.columns.number, cell: ({ phone_number }) => <PhoneNumber e164={phone_number} /> },
  {
    header: t.columns.reason,
    cell: ({ reason }) => (
      <Show when={reason} fallback={<span class="muted">{t.noReason}</span>}>
        {reason}
      </Show>
    ),
  },
  { header: t.columns.added, cell: ({ created_at }) => <Time at={created_at} />, numbers: true, minor: true },
  {
    header: t.columns.action,
    cell: ({ phone_number }) => (
      <Button
        small
        kind="quiet"
        aria-label={t.removeLabel(groupedNumber(phone_number))}
        onClick={() => void remove(phone_number)}
      >
        {t.remove}
      </Button>
    ),
    numbers: true,
  },
];

/** Numbers that are never called. */
export default function DoNotCall(props: RouteSectionProps) {
  const location = useLocation();
  const pages = useInfiniteQuery(doNotCallPages);
  const add = () => (
    <LinkButton href="/do-not-call/add" kind="primary" icon={Plus}>
      {t.add}
    </LinkButton>
  );
  return (
    <ListAndPanel
      isOpen={location.pathname.endsWith("/add")}
      panel={props.children}
      list={
        <Page title={t.title} lead={t.lead} actions={add()} wide>
          <Loaded query={pages} skeleton={<Skeleton rows />}>
            {(found) => {
              const rows = () =>
                distinct(
                  found().pages.flatMap(({ numbers }) => numbers),
                  idOf,
                );
              return (
                <>
                  <Table
                    label={t.title}
                    columns={COLUMNS}
                    rows={rows()}
                    empty={
                      <Empty title={t.emptyTitle} action={add()}>
                        {t.empty}
                      </Empty>
                    }
                  />
                  <ShowMore pages={pages} shown={rows().length} total={found().pages[0]?.total} />
                </>
              );
            }}
          </Loaded>
        </Page>
      }
    />
  );
}

const idOf = ({ phone_number }: Entry): string => phone_number;

function remove(e164: string): Promise<void> {
  const number = groupedNumber(e164);
  const question = { title: t.removeTitle(number), body: t.removeBody, verb: t.remove, danger: true };
  return confirmed(question, async () => {
    try {
      await data(api.DELETE("/api/v1/do-not-call/{e164}", { params: { path: { e164 } } }));
      tell(t.removed(number));
    } finally {
      await doNotCallChanged();
    }
  });
}
