import { Show } from "solid-js";
import type { StreamState } from "../../../api/event-stream.ts";
import { board as t } from "../../../texts/index.ts";
import { Badge } from "../../../ui/values.tsx";
import type { Campaign } from "../live/campaign-events.ts";
import { STATUS_TONES } from "../live/state.ts";
import styles from "./board.module.css";

/** The campaign's state in a word and a sentence, and whether the page is live. */
export function StateLine(props: { campaign: Campaign; stream: StreamState }) {
  return (
    <div class={styles.stateLine}>
      <span class={styles.state} role="status">
        <Badge tone={STATUS_TONES[props.campaign.status]}>{t.status[props.campaign.status]}</Badge>
      </span>
      <span>{sentence(props.campaign)}</span>
      <Show when={props.stream !== "live" || props.campaign.status === "running"}>
        <span class={styles.stream} data-stream={props.stream}>
          {t.stream[props.stream]}
        </span>
      </Show>
    </div>
  );
}

function sentence({ status, status_reason, counts, total_contacts, scheduled_at, started_at }: Campaign): string {
  const calls = counts.originated + counts.connected;
  if (status_reason === "importing") return t.lead.importing;
  switch (status) {
    case "draft":
      return t.lead.draft(total_contacts);
    case "running":
      return scheduled_at && started_at && Date.parse(scheduled_at) > Date.now()
        ? t.lead.scheduled
        : t.lead.running(calls);
    case "paused":
      return t.lead.paused(calls);
    case "stopped":
      return t.lead.stopped(calls);
    case "completed":
      return t.lead.completed;
  }
}
