import { A } from "@solidjs/router";
import { createEffect, on, onCleanup, Show } from "solid-js";
import { callLimits } from "../../../api/lists.ts";
import { useQuery } from "../../../api/use-query.ts";
import { formatNumber } from "../../../texts/format.ts";
import { board as t } from "../../../texts/index.ts";
import { Grid } from "../../../ui/layout.tsx";
import { now } from "../../../ui/now.ts";
import { Card } from "../../../ui/page.tsx";
import { Bar } from "../../../ui/usage.tsx";
import { Time } from "../../../ui/values.tsx";
import type { Campaign } from "../live/campaign-events.ts";
import styles from "./board.module.css";

const REFETCH_INTERVAL_MS = 5_000;
/** Delay before it is refetched after the campaign's own calls changed, ms. */
const REFETCH_AFTER_MS = 1_000;
/** Age from which figures show their age, ms. */
const AGED_MS = 15_000;

export function CallsNow(props: { campaign: Campaign }) {
  const calls = () => props.campaign.counts.originated + props.campaign.counts.connected;
  let timer: ReturnType<typeof setTimeout> | undefined;
  createEffect(
    on(
      calls,
      () => {
        timer ??= setTimeout(() => {
          timer = undefined;
          void limits.refetch();
        }, REFETCH_AFTER_MS);
      },
      { defer: true },
    ),
  );
  onCleanup(() => clearTimeout(timer));
  const limits = useQuery(() => Object.assign(callLimits(), { refetchInterval: REFETCH_INTERVAL_MS }));
  return (
    <Card class={styles.card}>
      <div class="spread">
        <h2>{t.calls.title}</h2>
        <A href="/limits" class="quiet">
          {t.calls.limits}
        </A>
      </div>
      <dl class="stack-12">
        <Meter name={t.calls.campaign} used={calls()} limit={props.campaign.max_concurrency} />
        <Show when={limits.data}>
          {(found) => (
            <>
              <Meter
                name={t.calls.account}
                used={Math.max(found().concurrent_calls.used, calls())}
                limit={found().concurrent_calls.limit}
              />
              <Meter
                name={t.calls.minute}
                used={found().calls_per_minute.used}
                limit={found().calls_per_minute.limit}
              />
              <Meter name={t.calls.day} used={found().calls_per_day.used} limit={found().calls_per_day.limit} />
              <Show when={now() - limits.dataUpdatedAt > AGED_MS}>
                <div class="muted">
                  {t.calls.asOf} <Time at={new Date(limits.dataUpdatedAt).toISOString()} />
                </div>
              </Show>
            </>
          )}
        </Show>
      </dl>
    </Card>
  );
}

/** Usage of a limit; null if there is none. */
function Meter(props: { name: string; used: number; limit: number | null }) {
  const share = () => (props.limit ? Math.min(1, props.used / props.limit) : 0);
  return (
    <Grid columns="minmax(0, 1fr) auto" gap={[4, 12]}>
      <dt>{props.name}</dt>
      <dd class={styles.amount}>
        {props.limit === null ? t.calls.free(props.used) : t.calls.of(props.used, formatNumber(props.limit))}
      </dd>
      <dd class={styles.meterBar}>
        <Bar share={share()} />
      </dd>
    </Grid>
  );
}
