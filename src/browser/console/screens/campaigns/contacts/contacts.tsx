import { useHref, useLocation, useParams, useResolvedPath } from "@solidjs/router";
import { createEffect, createMemo, createSignal, on, onCleanup, Show } from "solid-js";
import { board as t } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { ExportButton } from "../../../ui/export-button.tsx";
import { Empty, Failure, Skeleton } from "../../../ui/feedback.tsx";
import { useFilters } from "../../../ui/filters.ts";
import { Pause, Play } from "../../../ui/icons.tsx";
import { Section } from "../../../ui/page.tsx";
import { useLiveCampaign } from "../live/live-campaign.ts";
import type { NewestFirst, Row } from "../live/newest-first.ts";
import { ContactFilters } from "./contact-filters.tsx";
import { type ContactFilter, pagedContacts, searchedContacts } from "./contact-source.ts";
import { ContactTable } from "./contact-table.tsx";
import { shownContact } from "./shown-contact.ts";

/** How often the order follows what changed: rows that move more often cannot be read, ms. */
const ORDERED_EVERY_MS = 1_000;
/** How often a filtered list is refetched while things change, ms. */
const REFETCH_INTERVAL_MS = 3_000;

/** All contacts, who changed last before all; or those that are looked for, in the order of the file. */
export function Contacts(props: { campaignId: string }) {
  const filters = useFilters("status", "outcome", "search");
  const filter = createMemo(() => filters.values() as ContactFilter, undefined, {
    equals: (a, b) => JSON.stringify(a) === JSON.stringify(b),
  });
  return (
    <Show when={filter()} keyed>
      {(narrowed) => <List campaignId={props.campaignId} filter={narrowed} filters={filters} />}
    </Show>
  );
}

interface Props {
  campaignId: string;
  filter: ContactFilter;
  filters: ReturnType<typeof useFilters<"status" | "outcome" | "search">>;
}

function List(props: Props) {
  const live = useLiveCampaign();
  const params = useParams<{ contactId?: string }>();
  const location = useLocation();
  const panels = useHref(useResolvedPath(() => `/campaigns/${props.campaignId}/contacts/`));
  const { campaignId, filter } = props;
  const isNarrowed = Object.keys(filter).length > 0;
  const isSearch = filter.search !== undefined || filter.outcome !== undefined;
  const source = isSearch ? searchedContacts(campaignId, filter) : pagedContacts(campaignId, filter);
  /** Whether events can change which contacts are listed; a text search is not affected. */
  const canChange = filter.status !== undefined || filter.outcome !== undefined;
  const [order, setOrder] = createSignal<NewestFirst>();
  const [isHeld, setHeld] = createSignal(false);
  const [isIdle, setIdle] = createSignal(true);
  const [toTop, setToTop] = createSignal(0);
  const status = createMemo(() => live.campaign()?.status);
  const hasBoard = createMemo(() => live.board() !== undefined);
  /** Changes that the order does not show. */
  const unseen = createMemo(() => (order() ? (live.board()?.newestFirst.moves ?? 0) - (order()?.moves ?? 0) : 0));

  const isCalling = () => status() === "running" || status() === "paused";
  const follow = () => {
    const newest = live.board()?.newestFirst;
    if (isNarrowed || !newest || isHeld() || !isIdle() || newest.moves === order()?.moves) return;
    if (order() || (isCalling() && newest.size > 0)) setOrder(newest.copy());
  };
  createEffect(on([status, hasBoard, isHeld, isIdle], follow));
  let fetchedVersion = live.version();
  /** Nothing moves under somebody who is further down. */
  const ask = () => {
    if (!canChange || !isIdle() || fetchedVersion === live.version()) return;
    fetchedVersion = live.version();
    source.refresh();
  };
  const timers = [setInterval(follow, ORDERED_EVERY_MS), setInterval(ask, REFETCH_INTERVAL_MS)];
  onCleanup(() => timers.forEach(clearInterval));
  createEffect(on(live.repairs, () => source.refresh(), { defer: true }));

  const row = (index: number): Row => {
    const at = order()?.at(index) ?? { place: index };
    return at.id === undefined ? { place: at.place, id: source.at(at.place)?.id } : at;
  };
  const contact = ({ place, id }: Row) => {
    const listed = source.at(place);
    return shownContact(listed?.id === id ? listed : undefined, live.board()?.changes.get(id ?? ""));
  };
  const count = () => (isNarrowed ? source.count() : (live.campaign()?.total_contacts ?? source.count()));
  const title = () => {
    const found = count();
    if (found === undefined || !isNarrowed) return t.contacts.title;
    return source.isCounted() ? t.contacts.found(found) : t.contacts.foundSoFar(found);
  };
  const release = () => {
    setHeld(false);
    setIdle(true);
    setToTop((before) => before + 1);
  };
  return (
    <Section
      title={title()}
      actions={
        <>
          <ExportButton
            needs="exportCampaignContacts"
            small
            path={`/api/v1/campaigns/${campaignId}/export`}
            filters={filter}
            file={t.contacts.file(live.campaign()?.name ?? "")}
          />
          <Show when={order() && isCalling()}>
            <Show
              when={isHeld() || !isIdle()}
              fallback={
                <Button small icon={Pause} onClick={() => setHeld(true)}>
                  {t.contacts.hold}
                </Button>
              }
            >
              <Button small icon={Play} onClick={release}>
                {t.contacts.release(unseen())}
              </Button>
            </Show>
          </Show>
        </>
      }
    >
      <ContactFilters filters={props.filters} />
      <Show when={source.failure()}>
        <Failure error={source.failure()} retry={() => source.refresh()} />
      </Show>
      <Show when={count() !== undefined || source.failure()} fallback={<Skeleton rows lines={8} />}>
        <Show when={count()} fallback={<NobodyHere isNarrowed={isNarrowed} clear={props.filters.clear} />}>
          {(found) => (
            <ContactTable
              count={found()}
              row={row}
              contact={contact}
              href={(id) => `${panels()}${id}${location.search}`}
              openId={params.contactId}
              onSeen={source.want}
              onIdle={setIdle}
              toTop={toTop()}
            />
          )}
        </Show>
      </Show>
    </Section>
  );
}

function NobodyHere(props: { isNarrowed: boolean; clear: () => void }) {
  return (
    <Show when={props.isNarrowed} fallback={<Empty title={t.contacts.emptyTitle}>{t.contacts.empty}</Empty>}>
      <Empty title={t.contacts.noneTitle} action={<Button onClick={() => props.clear()}>{t.contacts.showAll}</Button>}>
        {t.contacts.none}
      </Empty>
    </Show>
  );
}
