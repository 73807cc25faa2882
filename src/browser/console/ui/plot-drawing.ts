import "uplot/dist/uPlot.min.css";
import uPlot from "uplot";
import { formatClock, formatClockSeconds, formatDayOfYear } from "../texts/format.ts";

/** One line, or one segment of each bar. Its color is the name of a token, such as `--ok`. */
export interface Series {
  label: string;
  color: string;
  /** Opacity of the color, 0 to 1, to distinguish series with the same color. */
  shade?: number;
  /** One value per time; null is a gap. */
  values: (number | null)[];
  /** Formats a value in the tooltip and the table. */
  format?: (value: number) => string;
  /** Filled down to the axis, for counts. */
  isFilled?: boolean;
}

interface Drawing {
  host: HTMLElement;
  heightPx: number;
  times: number[];
  series: Series[];
  /** Stacked bars with one segment per series; lines otherwise. */
  isBars: boolean;
  /** Length of each interval in ms; 0 for points in time. */
  stepMs: number;
  /** Fixed maximum of the value axis. */
  most: number | undefined;
  format: (value: number) => string;
  /**
   * Called with the index of the time under the pointer and its distance in px from the left of the plot; null if there
   * is none.
   */
  onHover: (hover: { nth: number; leftPx: number } | null) => void;
}

const DAY_S = 86_400;
const MINUTE_S = 60;
const AXIS_PX = 48;
const TIME_AXIS_PX = 28;
/** Minimum width of a time label on the axis, px: "9:30 AM", and "9:30:05 AM". */
const TIME_PX = 64;
const TIME_WITH_SECONDS_PX = 96;
/** Space at the right edge for half of the last label, px. */
const RIGHT_PX = 25;
const RIGHT_WITH_SECONDS_PX = 40;
/** Maximum number of values with a point each. Beyond that, only isolated values have one. */
const MAX_POINTS = 60;
/** Width of a bar: a share of its interval, and a maximum in px. */
const BAR_SIZE: [number, number] = [0.8, 48];

/** Draws a plot in the colors of the current theme. */
export function draw(drawing: Drawing): uPlot {
  const { host, heightPx, series, isBars, stepMs, most, format, onHover } = drawing;
  const color = (token: string) => getComputedStyle(host).getPropertyValue(token).trim();
  const shaded = (token: string, share: number) =>
    share === 1 ? color(token) : `color-mix(in srgb, ${color(token)} ${share * 100}%, ${color("--panel")})`;
  const before = shiftOf(drawing);
  const axis: uPlot.Axis = {
    stroke: color("--muted"),
    font: "12px system-ui, sans-serif",
    grid: { stroke: color("--line"), width: 1 },
    ticks: { show: false },
  };
  const styles = series.map(({ color: token, shade = 1, isFilled }): uPlot.Series => {
    const paint = shaded(token, shade);
    if (!isBars) {
      const points = { show: true, size: 5, filter: pointsOf };
      return { stroke: paint, width: 1.5, points, ...(isFilled && { fill: shaded(token, 0.16) }) };
    }
    const paths = uPlot.paths.bars?.({ size: BAR_SIZE, align: 1 });
    return { fill: paint, width: 0, points: { show: false }, ...(paths && { paths }) };
  });
  return new uPlot(
    {
      width: host.clientWidth,
      height: heightPx,
      padding: [
        null,
        ({ scales: { x }, width: px }) => (hasSeconds(x?.min, x?.max, px) ? RIGHT_WITH_SECONDS_PX : RIGHT_PX),
        null,
        null,
      ],
      legend: { show: false },
      scales: {
        x: { range: (_, first, last) => [first - before, last - before + stepMs / 1000] },
        // Leaves room above the highest value. The minimum avoids an empty scale.
        y: { range: (_, __, max) => [0, most ?? Math.max(4, Math.ceil((max ?? 0) * 1.1))] },
      },
      // Upper bars are drawn before lower ones, because each reaches down to the axis.
      series: [{}, ...(isBars ? styles.toReversed() : styles)],
      axes: [
        {
          ...axis,
          size: TIME_AXIS_PX,
          space: (_, __, first, last, widthPx) => (hasSeconds(first, last, widthPx) ? TIME_WITH_SECONDS_PX : TIME_PX),
          grid: { show: false },
          values: (_, splits, __, ___, stepS) => splits.map((at) => timeOf(at * 1000, stepS)),
        },
        {
          ...axis,
          size: AXIS_PX,
          values: (_, splits) => splits.map((value) => (isShown(value, most) ? format(value) : "")),
        },
      ],
      cursor: {
        // A bar stays selected until the next one begins.
        dataIdx: (plot, _, nearest, at) => (isBars && (plot.data[0][nearest] ?? 0) > at ? nearest - 1 : nearest),
        y: false,
        points: { show: !isBars, size: 7 },
        drag: { setScale: false, x: false, y: false },
      },
      hooks: {
        setCursor: [
          ({ cursor: { idxs = [], left = -1 } }) => {
            const nth = idxs[1] ?? -1;
            onHover(nth < 0 || left < 0 ? null : { nth, leftPx: left + AXIS_PX });
          },
        ],
      },
    },
    dataOf(drawing),
    host,
  );
}

/** Returns the values as uPlot expects them: those of bars are cumulative, highest first. */
export function dataOf({
  times,
  series,
  isBars,
  stepMs,
}: Pick<Drawing, "times" | "series" | "isBars" | "stepMs">): uPlot.AlignedData {
  const seconds = times.map((ms) => ms / 1000 + shiftOf({ isBars, stepMs }));
  if (!isBars) return [seconds, ...series.map(({ values }) => values)];
  const heights = times.map(() => 0);
  const stacked = series.map(({ values }) =>
    values.map((value, nth) => {
      heights[nth] = (heights[nth] ?? 0) + (value ?? 0);
      return heights[nth] ?? 0;
    }),
  );
  return [seconds, ...stacked.toReversed()];
}

/** Checks whether time labels are less than a minute apart and need seconds. `first` and `last` are in s. */
const hasSeconds = (first = 0, last = 0, widthPx: number) => ((last - first) * TIME_PX) / widthPx < MINUTE_S;

/** Returns the horizontal offset in s: a bar starts at its time, a line passes through the middle of the interval. */
const shiftOf = ({ isBars, stepMs }: Pick<Drawing, "isBars" | "stepMs">) => (isBars ? 0 : stepMs / 2000);

/** Returns the indexes of a line's values that have a point. */
function pointsOf(plot: uPlot, nth: number): number[] {
  const values = plot.data[nth] ?? [];
  const there = [...values.keys()].filter((i) => isThere(values[i]));
  return there.length <= MAX_POINTS ? there : there.filter((i) => !isThere(values[i - 1]) && !isThere(values[i + 1]));
}

const isThere = (value: number | null | undefined) => value !== null && value !== undefined;

/** Checks whether the axis labels a value: whole numbers for counts, any value on a scale with a maximum. */
const isShown = (value: number, most: number | undefined) => most !== undefined || Number.isInteger(value);

function timeOf(ms: number, stepS: number): string {
  const isMidnight = new Date(ms).getHours() === 0 && new Date(ms).getMinutes() === 0;
  if (stepS >= DAY_S || isMidnight) return formatDayOfYear(ms);
  // Labels less than a minute apart would repeat without seconds.
  return stepS < MINUTE_S ? formatClockSeconds(ms) : formatClock(ms);
}
