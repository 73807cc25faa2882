import { A } from "@solidjs/router";
import { For, Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import type { Answer } from "../../api/queries.ts";
import { formatNumber } from "../../texts/format.ts";
import { limits as limitWords, overview as t } from "../../texts/index.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Loaded } from "../../ui/feedback.tsx";
import { Stack } from "../../ui/layout.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { Usage } from "../../ui/usage.tsx";
import { Time } from "../../ui/values.tsx";
import styles from "./overview.module.css";

export function CallsNow(props: { limits: Answer<Body<"CallLimits">> }) {
  return (
    <Section title={t.now}>
      <Card class={styles.fill}>
        <Loaded query={props.limits}>
          {(now) => (
            <div class="stack">
              <Usage name={limitWords.names.concurrent_calls} {...now().concurrent_calls} />
              <Usage name={limitWords.names.calls_per_minute} {...now().calls_per_minute} />
              <Usage name={limitWords.names.calls_per_day} {...now().calls_per_day}>
                {limitWords.resets} <Time at={now().calls_per_day.resets_at} ahead />
              </Usage>
            </div>
          )}
        </Loaded>
      </Card>
    </Section>
  );
}

export function RunningCampaigns(props: { campaigns: Answer<{ campaigns: Body<"Campaign">[] }> }) {
  return (
    <Section title={t.running} actions={<A href="/campaigns">{t.allCampaigns}</A>}>
      <Card class={styles.fill}>
        <Loaded query={props.campaigns}>
          {(found) => (
            <Show when={found().campaigns.filter(({ status }) => status === "running")} fallback={null}>
              {(running) => (
                <Show
                  when={running().length > 0}
                  fallback={
                    <div class={styles.none}>
                      <p class="muted">{t.noneRunning}</p>
                      <LinkButton href="/campaigns/new">{t.newCampaign}</LinkButton>
                    </div>
                  }
                >
                  <Stack as="ul" gap={16}>
                    <For each={running()}>{(campaign) => <Running campaign={campaign} />}</For>
                  </Stack>
                </Show>
              )}
            </Show>
          )}
        </Loaded>
      </Card>
    </Section>
  );
}

function Running(props: { campaign: Body<"Campaign"> }) {
  const done = () => {
    const { completed, failed } = props.campaign.counts;
    return completed + failed;
  };
  const calls = () => props.campaign.counts.originated + props.campaign.counts.connected;
  return (
    <li class={styles.campaign}>
      <div class={styles.campaignHead}>
        <A href={`/campaigns/${props.campaign.id}`}>{props.campaign.name}</A>
        <span class="numbers">{t.progress(formatNumber(done()), formatNumber(props.campaign.total_contacts))}</span>
      </div>
      <progress
        class={styles.progress}
        aria-label={t.progressLabel(props.campaign.name)}
        value={done()}
        max={Math.max(1, props.campaign.total_contacts)}
      />
      <p class="quiet">
        {t.onThePhone(calls())} · {t.reached(formatNumber(props.campaign.counts.completed))}
      </p>
    </li>
  );
}
