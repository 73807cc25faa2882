import { For, Show } from "solid-js";
import { DAY_MS, HOUR_MS } from "../../../../kernel/time.ts";
import type { Body } from "../../api/client.ts";
import type { Answer } from "../../api/queries.ts";
import { formatClock, formatDuration, formatShare, formatWeekday } from "../../texts/format.ts";
import { overview as t } from "../../texts/index.ts";
import { Loaded } from "../../ui/feedback.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { Plot } from "../../ui/plot.tsx";
import type { Series } from "../../ui/plot-drawing.ts";
import styles from "./overview.module.css";
import { countOf, OUTCOME_NAMES, type Outcome, rateOf, stretchesOf, WINDOWS, type Window } from "./windows.ts";

interface Counted {
  window: Window;
  statistics: Body<"CallStatistics">;
}

const HEIGHT_PX = 220;

const COLORS: Record<Outcome, Pick<Series, "color" | "shade">> = {
  answered: { color: "--ok" },
  machine: { color: "--info" },
  no_answer: { color: "--warn" },
  busy: { color: "--warn", shade: 0.5 },
  failed: { color: "--bad" },
  not_made: { color: "--control" },
};

export function CallPlots(props: { statistics: Answer<Counted>; window: Window; onWindow: (window: Window) => void }) {
  return (
    <Section
      title={t.calls}
      actions={
        <fieldset class={styles.windows}>
          <legend class="visually-hidden">{t.window}</legend>
          <For each={WINDOWS}>
            {(window) => (
              <label>
                <input
                  type="radio"
                  name="window"
                  checked={window === props.window}
                  onChange={() => props.onWindow(window)}
                />
                <span>{t.windows[window]}</span>
              </label>
            )}
          </For>
        </fieldset>
      }
    >
      <Loaded query={props.statistics}>{(counted) => <Plots counted={counted()} />}</Loaded>
    </Section>
  );
}

function Plots(props: { counted: Counted }) {
  const totals = () => props.counted.statistics.totals;
  const words = () => t.windows[props.counted.window];
  const isByHour = () => props.counted.window === "24h";
  const stepMs = () => (isByHour() ? HOUR_MS : DAY_MS);
  const stretches = () => stretchesOf(props.counted.statistics.buckets, props.counted.window);
  const times = () => stretches().map(({ at }) => at);
  const formatTime = (ms: number) =>
    isByHour() ? `${formatWeekday(ms)}, ${formatClock(ms)} – ${formatClock(ms + HOUR_MS)}` : formatWeekday(ms);
  const outcomes = (): Series[] =>
    OUTCOME_NAMES.filter((name) => countOf(totals(), name) > 0).map((name) => ({
      label: t.outcome[name],
      ...COLORS[name],
      values: stretches().map((stretch) => stretch.outcomes[name]),
    }));
  const rate = (): Series[] => [
    { label: t.rate, color: "--accent", isFilled: true, values: stretches().map(rateOf), format: formatShare },
  ];
  const share = () => {
    const { answer_rate } = totals();
    return answer_rate === null ? null : formatShare(answer_rate);
  };
  return (
    <Show
      when={totals().calls > 0}
      fallback={
        <Card class={styles.noCalls}>
          <p class="muted">{t.noCalls(words())}</p>
        </Card>
      }
    >
      <p class="muted">{t.summary(totals().calls, share(), formatDuration(totals().talk_s))}</p>
      <div class={styles.plots}>
        <Card>
          <h3>{t.outcomes}</h3>
          <Plot
            label={t.outcomesLabel(words())}
            times={times()}
            series={outcomes()}
            height={HEIGHT_PX}
            isBars
            stepMs={stepMs()}
            formatTime={formatTime}
          />
        </Card>
        <Card>
          <h3>{t.rate}</h3>
          <Plot
            label={t.rateLabel(words())}
            times={times()}
            series={rate()}
            height={HEIGHT_PX}
            stepMs={stepMs()}
            most={1}
            format={formatShare}
            formatTime={formatTime}
          />
        </Card>
      </div>
    </Show>
  );
}
