import { createEffect, createMemo, createSignal, For, on, onCleanup, onMount, Show } from "solid-js";
import type uPlot from "uplot";
import { formatExact, formatNumber } from "../texts/format.ts";
import { common } from "../texts/index.ts";
import styles from "./plot.module.css";
import type { Series } from "./plot-drawing.ts";
import { isDark } from "./theme.ts";

interface Props {
  /** Description for screen readers. */
  label: string;
  /** Ascending, in ms. */
  times: number[];
  series: Series[];
  /** px */
  height?: number;
  /** Draws stacked bars with one segment per series instead of lines. */
  isBars?: boolean;
  /** Length of each interval in ms; omit it for points in time. */
  stepMs?: number;
  /** Fixed maximum of the value axis. */
  most?: number;
  format?: (value: number) => string;
  /** Formats a time in the tooltip and the table. */
  formatTime?: (ms: number) => string;
}

const HEIGHT_PX = 200;

/**
 * Plots values over time, with a legend, a tooltip and the same data as a table. The drawing code is loaded when the
 * first plot is shown.
 */
export function Plot(props: Props) {
  let host: HTMLDivElement | undefined;
  const [hover, setHover] = createSignal<{ nth: number; leftPx: number } | null>(null);
  const height = () => props.height ?? HEIGHT_PX;
  const format = (value: number) => (props.format ?? formatNumber)(value);
  const formatTime = (ms: number) => (props.formatTime ?? formatExact)(ms);
  const written = ({ values, format: own }: Series, nth: number) => {
    const value = values[nth];
    return value === null || value === undefined ? "–" : (own ?? format)(value);
  };

  const [drawing, setDrawing] = createSignal<typeof import("./plot-drawing.ts")>();
  let isGone = false;
  let plot: uPlot | undefined;
  const shape = createMemo(() =>
    JSON.stringify([props.series.map(({ label, color, shade }) => [label, color, shade]), props.isBars, props.most]),
  );
  const what = () => ({
    times: props.times,
    series: props.series,
    isBars: props.isBars ?? false,
    stepMs: props.stepMs ?? 0,
  });
  const drawAnew = () => {
    const by = drawing();
    if (!host || !by) return;
    plot?.destroy();
    plot = by.draw({ host, heightPx: height(), ...what(), most: props.most, format, onHover: setHover });
  };
  // Recreated when its series or the theme change; new values are only redrawn.
  createEffect(on([drawing, shape, isDark], drawAnew));
  createEffect(on(what, (data) => plot?.setData(drawing()?.dataOf(data) ?? []), { defer: true }));
  onMount(() => {
    void import("./plot-drawing.ts").then((loaded) => isGone || setDrawing(() => loaded));
    const resized = new ResizeObserver(() => plot?.setSize({ width: host?.clientWidth ?? 0, height: height() }));
    if (host) resized.observe(host);
    onCleanup(() => {
      isGone = true;
      resized.disconnect();
      plot?.destroy();
    });
  });

  return (
    <figure class="stack-8">
      <Show when={props.isBars || props.series.length > 1}>
        <ul class={styles.legend} aria-hidden="true">
          <For each={props.series}>
            {(each) => (
              <li>
                <Mark series={each} />
                {each.label}
              </li>
            )}
          </For>
        </ul>
      </Show>
      <div class={styles.frame}>
        <div
          ref={host}
          class={styles.plot}
          style={{ "min-height": `${height()}px` }}
          role="img"
          aria-label={props.label}
        />
        <Show when={hover()}>
          {(at) => (
            <div
              class={styles.values}
              data-side={at().leftPx > (host?.clientWidth ?? 0) / 2 ? "left" : "right"}
              style={{ left: `${at().leftPx}px` }}
            >
              <strong>{formatTime(props.times[at().nth] ?? 0)}</strong>
              <dl>
                <For each={props.series.toReversed()}>
                  {(each) => (
                    <div>
                      <dt>
                        <Mark series={each} />
                        {each.label}
                      </dt>
                      <dd>{written(each, at().nth)}</dd>
                    </div>
                  )}
                </For>
              </dl>
            </div>
          )}
        </Show>
      </div>
      <AsTable {...props} formatTime={formatTime} written={written} />
    </figure>
  );
}

function Mark(props: { series: Series }) {
  const color = () =>
    `color-mix(in srgb, var(${props.series.color}) ${(props.series.shade ?? 1) * 100}%, var(--panel))`;
  return <span class={styles.mark} style={{ background: color() }} aria-hidden="true" />;
}

function AsTable(props: {
  label: string;
  times: number[];
  series: Series[];
  formatTime: (ms: number) => string;
  written: (series: Series, nth: number) => string;
}) {
  const [isOpen, setOpen] = createSignal(false);
  return (
    <details class={styles.numbers} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{common.asTable}</summary>
      <Show when={isOpen()}>
        <section class={styles.table} aria-label={props.label} tabindex="0">
          <table>
            <thead>
              <tr>
                <th scope="col">{common.time}</th>
                <For each={props.series}>{({ label }) => <th scope="col">{label}</th>}</For>
              </tr>
            </thead>
            <tbody>
              <For each={props.times}>
                {(at, nth) => (
                  <tr>
                    <th scope="row">{props.formatTime(at)}</th>
                    <For each={props.series}>{(each) => <td>{props.written(each, nth())}</td>}</For>
                  </tr>
                )}
              </For>
            </tbody>
          </table>
        </section>
      </Show>
    </details>
  );
}
