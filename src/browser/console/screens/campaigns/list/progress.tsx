import { For, Show } from "solid-js";
import { campaigns } from "../../../texts/index.ts";
import type { Campaign } from "../live/campaign-events.ts";
import { doneOf } from "../live/state.ts";
import styles from "./list.module.css";

const t = campaigns.progress;

type Part = keyof typeof t.parts;

export function Progress(props: { campaign: Campaign }) {
  const all = () => props.campaign.total_contacts;
  const parts = (): { part: Part; count: number }[] => {
    const { completed, failed, cancelled, originated, connected, pending } = props.campaign.counts;
    const counts: { part: Part; count: number }[] = [
      { part: "completed", count: completed },
      { part: "failed", count: failed },
      { part: "cancelled", count: cancelled },
      { part: "calling", count: originated + connected },
      { part: "pending", count: pending },
    ];
    return counts.filter(({ count }) => count > 0);
  };
  const words = () => parts().map(({ part, count }) => t.parts[part](count));
  return (
    <Show when={all() > 0} fallback={<span class="muted">{t.none}</span>}>
      <div class={styles.progress} title={words().join(", ")}>
        <div class={styles.bar} role="img" aria-label={words().join(", ")}>
          <For each={parts()}>
            {({ part, count }) => <span class={styles[part]} style={{ "flex-grow": count / all() }} />}
          </For>
        </div>
        <span class={styles.done}>{t.done(doneOf(props.campaign.counts), all())}</span>
      </div>
    </Show>
  );
}
