import { createMemo, createSignal, onCleanup, Show } from "solid-js";
import { MINUTE_MS } from "../../../../../kernel/time.ts";
import { useQuery } from "../../../api/use-query.ts";
import { board as t } from "../../../texts/index.ts";
import { Card } from "../../../ui/page.tsx";
import { Plot } from "../../../ui/plot.tsx";
import type { Series } from "../../../ui/plot-drawing.ts";
import type { Campaign } from "../live/campaign-events.ts";
import { useLiveCampaign } from "../live/live-campaign.ts";
import type { Stretch } from "../live/outcomes-over-time.ts";
import { callStatistics } from "../live/queries.ts";
import styles from "./board.module.css";
import { countedStretches } from "./stretches.ts";

/** How often the chart is redrawn while things change, ms. */
const REDRAW_INTERVAL_MS = 1_000;
/** How often calls are counted if the stream didn't report all of them, ms. */
const REFETCH_INTERVAL_MS = 30_000;
const HEIGHT_PX = 200;

/** The outcomes of calls over time, from the stream if it reported all of them, otherwise from the service's counts. */
export function OverTime(props: { campaign: Campaign }) {
  const live = useLiveCampaign();
  const [now, setNow] = createSignal(Date.now());
  const timer = setInterval(() => setNow(Date.now()), REDRAW_INTERVAL_MS);
  onCleanup(() => clearInterval(timer));
  const isRunning = createMemo(() => props.campaign.status === "running");
  // Keeps the same object while its intervals are unchanged.
  const board = createMemo(() => live.board());
  const isWhole = createMemo(() => live.board()?.isWhole ?? true);
  const counted = useQuery(() => {
    const query = callStatistics(props.campaign);
    return { ...query, enabled: !isWhole(), refetchInterval: isRunning() ? REFETCH_INTERVAL_MS : false };
  });
  const streamed = createMemo((): Stretch[] => {
    const at = now();
    const all = board()?.overTime.stretches(isRunning() ? at : undefined) ?? [];
    // The current interval is incomplete and would look like a drop.
    return isRunning() ? all.slice(0, -1) : all;
  });
  const stretches = createMemo(
    () => {
      if (isWhole()) return streamed();
      const statistics = counted.data;
      return statistics ? countedStretches(statistics, isRunning()) : [];
    },
    undefined,
    // Drawing takes most of a frame on a slow machine, and a completed interval doesn't change.
    { equals: (a, b) => JSON.stringify(a) === JSON.stringify(b) },
  );
  const length = () => {
    const [first, second] = stretches();
    return first && second ? second.at - first.at : MINUTE_MS;
  };
  const lines = () => (isWhole() ? LINES : LINES.filter(({ kind }) => kind !== "again"));
  const series = createMemo((): Series[] =>
    lines().map(({ kind, color }) => ({
      label: t.overTime.lines[kind],
      color,
      values: stretches().map((stretch) => stretch[kind]),
      isFilled: kind === "answered",
    })),
  );
  // Counts of the whole board. The chart leaves out the current interval.
  const answered = () => props.campaign.counts.completed;
  const failed = () => props.campaign.counts.failed;
  const whyNone = () => {
    if (!isWhole() && counted.isPending) return undefined;
    return answered() + failed() > 0 ? t.overTime.short(answered(), failed()) : t.overTime.none;
  };
  return (
    <Card class={styles.card}>
      <div class="spread">
        <h2>{t.overTime.title}</h2>
        <Show when={stretches().length > 1}>
          <span class="muted">{t.overTime.unit(length())}</span>
        </Show>
      </div>
      <Show when={stretches().length > 1} fallback={<p class={`muted ${styles.noPlot}`}>{whyNone()}</p>}>
        <Plot
          label={t.overTime.summary(answered(), failed())}
          stepMs={length()}
          times={stretches().map(({ at }) => at)}
          series={series()}
          height={HEIGHT_PX}
        />
      </Show>
    </Card>
  );
}

const LINES = [
  { kind: "answered", color: "--ok" },
  { kind: "failed", color: "--bad" },
  { kind: "again", color: "--muted" },
] as const;
