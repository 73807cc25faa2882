import { createMemo, type JSX, Show } from "solid-js";
import { DAY_MS } from "../../../../kernel/time.ts";
import type { Body } from "../../api/client.ts";
import { formatCompact, formatMinutes, formatMoney, formatNumber, formatWeekday } from "../../texts/format.ts";
import { usage as t } from "../../texts/index.ts";
import { namesOf } from "../../ui/names-of.ts";
import { Card, Section } from "../../ui/page.tsx";
import { Plot } from "../../ui/plot.tsx";
import type { Series } from "../../ui/plot-drawing.ts";
import { daysOf, plottedAt, type Window } from "./periods.ts";
import { byDay, type Sums, sumOf } from "./sums.ts";
import styles from "./usage.module.css";

const HEIGHT_PX = 200;
const KINDS = namesOf(t.kinds);
const COLORS: Record<(typeof KINDS)[number], string> = { call: "--accent", widget: "--info", test: "--control" };

export function UsagePlots(props: { used: Window & { usage: Body<"Usage">[] }; actions: JSX.Element }) {
  const days = createMemo(() => daysOf(props.used));
  const times = () => days().map(plottedAt);
  const all = createMemo(() => byDay(props.used.usage, days()));
  const byKind = (value: (sums: Sums) => number): Series[] =>
    KINDS.map((kind) => ({
      label: t.kinds[kind],
      color: COLORS[kind],
      values: byDay(props.used.usage, days(), kind).map(value),
    })).filter(({ values }) => values.some((each) => each > 0));
  const tokens = (): Series[] => {
    if (!all().some(({ input_tokens, output_tokens }) => input_tokens + output_tokens > 0)) return [];
    return [
      {
        label: t.tokens.input,
        color: "--accent",
        values: all().map(({ input_tokens, cached_tokens }) => input_tokens - cached_tokens),
      },
      { label: t.tokens.cached, color: "--accent", shade: 0.4, values: all().map((day) => day.cached_tokens) },
      { label: t.tokens.output, color: "--info", values: all().map((day) => day.output_tokens) },
    ];
  };
  const isFree = () => {
    const { conversations, calls, cost_incomplete } = sumOf(all());
    return conversations + calls > 0 && cost_incomplete === 0;
  };
  const minutes = (): Series[] => {
    const values = all().map((day) => day.minutes);
    return values.some((each) => each > 0) ? [{ label: t.plots.minutes, color: "--accent", values }] : [];
  };
  return (
    <Section title={t.byDay} actions={props.actions}>
      <div class={styles.plots}>
        <DayPlot
          what={t.plots.cost}
          times={times()}
          series={byKind(({ cost }) => cost)}
          format={formatMoney}
          none={isFree() ? t.allFree : t.noCost}
        />
        <DayPlot
          what={t.plots.conversations}
          times={times()}
          series={byKind(({ conversations }) => conversations)}
          format={formatCompact}
          formatValue={formatNumber}
          none={t.noConversations}
        />
        <DayPlot
          what={t.plots.minutes}
          times={times()}
          series={minutes()}
          format={formatCompact}
          formatValue={formatMinutes}
          none={t.noMinutes}
        />
        <DayPlot
          what={t.plots.tokens}
          times={times()}
          series={tokens()}
          format={formatCompact}
          formatValue={formatNumber}
          none={t.noTokens}
        />
      </div>
    </Section>
  );
}

function DayPlot(props: {
  what: string;
  times: number[];
  series: Series[];
  format: (value: number) => string;
  /** Formats a value in the tooltip, if it differs from the axis. */
  formatValue?: (value: number) => string;
  none: string;
}) {
  const series = () => props.series.map((each) => Object.assign({ format: props.formatValue ?? props.format }, each));
  return (
    <Card>
      <h3>{props.what}</h3>
      <Show when={props.series.length > 0} fallback={<p class="muted">{props.none}</p>}>
        <Plot
          label={t.plotLabel(props.what)}
          times={props.times}
          series={series()}
          height={HEIGHT_PX}
          isBars
          stepMs={DAY_MS}
          format={props.format}
          formatTime={formatWeekday}
        />
      </Show>
    </Card>
  );
}
