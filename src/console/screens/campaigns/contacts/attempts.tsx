import { A } from "@solidjs/router";
import { For, Show } from "solid-js";
import { formatDuration } from "../../../texts/format.ts";
import { board as t } from "../../../texts/index.ts";
import { Badge, Time } from "../../../ui/values.tsx";
import type { ContactDetail } from "../live/queries.ts";
import styles from "./contacts.module.css";

type Attempt = ContactDetail["attempts"][number];

/** The calls to a contact, the latest first, with what happened when. */
export function Attempts(props: { attempts: Attempt[] }) {
  return (
    <Show when={props.attempts.length > 0} fallback={<p class="muted">{t.contact.noCalls}</p>}>
      <ol class={styles.attempts} reversed>
        <For each={props.attempts.toReversed()}>{(attempt) => <Call attempt={attempt} />}</For>
      </ol>
    </Show>
  );
}

function Call(props: { attempt: Attempt }) {
  const seconds = () => {
    const { connected_at, ended_at } = props.attempt;
    return connected_at && ended_at ? (Date.parse(ended_at) - Date.parse(connected_at)) / 1000 : undefined;
  };
  return (
    <li class={styles.attempt}>
      <div class={styles.attemptHead}>
        <Badge tone={props.attempt.outcome === null ? "live" : props.attempt.outcome === "answered" ? "ok" : "bad"}>
          {t.outcomeOf(props.attempt.outcome) ?? t.contact.goesOn}
        </Badge>
        <span class="muted">
          {t.contact.call(props.attempt.attempt)} · <Time at={props.attempt.dialled_at} />
          <Show when={seconds()}>{(length) => <> · {formatDuration(length())}</>}</Show>
        </span>
      </div>
      <ul class={styles.steps}>
        <For each={stepsOf(props.attempt)}>
          {({ words, at }) => (
            <li>
              {words} <Time at={at} />
            </li>
          )}
        </For>
      </ul>
      <Show when={props.attempt.outcome !== "answered" && props.attempt.reason}>
        {(reason) => <p class="muted">{t.contacts.reasons[reason()] ?? reason()}</p>}
      </Show>
      <Show when={props.attempt.disposition}>
        {(disposition) => (
          <p class="muted">
            {t.contact.disposition}: {disposition()}
          </p>
        )}
      </Show>
      <p class={styles.links}>
        <A href={`/calls/${props.attempt.call_id}`}>{t.contact.toCall}</A>
        <Show when={props.attempt.conversation_id}>
          {(id) => <A href={`/conversations/${id()}`}>{t.contact.toConversation}</A>}
        </Show>
      </p>
    </li>
  );
}

/** What happened in a call, in order. */
function stepsOf({ dialled_at, connected_at, ended_at, message_left }: Attempt): { words: string; at: string }[] {
  return [
    { words: t.contact.steps.dialled, at: dialled_at },
    ...(connected_at ? [{ words: t.contact.steps.connected, at: connected_at }] : []),
    ...(ended_at ? [{ words: message_left ? t.contact.steps.messageLeft : t.contact.steps.ended, at: ended_at }] : []),
  ];
}
