import { For, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { callLimits } from "../../api/lists.ts";
import { query } from "../../api/queries.ts";
import { useQuery } from "../../api/use-query.ts";
import { limits as t } from "../../texts/index.ts";
import { Loaded } from "../../ui/feedback.tsx";
import { Card, Page, Section } from "../../ui/page.tsx";
import { Usage, Usages } from "../../ui/usage.tsx";
import { Time } from "../../ui/values.tsx";

type Quota = keyof Body<"Quotas">["quotas"];

const QUOTAS: Quota[] = [
  "agents",
  "tools",
  "playbooks",
  "faqs",
  "api_keys",
  "widget_keys",
  "credentials",
  "numbers",
  "open_campaigns",
  "event_streams",
  "uploads",
  "budgets",
  "versions",
  "conversations",
];

const REFETCH_INTERVAL_MS = 5_000;

export default function Limits() {
  const limits = useQuery(() => Object.assign(callLimits(), { refetchInterval: REFETCH_INTERVAL_MS }));
  const quotas = useQuery(() =>
    Object.assign(
      query(["quotas"], (signal) => data(api.GET("/api/v1/quotas", { signal }))),
      { refetchInterval: REFETCH_INTERVAL_MS },
    ),
  );
  return (
    <Page title={t.title} lead={<Show when={limits.data}>{(now) => <>{t.lead(now().plan)}</>}</Show>}>
      <Section title={t.calls}>
        <Card>
          <Loaded query={limits}>
            {(now) => (
              <Usages>
                <Usage name={t.names.concurrent_calls} {...now().concurrent_calls}>
                  <Show when={now().inbound_reserve > 0}>{t.reserve(now().inbound_reserve)}</Show>
                </Usage>
                <For each={["calls_per_minute", "calls_per_day"] as const}>
                  {(name) => (
                    <Usage name={t.names[name]} used={now()[name].used} limit={now()[name].limit}>
                      {t.resets} <Time at={now()[name].resets_at} ahead />
                    </Usage>
                  )}
                </For>
              </Usages>
            )}
          </Loaded>
        </Card>
      </Section>
      <Section title={t.quotas}>
        <Card>
          <Loaded query={quotas}>
            {(now) => (
              <Usages>
                <For each={QUOTAS}>{(name) => <Usage name={t.names[name]} {...now().quotas[name]} />}</For>
              </Usages>
            )}
          </Loaded>
        </Card>
      </Section>
    </Page>
  );
}
