import { createEffect, createMemo, on, Show } from "solid-js";
import { api, data } from "../../api/client.ts";
import { queries, query } from "../../api/queries.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatNumber } from "../../texts/format.ts";
import { erasures as t } from "../../texts/index.ts";
import { Loaded, Note } from "../../ui/feedback.tsx";
import { ById, Section, SidePanel } from "../../ui/page.tsx";
import { CopiedCode, type Fact, Facts, Time } from "../../ui/values.tsx";
import { type Erasure, ErasureStatus, personIn, REFETCH_INTERVAL_MS } from "./erasures.tsx";

type Kind = keyof Erasure["counts"];
const KINDS = Object.keys(t.kinds) as Kind[];

const erasureById = (id: string) =>
  query(["erasures", id], (signal) => data(api.GET("/api/v1/erasures/{id}", { params: { path: { id } }, signal })));

export default function ReceiptPanel() {
  return <ById>{(id) => <Receipt id={id} />}</ById>;
}

function Receipt(props: { id: string }) {
  const found = useQuery(() =>
    Object.assign(erasureById(props.id), {
      refetchInterval: ({ state }: { state: { data: Erasure | undefined } }) =>
        state.data?.status === "pending" ? REFETCH_INTERVAL_MS : (false as const),
    }),
  );
  const current = () => found.data;
  // Keeps the list consistent with the panel.
  const status = createMemo(() => current()?.status);
  createEffect(
    on(status, () => void queries.invalidateQueries({ queryKey: ["erasures"], exact: true }), { defer: true }),
  );
  const title = () => {
    const erasure = current();
    return erasure ? personIn(erasure) : t.one;
  };
  return (
    <SidePanel
      title={title()}
      lead={<Show when={current()}>{(erasure) => <ErasureStatus erasure={erasure()} />}</Show>}
      closeTo="/privacy"
    >
      <Loaded query={found}>
        {(erasure) => (
          <>
            <Show when={erasure().status === "pending"}>
              <Note tone="info">{t.pending}</Note>
            </Show>
            <Section title={t.erased}>
              <Show
                when={countsOf(erasure()).length > 0}
                fallback={<p class="muted">{erasure().status === "complete" ? t.nothing : t.nothingYet}</p>}
              >
                <Facts of={countsOf(erasure())} />
              </Show>
              <Show when={erasure().counts.carrier_recordings_kept > 0}>
                <Note tone="warn">{t.keptByCarrier}</Note>
              </Show>
            </Section>
            <Section title={t.restore}>
              <p>{t.restoreBody}</p>
              <Facts
                of={erasure().kept_by_restore.map(
                  ({ what, days, until }): Fact => [
                    t.stores[what],
                    () => (until === null ? t.days(formatNumber(days)) : <Time at={until} />),
                  ],
                )}
              />
            </Section>
            <Facts
              of={[
                [t.columns.requested, () => <Time at={erasure().created_at} />],
                [t.completed, () => erasure().completed_at && <Time at={erasure().completed_at} />],
                [t.id, () => <CopiedCode text={erasure().id} />],
              ]}
            />
          </>
        )}
      </Loaded>
    </SidePanel>
  );
}

/** Returns how much was erased by kind, without zeros. */
function countsOf({ counts }: Erasure): Fact[] {
  return KINDS.filter((kind) => counts[kind] > 0).map((kind) => [t.kinds[kind], () => formatNumber(counts[kind])]);
}
