import { A } from "@solidjs/router";
import { For, Show } from "solid-js";
import { formatDuration } from "../../../texts/format.ts";
import { codeInWords, board as t } from "../../../texts/index.ts";
import { Row } from "../../../ui/layout.tsx";
import { Badge, Time } from "../../../ui/values.tsx";
import type { ContactDetail } from "../live/queries.ts";
import styles from "./contacts.module.css";

type Attempt = ContactDetail["attempts"][number];

/** The calls to a contact, latest first. */
export function Attempts(props: { attempts: Attempt[] }) {
  return (
    <Show when={props.attempts.length > 0} fallback={<p class="muted">{t.contact.noCalls}</p>}>
      <ol class="stack-12" reversed>
        <For each={props.attempts.toReversed()}>{(attempt) => <Call attempt={attempt} />}</For>
      </ol>
    </Show>
  );
}

function Call(props: { attempt: Attempt }) {
  return (
    <li class={styles.attempt}>
      <Row gap={[4, 12]} justify="space-between">
        <Badge tone={props.attempt.outcome === null ? "live" : props.attempt.outcome === "answered" ? "ok" : "bad"}>
          {t.outcomeOf(props.attempt.outcome) ?? t.contact.goesOn}
        </Badge>
        <span class="muted">
          {t.contact.call(props.attempt.attempt)} · <Time at={props.attempt.dialled_at} />
        </span>
      </Row>
      <p class="muted">{lengths(props.attempt)}</p>
      <Show when={props.attempt.outcome !== "answered" && props.attempt.reason}>
        {(reason) => <p class="muted">{codeInWords(reason())}</p>}
      </Show>
      <Show when={props.attempt.disposition}>
        {(disposition) => (
          <p class="muted">
            {t.contact.disposition}: {codeInWords(disposition())}
          </p>
        )}
      </Show>
      <Row as="p" gap={[4, 12]}>
        <A href={`/calls/${props.attempt.call_id}`}>{t.contact.toCall}</A>
        <Show when={props.attempt.conversation_id}>
          {(id) => <A href={`/conversations/${id()}`}>{t.contact.toConversation}</A>}
        </Show>
      </Row>
    </li>
  );
}

/** Returns how long the phone rang and how long the call lasted, as far as known. */
function lengths({ dialled_at, connected_at, ended_at, message_left }: Attempt): string {
  const between = (from: string, to: string) => formatDuration((Date.parse(to) - Date.parse(from)) / 1000);
  const rangUntil = connected_at ?? ended_at;
  return [
    rangUntil && t.contact.rang(between(dialled_at, rangUntil)),
    connected_at && ended_at && t.contact.talked(between(connected_at, ended_at)),
    message_left && t.contact.messageLeft,
  ]
    .filter((words) => typeof words === "string")
    .join(" · ");
}
