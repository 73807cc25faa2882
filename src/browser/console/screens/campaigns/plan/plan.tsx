import { useParams } from "@solidjs/router";
import { For, Show } from "solid-js";
import { seesContacts } from "../../../api/may.ts";
import { useQuery } from "../../../api/use-query.ts";
import { campaignPlan as t } from "../../../texts/index.ts";
import { Loaded, Note } from "../../../ui/feedback.tsx";
import { Stack } from "../../../ui/layout.tsx";
import { Hidden } from "../../../ui/not-allowed.tsx";
import { now } from "../../../ui/now.ts";
import { Card, Section } from "../../../ui/page.tsx";
import { groupedNumber } from "../../../ui/phone-number.ts";
import { Facts, Time } from "../../../ui/values.tsx";
import { campaignById, campaignPlan, type Plan } from "../live/queries.ts";
import styles from "./plan.module.css";
import { Preflight } from "./preflight.tsx";

const REFETCH_INTERVAL_MS = 10_000;
/** What contacts wait for, in order of display. */
const WAITING = ["ready", "cap", "window", "schedule", "retry", "do_not_call"] as const;

const isOver = ({ status }: Plan): boolean => status === "stopped" || status === "completed";

export default function CampaignPlan() {
  const params = useParams<{ id: string }>();
  const campaign = useQuery(() => campaignById(params.id));
  const plan = useQuery(() => ({
    ...campaignPlan(params.id),
    refetchInterval: ({ state }) => (state.data?.status === "running" ? REFETCH_INTERVAL_MS : false),
  }));
  return (
    <Loaded query={campaign}>
      {(found) => (
        <Loaded query={plan}>
          {(forecast) => (
            <Stack gap={28} max={960}>
              <Preflight campaign={found()} plan={forecast()} reload={() => plan.refetch()} />
              <Show when={!isOver(forecast())}>
                <Samples plan={forecast()} hasAgent={found().agent_id !== null} />
                <Forecast plan={forecast()} />
              </Show>
            </Stack>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

function Samples(props: { plan: Plan; hasAgent: boolean }) {
  return (
    <Show when={props.plan.samples.length > 0}>
      <Section title={t.samples}>
        <p class="muted">{props.hasAgent ? t.samplesLead : t.noGreeting}</p>
        <ul class={styles.samples}>
          <For each={props.plan.samples}>
            {(sample) => (
              <li>
                <Card>
                  <div>
                    <strong>{groupedNumber(sample.phone_number)}</strong>{" "}
                    <span class="muted">{t.clock(sample.timezone)}</span>
                  </div>
                  <Show
                    when={sample.greeting !== null}
                    fallback={props.hasAgent && !seesContacts() && <Hidden contacts />}
                  >
                    <blockquote class={styles.greeting}>
                      {sample.greeting || <span class="muted">{t.silent}</span>}
                    </blockquote>
                  </Show>
                  <Show when={sample.missing_variables.length > 0}>
                    <p class={styles.missing}>
                      {t.missing(sample.missing_variables.map((name) => `{{${name}}}`).join(", "))}
                    </p>
                  </Show>
                </Card>
              </li>
            )}
          </For>
        </ul>
      </Section>
    </Show>
  );
}

function Forecast(props: { plan: Plan }) {
  const waiting = () => WAITING.filter((why) => props.plan.waiting[why] > 0);
  const isEmpty = () => waiting().length === 0;
  const never = () => (isEmpty() ? t.forecast.nobody : t.forecast.never);
  const assumed = () => {
    const { concurrent_calls, calls_per_minute, calls_per_day, call_seconds } = props.plan.assumptions;
    return t.forecast.assumed(concurrent_calls, calls_per_minute, calls_per_day, call_seconds);
  };
  return (
    <>
      <Section title={t.forecast.title}>
        <Facts
          of={[
            [
              props.plan.status === "draft" ? t.forecast.next : t.forecast.nextAgain,
              () => (
                <Show when={props.plan.next_dial_at} fallback={never()}>
                  {(at) => (
                    <Show
                      when={Date.parse(at()) > now()}
                      fallback={t.forecast.atOnce[props.plan.status === "running" ? "running" : "atRest"]}
                    >
                      <Time at={at()} ahead />
                    </Show>
                  )}
                </Show>
              ),
            ],
            [
              t.forecast.finishes,
              () => (
                <Show when={props.plan.finishes_at} fallback={never()}>
                  {(at) => <Time at={at()} ahead />}
                </Show>
              ),
            ],
          ]}
        />
        <p class="muted">{assumed()}</p>
      </Section>
      <Section title={t.waiting.title}>
        <Show when={!isEmpty()} fallback={<p class="muted">{t.waiting.none}</p>}>
          <ul class={styles.list}>
            <For each={waiting()}>{(why) => <li>{t.waiting[why](props.plan.waiting[why])}</li>}</For>
          </ul>
        </Show>
      </Section>
      <Show when={props.plan.timezones.length > 0}>
        <Section title={t.zones.title}>
          <ul class={styles.list}>
            <For each={props.plan.timezones}>
              {({ timezone, contacts, source }) => (
                <li>
                  <strong>{timezone?.replaceAll("_", " ") ?? t.zones.others}</strong> {t.zones.contacts(contacts)}{" "}
                  <Show when={timezone !== null}>
                    <span class="muted">({source === "campaign" ? t.zones.campaign : t.zones.own})</span>
                  </Show>
                </li>
              )}
            </For>
          </ul>
        </Section>
      </Show>
      <Show when={props.plan.finishes_at === null && !isEmpty()}>
        <Note tone="warn">
          <p>{t.forecast.never}</p>
        </Note>
      </Show>
    </>
  );
}
