import "uplot/dist/uPlot.min.css";
import { createEffect, createMemo, onCleanup, onMount, untrack } from "solid-js";
import uPlot from "uplot";
import styles from "./plot.module.css";
import { isDark } from "./theme.ts";

/** One line or area of a plot; its colour is a token's name, such as `--ok`. */
export interface Series {
  label: string;
  color: string;
  /** In the order of the plot's times; null for a gap. */
  values: (number | null)[];
  /** How a value is written in the legend. */
  format?: (value: number) => string;
  /** Filled down to the axis, for what is counted. */
  isFilled?: boolean;
}

const HEIGHT_PX = 200;

/**
 * Values over time, drawn as often as they change. What it shows must be said in words or numbers beside it too; `label`
 * is its summary for those who cannot see it.
 */
export function Plot(props: { label: string; times: number[]; series: Series[]; height?: number }) {
  let place: HTMLDivElement | undefined;
  onMount(() => {
    if (!place) return;
    const host = place;
    const color = (token: string) => getComputedStyle(host).getPropertyValue(token).trim();
    let plot: uPlot | undefined;
    const data = (): uPlot.AlignedData => [
      props.times.map((ms) => ms / 1000),
      ...props.series.map(({ values }) => values),
    ];
    const draw = () => {
      const axis = { stroke: color("--muted"), grid: { stroke: color("--line"), width: 1 }, ticks: { show: false } };
      return new uPlot(
        {
          width: host.clientWidth,
          height: props.height ?? HEIGHT_PX,
          series: [
            {},
            ...props.series.map(({ label, color: token, format, isFilled }) => ({
              label,
              stroke: color(token),
              width: 1.5,
              points: { show: false },
              ...(isFilled && { fill: `color-mix(in srgb, ${color(token)} 16%, transparent)` }),
              ...(format && { value: (_: uPlot, value: number | null) => (value === null ? "–" : format(value)) }),
            })),
          ],
          axes: [axis, { ...axis, size: 44 }],
          cursor: { points: { size: 6 } },
        },
        data(),
        host,
      );
    };
    const lines = createMemo(() => props.series.map(({ label, color: token }) => `${label} ${token}`).join());
    // Made anew where its lines or the theme change; values alone are only drawn again.
    createEffect(() => {
      lines();
      isDark();
      plot?.destroy();
      plot = untrack(draw);
    });
    createEffect(() => plot?.setData(data()));
    const resized = new ResizeObserver(() => {
      plot?.setSize({ width: host.clientWidth, height: props.height ?? HEIGHT_PX });
    });
    resized.observe(host);
    onCleanup(() => {
      resized.disconnect();
      plot?.destroy();
    });
  });
  return <div ref={place} class={styles.plot} role="img" aria-label={props.label} />;
}
