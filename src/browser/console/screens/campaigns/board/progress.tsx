import { A } from "@solidjs/router";
import { createEffect, createMemo, For, on, onCleanup, Show } from "solid-js";
import { useQuery } from "../../../api/use-query.ts";
import { formatNumber, formatShare } from "../../../texts/format.ts";
import { board as t } from "../../../texts/index.ts";
import { Row } from "../../../ui/layout.tsx";
import { Card } from "../../../ui/page.tsx";
import type { Campaign } from "../live/campaign-events.ts";
import { failedByOutcome } from "../live/queries.ts";
import { doneOf } from "../live/state.ts";
import styles from "./board.module.css";
import { segments } from "./segments.ts";

const REFETCH_INTERVAL_MS = 3_000;

export function Progress(props: { campaign: Campaign }) {
  const failed = useQuery(() => {
    const query = failedByOutcome(props.campaign.id);
    return { ...query, enabled: props.campaign.counts.failed > 0 };
  });
  const count = createMemo(() => props.campaign.counts.failed);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void failed.refetch();
    }, REFETCH_INTERVAL_MS);
  };
  createEffect(on(count, ask, { defer: true }));
  onCleanup(() => clearTimeout(timer));
  const parts = createMemo(() => segments(props.campaign, failed.data ?? {}));
  const kinds = createMemo(() => parts().map(({ kind }) => kind), undefined, { equals: (a, b) => `${a}` === `${b}` });
  const part = (kind: string) => parts().find((each) => each.kind === kind);
  const done = () => doneOf(props.campaign.counts);
  return (
    <Show when={props.campaign.total_contacts > 0}>
      <Card class={styles.card}>
        <div class="spread">
          <h2>{t.progress.title}</h2>
          <span class={styles.amount}>
            {t.progress.done(done(), props.campaign.total_contacts)}
            <span class="muted"> · {formatShare(done() / props.campaign.total_contacts)}</span>
          </span>
        </div>
        <div class={styles.bar} aria-hidden="true">
          <For each={kinds()}>
            {(kind) => <span class={styles.part} data-kind={kind} style={{ "flex-grow": part(kind)?.count ?? 0 }} />}
          </For>
        </div>
        <Row as="ul" gap={[4, 20]} aria-label={t.progress.title}>
          <For each={kinds()}>
            {(kind) => (
              <li class={styles.entry}>
                <span class={styles.mark} data-kind={kind} aria-hidden="true" />
                <Show when={part(kind)?.query} fallback={<span>{t.progress.parts[kind]}</span>}>
                  {(query) => (
                    <A href={`/campaigns/${props.campaign.id}${query()}`} class={styles.lookUp}>
                      {t.progress.parts[kind]}
                    </A>
                  )}
                </Show>
                <span class={styles.amount}>{formatNumber(part(kind)?.count ?? 0)}</span>
              </li>
            )}
          </For>
        </Row>
      </Card>
    </Show>
  );
}
