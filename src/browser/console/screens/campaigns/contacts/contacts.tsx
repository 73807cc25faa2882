import { useParams } from "@solidjs/router";
import { keepPreviousData } from "@tanstack/query-core";
import { createEffect, createMemo, createSignal, mapArray, on, onCleanup } from "solid-js";
import { useInfiniteQuery } from "../../../api/use-query.ts";
import { board as t } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { ExportButton } from "../../../ui/export-button.tsx";
import { Empty, Loaded, Skeleton } from "../../../ui/feedback.tsx";
import { useFilters } from "../../../ui/filters.ts";
import { Section } from "../../../ui/page.tsx";
import { ShowMore } from "../../../ui/show-more.tsx";
import { Table } from "../../../ui/table.tsx";
import { useLiveCampaign } from "../live/live-campaign.ts";
import { type ContactFilter, contactPages } from "../live/queries.ts";
import { columnsOf } from "./columns.tsx";
import { ContactFilters } from "./contact-filters.tsx";
import { isSame, type ShownContact, shownContact } from "./shown-contact.ts";

/** How often the latest changes move to the top, ms. Rows that move more often can't be read. */
const ORDERED_EVERY_MS = 1_000;
/** How often a list filtered by state is refetched while people are called, ms. */
const REFETCH_INTERVAL_MS = 3_000;

/**
 * The contacts in the order of the file, or the results of a search. While people are called, the latest changes come
 * first.
 */
export function Contacts(props: { campaignId: string }) {
  const live = useLiveCampaign();
  const params = useParams<{ contactId?: string }>();
  const filters = useFilters("status", "outcome", "search");
  const filter = createMemo(() => filters.values() as ContactFilter, undefined, {
    equals: (a, b) => JSON.stringify(a) === JSON.stringify(b),
  });
  const isCalling = createMemo(() => ["running", "paused"].includes(live.campaign()?.status ?? ""));
  const pages = useInfiniteQuery(() => ({
    ...contactPages(props.campaignId, filter()),
    placeholderData: keepPreviousData,
    refetchInterval: isCalling() && (filter().status || filter().outcome) ? REFETCH_INTERVAL_MS : false,
  }));
  const listed = createMemo(
    () => new Map(pages.data?.pages.flatMap(({ contacts }) => contacts).map((contact) => [contact.id, contact])),
  );

  const [latest, setLatest] = createSignal<string[]>([]);
  /** Rows don't move while the pointer or the focus is on the list. */
  const [isPointedAt, setPointedAt] = createSignal(false);
  const [hasFocus, setFocus] = createSignal(false);
  const follow = () => {
    if (!isPointedAt() && !hasFocus()) setLatest(isCalling() ? (live.board()?.latest ?? []) : []);
  };
  createEffect(on([isCalling, isPointedAt, hasFocus], follow));
  const timer = setInterval(follow, ORDERED_EVERY_MS);
  onCleanup(() => clearInterval(timer));

  const ids = createMemo(() => [...new Set([...(filters.isAny() ? [] : latest()), ...listed().keys()])]);
  const rows = mapArray(ids, (id) => ({
    id,
    contact: createMemo<ShownContact | undefined>(
      (before) => shownContact(listed().get(id), live.board()?.changes.get(id)) ?? before,
      undefined,
      { equals: isSame },
    ),
  }));
  /** Returns the number of contacts; undefined if a search hasn't finished. */
  const count = () => {
    if (!filters.isAny()) return live.campaign()?.total_contacts;
    return pages.data?.pages[0]?.total ?? (pages.hasNextPage ? undefined : listed().size);
  };
  const title = () => {
    if (!filters.isAny() || !pages.data) return t.contacts.title;
    const found = count();
    return found === undefined ? t.contacts.foundSoFar(listed().size) : t.contacts.found(found);
  };
  const none = () => (
    <Empty title={t.contacts.noneTitle} action={<Button onClick={filters.clear}>{t.contacts.showAll}</Button>}>
      {t.contacts.none}
    </Empty>
  );
  const columns = columnsOf(() => live.campaign()?.status);
  return (
    <Section
      title={title()}
      actions={
        <ExportButton
          needs="exportCampaignContacts"
          small
          path={`/api/v1/campaigns/${props.campaignId}/export`}
          filters={filter()}
          file={t.contacts.file(live.campaign()?.name ?? "")}
        />
      }
    >
      <ContactFilters filters={filters} />
      <Loaded query={pages} skeleton={<Skeleton rows lines={8} />}>
        {() => (
          <>
            <div
              role="presentation"
              onPointerEnter={() => setPointedAt(true)}
              onPointerLeave={() => setPointedAt(false)}
              onFocusIn={() => setFocus(true)}
              onFocusOut={() => setFocus(false)}
            >
              <Table
                label={t.contacts.title}
                columns={columns}
                rows={rows()}
                href={({ id }) => `/campaigns/${props.campaignId}/contacts/${id}`}
                isOpen={({ id }) => id === params.contactId}
                empty={filters.isAny() ? none() : <Empty title={t.contacts.emptyTitle}>{t.contacts.empty}</Empty>}
                scrolls
              />
            </div>
            <ShowMore pages={pages} shown={rows().length} total={count()} />
          </>
        )}
      </Loaded>
    </Section>
  );
}
