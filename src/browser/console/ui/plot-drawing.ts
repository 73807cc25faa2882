import "uplot/dist/uPlot.min.css";
import uPlot from "uplot";
import { formatClock, formatClockSeconds, formatDayOfYear } from "../texts/format.ts";

/** One line, or one part of each bar; its colour is a token's name, such as `--ok`. */
export interface Series {
  label: string;
  color: string;
  /** How much of the colour there is, 0 to 1, to tell parts of one meaning apart. */
  shade?: number;
  /** In the order of the plot's times; null for a gap. */
  values: (number | null)[];
  /** How a value is written where it is pointed at, and in the table. */
  format?: (value: number) => string;
  /** Filled down to the axis, for what is counted. */
  isFilled?: boolean;
}

/** What is drawn, and where. */
interface Drawing {
  host: HTMLElement;
  heightPx: number;
  times: number[];
  series: Series[];
  /** Bars, a part a series, one on top of the other; lines otherwise. */
  isBars: boolean;
  /** How long each of the times lasts, ms; 0 for moments. */
  stepMs: number;
  /** Where the value axis ends, whatever the values. */
  most: number | undefined;
  format: (value: number) => string;
  /** The time under the pointer and its position, px from the left of the plot; null for none. */
  onHover: (hover: { nth: number; leftPx: number } | null) => void;
}

const DAY_S = 86_400;
const MINUTE_S = 60;
const AXIS_PX = 48;
const TIME_AXIS_PX = 28;
/** The least width of a time on the axis, px: "9:30 AM", and "9:30:05 AM". */
const TIME_PX = 64;
const TIME_WITH_SECONDS_PX = 96;
/** Room at the right edge for half of the last time, px. */
const RIGHT_PX = 25;
const RIGHT_WITH_SECONDS_PX = 40;
/** Up to this many values have a point each; beyond that, only those without a line to them. */
const MAX_POINTS = 60;
/** Bars leave a gap, and are never wider than this, px. */
const BAR_SIZE: [number, number] = [0.8, 48];

/** Draws a plot in the colours of the theme of now. */
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
        // Room above the highest, and never a scale of nothing.
        y: { range: (_, __, max) => [0, most ?? Math.max(4, Math.ceil((max ?? 0) * 1.1))] },
      },
      // What stands on others is drawn before them, as it reaches down to the axis.
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
        // A bar is pointed at until the next one begins.
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

/** The values as uPlot takes them: those of bars summed up from the axis, the highest first. */
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

/** Whether the times between the first and the last (s) are less than a minute apart, so that they need seconds. */
const hasSeconds = (first = 0, last = 0, widthPx: number) => ((last - first) * TIME_PX) / widthPx < MINUTE_S;

/** A bar starts at its time; a line passes through the middle of the interval. @returns s */
const shiftOf = ({ isBars, stepMs }: Pick<Drawing, "isBars" | "stepMs">) => (isBars ? 0 : stepMs / 2000);

/** Which values of a line have a point. */
function pointsOf(plot: uPlot, nth: number): number[] {
  const values = plot.data[nth] ?? [];
  const there = [...values.keys()].filter((i) => isThere(values[i]));
  return there.length <= MAX_POINTS ? there : there.filter((i) => !isThere(values[i - 1]) && !isThere(values[i + 1]));
}

const isThere = (value: number | null | undefined) => value !== null && value !== undefined;

/** A whole number of what is counted; any share of a scale with an end. */
const isShown = (value: number, most: number | undefined) => most !== undefined || Number.isInteger(value);

function timeOf(ms: number, stepS: number): string {
  const isMidnight = new Date(ms).getHours() === 0 && new Date(ms).getMinutes() === 0;
  if (stepS >= DAY_S || isMidnight) return formatDayOfYear(ms);
  // Within a minute the minute alone would be the same word again and again.
  return stepS < MINUTE_S ? formatClockSeconds(ms) : formatClock(ms);
}
