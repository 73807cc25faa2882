import { keepPreviousData } from "@tanstack/query-core";
import { createSignal, For, Show } from "solid-js";
import { api, data } from "../../api/client.ts";
import { useInfiniteQuery, useQuery } from "../../api/use-query.ts";
import { webhooks } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Loaded, Skeleton } from "../../ui/feedback.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { useFilters } from "../../ui/filters.ts";
import { optionsOf } from "../../ui/options.ts";
import { FilterBar } from "../../ui/page.tsx";
import { distinct } from "../../ui/pages.ts";
import { sameRows } from "../../ui/same-rows.ts";
import { ShowMore } from "../../ui/show-more.tsx";
import { notify, notifyFailure } from "../../ui/toast.tsx";
import { Opened, Summary } from "./delivery.tsx";
import { type Delivery, deliveryPages, eventTypeList, FILTERS, type Webhook, webhooksChanged } from "./queries.ts";
import styles from "./webhooks.module.css";

const { deliveries: t } = webhooks;
/** How often the list is refetched, ms: more often while a delivery is being sent. */
const REFETCH_INTERVAL_MS = 15_000;
const SOON_MS = 3_000;

/** Past and pending deliveries with all attempts, newest first. */
export function Deliveries(props: { webhook: Webhook }) {
  const filters = useFilters(...FILTERS);
  const types = useQuery(eventTypeList);
  const pages = useInfiniteQuery(() => ({
    ...deliveryPages(props.webhook.id, filters.values()),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ deliveries }) => deliveries.some(isUnderWay)) ? SOON_MS : REFETCH_INTERVAL_MS,
  }));
  return (
    <>
      <FilterBar>
        <SelectField
          label={t.status}
          {...filters.field("status")}
          options={[{ value: "", label: t.anyStatus }, ...optionsOf<string>(t.statuses)]}
        />
        <SelectField
          label={t.type}
          {...filters.field("type")}
          options={[
            { value: "", label: t.anyType },
            ...(types.data ?? []).map(({ type }) => ({ value: type, label: type })),
          ]}
        />
      </FilterBar>
      <Loaded query={pages} skeleton={<Skeleton rows lines={5} />}>
        {(found) => {
          const listed = () =>
            distinct(
              found().pages.flatMap(({ deliveries }) => deliveries),
              idOf,
            );
          return (
            <Show when={listed().length > 0} fallback={<Nothing filters={filters} />}>
              <List webhook={props.webhook} deliveries={listed()} />
              <ShowMore pages={pages} shown={listed().length} />
            </Show>
          );
        }}
      </Loaded>
    </>
  );
}

const idOf = ({ id }: Delivery): string => id;
/** Checks whether the first attempt is still in progress. */
const isUnderWay = ({ status, attempts }: Delivery): boolean => status === "pending" && attempts.length === 0;

function List(props: { webhook: Webhook; deliveries: Delivery[] }) {
  const [opened, setOpened] = createSignal<ReadonlySet<string>>(new Set());
  const setOpen = (id: string, isOpen: boolean) => {
    const others = [...opened()].filter((each) => each !== id);
    setOpened(new Set(isOpen ? [...others, id] : others));
  };
  const rows = sameRows(() => props.deliveries, idOf);
  return (
    <ul class={styles.deliveries} aria-label={webhooks.parts.deliveries}>
      <For each={rows()}>
        {(delivery) => (
          <li>
            <details
              open={opened().has(delivery.id)}
              onToggle={(event) => setOpen(delivery.id, event.currentTarget.open)}
            >
              <summary class={styles.summary}>
                <Summary delivery={delivery} />
              </summary>
              <Show when={opened().has(delivery.id)}>
                <Opened delivery={delivery} />
                <Resend webhook={props.webhook} id={delivery.id} />
              </Show>
            </details>
          </li>
        )}
      </For>
    </ul>
  );
}

function Resend(props: { webhook: Webhook; id: string }) {
  const [isBusy, setBusy] = createSignal(false);
  const resend = async () => {
    setBusy(true);
    try {
      const params = { path: { id: props.webhook.id, deliveryId: props.id } };
      await data(api.POST("/api/v1/webhooks/{id}/deliveries/{deliveryId}/resend", { params }));
      notify(t.resending);
      await webhooksChanged();
    } catch (error) {
      notifyFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class={styles.resend}>
      <Button
        small
        needs="resendWebhookDelivery"
        busy={isBusy()}
        disabled={props.webhook.status === "disabled"}
        onClick={() => void resend()}
      >
        {t.resend}
      </Button>
    </div>
  );
}

function Nothing(props: { filters: { isAny: () => boolean; clear: () => void } }) {
  return (
    <Show when={props.filters.isAny()} fallback={<Empty title={t.emptyTitle}>{t.empty}</Empty>}>
      <Empty title={t.nothingTitle} action={<Button onClick={() => props.filters.clear()}>{t.clear}</Button>}>
        {t.nothing}
      </Empty>
    </Show>
  );
}
