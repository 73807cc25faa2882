import { join } from "node:path";
import { bundleWorker } from "../../src/dev/bundle.ts";
import { addressOf, startRuntime } from "../../src/dev/runtime.ts";
import { type Load, requestsPerSecond } from "./api/load.ts";
import { median, percentile } from "./figures.ts";
import { type Service, startService } from "./service.ts";

const RENEWALS_A_SECOND = 300;
const ROUNDS = 15;
const ROUND_MS = 1_000;
/** Writes begin this long before a round and end this long after it. */
const AROUND_MS = 500;
const ACCOUNT = "bench";
const OTHER = "beside";

/** The targets of the concurrent writes. `beside` is the meter of another account. */
const SIDES = ["idle", "meter", "beside", "gate"] as const;
type Side = (typeof SIDES)[number];
const NAMES: Record<Side, string> = {
  idle: "nothing else",
  meter: "the meter renews",
  beside: "another account's meter renews",
  gate: "the gate writes",
};

/**
 * Measures an account's reads a second through its gate while its meter renews 300 leases a second. On one machine the
 * renewals take processor time wherever they go, so the same renewals are also sent to another account's meter. The
 * difference is the time that the gate waits. The last line is the cost if the gate itself wrote as often.
 */
export async function benchMeter(): Promise<void> {
  console.log(
    `meter: reads per second through the gate, while ${RENEWALS_A_SECOND} writes a second go elsewhere or to it`,
  );
  const service = await startService();
  try {
    await service.openAccount(OTHER);
    await service.halt();
    await withWriter(service, async (base) => show(await measure(base, service.headers)));
  } finally {
    await service.stop();
  }
}

/** Starts the service on the same state, with a worker that writes on request. */
async function withWriter({ stateDir, variables }: Service, body: (base: string) => Promise<void>): Promise<void> {
  const main = join(import.meta.dirname, "yardstick/writing.ts");
  const script = await bundleWorker({ main, outdir: join(stateDir, "writing") });
  const runtime = await startRuntime({ script, stateDir, variables, listen: { host: "127.0.0.1", port: 0 } });
  try {
    await body((await addressOf(runtime)).origin);
  } finally {
    await runtime.dispose();
  }
}

/**
 * Measures rounds of all sides. Each round begins with another side, so that other work on the machine affects all
 * sides alike.
 */
async function measure(base: string, headers: Record<string, string>): Promise<Record<Side, number[]>> {
  const load: Load = { method: "GET", path: "/api/v1/agents", headers, status: 200 };
  const rates: Record<Side, number[]> = { idle: [], meter: [], beside: [], gate: [] };
  for (let round = -1; round < ROUNDS; round++) {
    for (const place of SIDES.keys()) {
      const side = SIDES[(place + round + 1) % SIDES.length] ?? "idle";
      const writes = side === "idle" ? null : write(base, side);
      const rate = await requestsPerSecond(base, load, ROUND_MS);
      await writes;
      // The first round is not measured.
      if (round >= 0) rates[side].push(rate);
    }
  }
  return rates;
}

/** Writes at a fixed rate. @throws Error if the machine did not keep up */
async function write(base: string, side: Exclude<Side, "idle">): Promise<void> {
  const ms = ROUND_MS + AROUND_MS;
  const [account, to] = [side === "beside" ? OTHER : ACCOUNT, side === "gate" ? "gate" : "meter"];
  const query = new URLSearchParams({ account, to, per_second: `${RENEWALS_A_SECOND}`, ms: `${ms}` });
  const answer = await fetch(`${base}/bench/writes?${query}`);
  if (!answer.ok) throw new Error(`the writes: ${answer.status} ${await answer.text()}`);
  const { written } = (await answer.json()) as { written: number };
  const asked = (RENEWALS_A_SECOND * ms) / 1_000;
  if (written < asked) throw new Error(`only ${written} of ${asked} writes were made`);
}

function show(rates: Record<Side, number[]>): void {
  console.log(`  ${"".padEnd(32)}per second    to nothing else    to another account's meter`);
  for (const side of SIDES) {
    const [rate, toIdle, toBeside] = [median(rates[side]), ratio(rates, side, "idle"), ratio(rates, side, "beside")];
    console.log(`  ${NAMES[side].padEnd(32)}${rate.toFixed(0).padStart(10)}    ${toIdle}    ${toBeside}`);
  }
}

/** Returns the ratio of two sides' rates, compared round by round: the median, and the range of the middle half. */
function ratio(rates: Record<Side, number[]>, side: Side, to: Side): string {
  const ratios = rates[side].map((rate, round) => rate / (rates[to][round] ?? Number.NaN));
  const [low, middle, high] = [25, 50, 75].map((p) => percentile(ratios, p).toFixed(2));
  return `${middle} (${low}–${high})`;
}
