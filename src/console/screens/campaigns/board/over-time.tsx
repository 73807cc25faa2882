import { createMemo, createSignal, onCleanup, Show } from "solid-js";
import { formatNumber } from "../../../texts/format.ts";
import { board as t } from "../../../texts/index.ts";
import { Card } from "../../../ui/page.tsx";
import { Plot, type Series } from "../../../ui/plot.tsx";
import { useLiveCampaign } from "../live/live-campaign.ts";
import type { Stretch } from "../live/outcomes-over-time.ts";
import styles from "./board.module.css";

/** How often it is drawn again while things change, ms. */
const DRAWN_EVERY_MS = 1_000;
const MINUTE_MS = 60_000;
const HEIGHT_PX = 180;

/** How calls ended, over the time that the stream has told of. */
export function OverTime() {
  const live = useLiveCampaign();
  const [drawn, setDrawn] = createSignal(live.version());
  const timer = setInterval(() => setDrawn(live.version()), DRAWN_EVERY_MS);
  onCleanup(() => clearInterval(timer));
  const isRunning = createMemo(() => live.campaign()?.status === "running");
  const stretches = createMemo(() => {
    drawn();
    const told = live.board()?.overTime;
    const all = told?.stretches(isRunning() ? Date.now() : undefined) ?? [];
    // The one that is still filling would look like a fall.
    return isRunning() ? all.slice(0, -1) : all;
  });
  const length = () => live.board()?.overTime.length ?? MINUTE_MS;
  const series = createMemo((): Series[] =>
    LINES.map(({ kind, color }) => ({
      label: t.overTime.lines[kind],
      color,
      values: stretches().map((stretch) => (stretch[kind] * MINUTE_MS) / length()),
      format: (value) => formatNumber(Math.round(value)),
      isFilled: kind === "answered",
    })),
  );
  return (
    <Card>
      <div class={styles.cardHeader}>
        <h2>{t.overTime.title}</h2>
        <span class="muted">{t.overTime.unit}</span>
      </div>
      <Show when={stretches().length > 1} fallback={<p class={`muted ${styles.noPlot}`}>{t.overTime.none}</p>}>
        <Plot
          label={t.overTime.summary(sum("answered"), sum("failed"), sum("again"))}
          times={stretches().map(({ at }) => at)}
          series={series()}
          height={HEIGHT_PX}
        />
      </Show>
    </Card>
  );
  function sum(kind: Exclude<keyof Stretch, "at">): number {
    return stretches().reduce((total, stretch) => total + stretch[kind], 0);
  }
}

const LINES = [
  { kind: "answered", color: "--ok" },
  { kind: "failed", color: "--bad" },
  { kind: "again", color: "--muted" },
] as const;
