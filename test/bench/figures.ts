export async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

export function perSecond(n: number, ms: number): string {
  return Math.round((n / ms) * 1000).toLocaleString("en");
}

export function median(values: number[]): number {
  return percentile(values, 50);
}

/** Returns the value that `p` per cent of the values do not exceed; NaN if there are no values. */
export function percentile(values: number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((p / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** Returns the median, 99th percentile and maximum of times, ms. */
export function spread(times: number[]): string {
  const [p50, p99, most] = [50, 99, 100].map((p) => percentile(times, p).toFixed(1));
  return `p50 ${p50} ms, p99 ${p99} ms, at most ${most} ms`;
}
