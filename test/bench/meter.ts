import { join } from "node:path";
import { bundleWorker } from "../../src/dev/bundle.ts";
import { addressOf, startRuntime } from "../../src/dev/runtime.ts";
import { type Load, requestsPerSecond } from "./api/load.ts";
import { median } from "./figures.ts";
import { startService } from "./service.ts";

const RENEWALS_A_SECOND = 300;
const ROUNDS = 5;
const ROUND_MS = 1_500;
/** Writes go on from before a round until after it. */
const AROUND_MS = 500;

const SIDES = ["idle", "meter", "gate"] as const;
type Side = (typeof SIDES)[number];

/**
 * How many reads a second an account is answered through its gate while its meter renews 300 leases a second; beside it
 * with nothing else to do, and while the gate itself writes as often.
 */
export async function benchMeter(): Promise<void> {
  console.log(
    `meter: reads per second through the gate, while ${RENEWALS_A_SECOND} writes a second go elsewhere or to it`,
  );
  const service = await startService();
  try {
    await service.halt();
    const { stateDir, variables, headers } = service;
    const main = join(import.meta.dirname, "yardstick/writing.ts");
    const script = await bundleWorker({ main, outdir: join(stateDir, "writing") });
    const runtime = await startRuntime({ script, stateDir, variables, listen: { host: "127.0.0.1", port: 0 } });
    try {
      show(await measure((await addressOf(runtime)).origin, headers));
    } finally {
      await runtime.dispose();
    }
  } finally {
    await service.stop();
  }
}

/** Each side in turn, so that what the machine does beside is the same for all. */
async function measure(base: string, headers: Record<string, string>): Promise<Record<Side, number[]>> {
  const load: Load = { method: "GET", path: "/api/v1/agents", headers, status: 200 };
  const rates: Record<Side, number[]> = { idle: [], meter: [], gate: [] };
  for (let round = -1; round < ROUNDS; round++) {
    for (const side of SIDES) {
      const writes = side === "idle" ? null : write(base, side);
      const rate = await requestsPerSecond(base, load, ROUND_MS);
      await writes;
      if (round >= 0) rates[side].push(rate);
    }
  }
  return rates;
}

async function write(base: string, to: Side): Promise<void> {
  const ms = ROUND_MS + AROUND_MS;
  const query = new URLSearchParams({ account: "bench", to, per_second: `${RENEWALS_A_SECOND}`, ms: `${ms}` });
  const answer = await fetch(`${base}/bench/writes?${query}`);
  if (!answer.ok) throw new Error(`the writes: ${answer.status} ${await answer.text()}`);
  await answer.text();
}

function show(rates: Record<Side, number[]>): void {
  const idle = median(rates.idle);
  const names: Record<Side, string> = { idle: "nothing else", meter: "the meter renews", gate: "the gate writes" };
  for (const side of SIDES) {
    const rate = median(rates[side]);
    console.log(`  ${names[side].padEnd(20)}${rate.toFixed(0).padStart(8)}${(rate / idle).toFixed(2).padStart(8)}`);
  }
}
