import { A } from "@solidjs/router";
import { createSignal, For, Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import type { Answer } from "../../api/queries.ts";
import { overview as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/feedback.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { groupedNumber } from "../../ui/phone-number.ts";
import { Badge } from "../../ui/values.tsx";
import {
  agentsOutOfService,
  doubtfulNumbers,
  endingModels,
  nearCaps,
  pausedCampaigns,
  unreadyIntegrations,
} from "./attention.ts";
import styles from "./overview.module.css";

const SHOWN = 5;

export function NeedsAttention(props: {
  campaigns: Answer<{ campaigns: Body<"Campaign">[] }>;
  integrations: Answer<{ integrations: Body<"Integration">[] }>;
  numbers: Answer<{ numbers: Body<"PhoneNumber">[] }>;
  agents: Answer<Body<"Agent">[]>;
  keys: Answer<Omit<Body<"WidgetKey">, "expires_at">[]>;
  limits: Answer<Body<"CallLimits">>;
  models: Answer<{ models: Body<"LanguageModel">[] }>;
}) {
  const [isAll, setAll] = createSignal(false);
  const of = <T, R>(query: Answer<T>, items: (data: T) => R[]) => {
    const data = query.data;
    return data === undefined ? [] : items(data);
  };
  const items = () => [
    ...of(props.limits, nearCaps),
    ...of(props.campaigns, ({ campaigns }) => pausedCampaigns(campaigns)),
    ...agentsOutOfService(
      { agents: props.agents.data ?? [], numbers: props.numbers.data?.numbers ?? [], keys: props.keys.data ?? [] },
      groupedNumber,
    ),
    ...of(props.numbers, ({ numbers }) => doubtfulNumbers(numbers, groupedNumber)),
    ...of(props.models, ({ models }) => endingModels(models, props.agents.data ?? [], Date.now())),
    ...of(props.integrations, ({ integrations }) => unreadyIntegrations(integrations)),
  ];
  const all = () =>
    [props.limits, props.campaigns, props.numbers, props.integrations, props.agents, props.keys, props.models] as const;
  const failed = () => all().find(({ isLoadingError }) => isLoadingError);
  const isLoaded = () => all().every((query) => query.data !== undefined);
  const shown = () => (isAll() ? items() : items().slice(0, SHOWN));
  return (
    <Section title={t.attention}>
      <Show when={failed()}>
        {(answer) => <Failure error={answer().error} retry={() => void answer().refetch()} />}
      </Show>
      <Show
        when={items().length > 0}
        fallback={
          <Show when={isLoaded()}>
            <Badge tone="ok">{t.allWell}</Badge>
          </Show>
        }
      >
        <Card class={styles.attention}>
          <ul class={styles.items}>
            <For each={shown()}>
              {(item) => (
                <li class={styles.item}>
                  <Badge tone={item.tone}>
                    <span class={styles.words}>
                      <strong>{item.about}</strong> {item.words}
                    </span>
                  </Badge>
                  <A href={item.href}>{item.verb}</A>
                </li>
              )}
            </For>
          </ul>
          <Show when={items().length > shown().length}>
            <div>
              <Button small kind="quiet" onClick={() => setAll(true)}>
                {t.more(items().length - shown().length)}
              </Button>
            </div>
          </Show>
        </Card>
      </Show>
    </Section>
  );
}
