import { A } from "@solidjs/router";
import { For, Show } from "solid-js";
import { MINUTE_MS } from "../../../../../kernel/time.ts";
import { useQuery } from "../../../api/use-query.ts";
import { board as t } from "../../../texts/index.ts";
import { Loaded } from "../../../ui/feedback.tsx";
import { Stack } from "../../../ui/layout.tsx";
import { Card } from "../../../ui/page.tsx";
import { Time } from "../../../ui/values.tsx";
import type { Campaign } from "../live/campaign-events.ts";
import { campaignPlan, type Plan } from "../live/queries.ts";
import styles from "./board.module.css";
import { waitingNow } from "./waiting-now.ts";

/** How often the reasons for waiting are fetched, ms. They are expensive for very long lists. */
const REFETCH_INTERVAL_MS = 15_000;
const MANY_REFETCH_INTERVAL_MS = MINUTE_MS;
const MANY = 20_000;

export function WhyTheyWait(props: { campaign: Campaign }) {
  const everyMs = () => (props.campaign.counts.pending > MANY ? MANY_REFETCH_INTERVAL_MS : REFETCH_INTERVAL_MS);
  const plan = useQuery(() => {
    const query = campaignPlan(props.campaign.id);
    return { ...query, refetchInterval: props.campaign.status === "running" ? everyMs() : false };
  });
  return (
    <Card class={styles.card}>
      <div class="spread">
        <h2>{t.waiting.title}</h2>
        <A href={`/campaigns/${props.campaign.id}/plan`} class="quiet">
          {t.waiting.plan}
        </A>
      </div>
      <Loaded query={plan}>
        {(found) => (
          <Stack as="ul" gap={6}>
            <For each={sentences(props.campaign, waitingNow(found().waiting, props.campaign.counts.pending))}>
              {(words) => <li>{words}</li>}
            </For>
            <Show when={props.campaign.status === "running" && found().finishes_at}>
              {(at) => (
                <li class="muted">
                  {t.waiting.finishes} <Time at={at()} ahead />
                </li>
              )}
            </Show>
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}

function sentences({ status }: Campaign, waiting: Plan["waiting"]): string[] {
  const isRunning = status === "running";
  const atOnce = waiting.cap + waiting.ready;
  const parts = [
    waiting.schedule > 0 && t.waiting.schedule(waiting.schedule),
    waiting.window > 0 && t.waiting.window(waiting.window),
    waiting.retry > 0 && t.waiting.retry(waiting.retry),
    isRunning && waiting.cap > 0 && t.waiting.cap(waiting.cap),
    isRunning && waiting.ready > 0 && t.waiting.next(waiting.ready),
    !isRunning && atOnce > 0 && t.waiting.paused(atOnce),
    waiting.do_not_call > 0 && t.waiting.doNotCall(waiting.do_not_call),
  ].filter((words) => words !== false);
  return parts.length > 0 ? parts : [t.waiting.nobody];
}
