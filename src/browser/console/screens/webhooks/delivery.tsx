import { For, Show } from "solid-js";
import { formatNumber, formatSentence } from "../../texts/format.ts";
import { webhooks } from "../../texts/index.ts";
import { JsonView } from "../../ui/json-view.tsx";
import { now } from "../../ui/now.ts";
import { Badge, CopiedCode, Facts, Time } from "../../ui/values.tsx";
import type { Delivery } from "./queries.ts";
import { nextStep, toneOf } from "./webhook-state.ts";
import styles from "./webhooks.module.css";

const { deliveries: t } = webhooks;

/** A delivery in two lines: its event and time, and its next step. */
export function Summary(props: { delivery: Delivery }) {
  return (
    <>
      <Badge tone={toneOf(props.delivery)}>{t.statuses[props.delivery.status]}</Badge>
      <span class="muted">
        <Time at={props.delivery.created_at} />
      </span>
      <code>{props.delivery.type}</code>
      <span class="muted">{nextStep(props.delivery, now())}</span>
    </>
  );
}

export function Opened(props: { delivery: Delivery }) {
  return (
    <div class={styles.opened}>
      <Facts
        of={[
          [t.event, () => <CopiedCode text={props.delivery.event_id} />],
          [t.id, () => <CopiedCode text={props.delivery.id} />],
        ]}
      />
      <ol class={styles.attempts} aria-label={t.attempts}>
        <For each={props.delivery.attempts}>
          {(attempt, nth) => (
            <li>
              <div class="spread">
                <Badge tone={attempt.error === null ? "ok" : "bad"}>{attempt.status_code ?? t.noAnswer}</Badge>
                <span class="muted">
                  {t.attempt(nth() + 1)} · <Time at={attempt.at} /> · {t.took(formatNumber(attempt.duration_ms))}
                </span>
              </div>
              <Show when={attempt.error}>{(error) => <p>{formatSentence(error())}</p>}</Show>
              <Show when={attempt.response}>{(text) => <JsonView label={t.response} value={text()} />}</Show>
            </li>
          )}
        </For>
      </ol>
    </div>
  );
}
