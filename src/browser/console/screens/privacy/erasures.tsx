import { Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { useInfiniteQuery } from "../../api/use-query.ts";
import { formatNumber } from "../../texts/format.ts";
import { erasures as t } from "../../texts/index.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Empty, Loaded } from "../../ui/feedback.tsx";
import { Section } from "../../ui/page.tsx";
import { distinct, pagesOf } from "../../ui/pages.ts";
import { ShowMore } from "../../ui/show-more.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Badge, Time } from "../../ui/values.tsx";

export type Erasure = Body<"Erasure">;

export const REFETCH_INTERVAL_MS = 2_000;
const PAGE_ROWS = 20;

/** Returns how the person was identified, with the last digits of a number. */
export function personIn({ subject, hint }: Erasure): string {
  return hint === null ? t.subjects[subject] : t.number(hint);
}

export function ErasureStatus(props: { erasure: Erasure }) {
  return <Badge tone={props.erasure.status === "complete" ? "ok" : "live"}>{t.statuses[props.erasure.status]}</Badge>;
}

const COLUMNS: Column<Erasure>[] = [
  { header: t.columns.person, cell: (erasure) => personIn(erasure) },
  { header: t.columns.status, cell: (erasure) => <ErasureStatus erasure={erasure} /> },
  { header: t.columns.conversations, cell: ({ counts }) => formatNumber(counts.conversations), numbers: true },
  { header: t.columns.calls, cell: ({ counts }) => formatNumber(counts.calls), numbers: true },
  { header: t.columns.requested, cell: ({ created_at }) => <Time at={created_at} />, numbers: true, minor: true },
];

const erasurePages = () =>
  pagesOf(
    ["erasures"],
    PAGE_ROWS,
    (page, signal) => data(api.GET("/api/v1/erasures", { params: { query: page }, signal })),
    ({ erasures }) => erasures,
  );

/** The erased people, with a button to erase another. */
export function Erasures(props: { openId: string | undefined }) {
  const pages = useInfiniteQuery(erasurePages);
  const action = () => (
    <LinkButton href="/privacy/forget" kind="danger">
      {t.title}
    </LinkButton>
  );
  return (
    <Section title={t.title} actions={action()}>
      <p class="muted">{t.lead}</p>
      <Loaded query={pages}>
        {(found) => {
          const rows = () =>
            distinct(
              found().pages.flatMap(({ erasures }) => erasures),
              ({ id }) => id,
            );
          return (
            <Show when={rows().length > 0} fallback={<Empty title={t.emptyTitle}>{t.empty}</Empty>}>
              <Table
                label={t.title}
                columns={COLUMNS}
                rows={rows()}
                href={({ id }) => `/privacy/${id}`}
                isOpen={({ id }) => id === props.openId}
              />
              <ShowMore pages={pages} shown={rows().length} total={found().pages[0]?.total} />
            </Show>
          );
        }}
      </Loaded>
    </Section>
  );
}
