import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { bundleWorker } from "../../src/dev/bundle.ts";
import { addressOf, startRuntime } from "../../src/dev/runtime.ts";
import { median, perSecond, spread } from "./figures.ts";
import type { LedgerSize } from "./ledger-size.ts";
import { type Service, startService } from "./service.ts";

const ACCOUNT = "bench";
/** Calls written in one request. */
const STRETCH = 20_000;
/** Interval at which the volume is polled for undelivered events, ms. */
const ASK_MS = 250;
const READS = 50;
const MONTH_MS = 30 * 24 * 3_600_000;

const READ_PATHS = {
  page: "/api/v1/calls?limit=100",
  number: `/api/v1/calls?limit=100&phone_number=${encodeURIComponent("+13034000007")}`,
};

/**
 * Measures a month of an account's calls in its ledger. Each call is reported twice, in batches of 500 with its
 * counters and events. Then it measures lists and statistics by the API, and compares the writes with the same rows in
 * D1.
 */
export async function benchLedger(calls: number): Promise<void> {
  console.log(`ledger: ${calls.toLocaleString("en")} calls of one account over 30 days, in batches of 500`);
  const service = await startService();
  try {
    await service.halt();
    const since = Date.now() - MONTH_MS;
    await backdate(service, since);
    const main = join(import.meta.dirname, "yardstick/ledger.ts");
    const script = await bundleWorker({ main, outdir: join(service.stateDir, "ledger") });
    const { stateDir, variables } = service;
    const listen = { host: "127.0.0.1", port: 0 };
    const runtime = await startRuntime({ script, stateDir, variables, listen });
    try {
      const base = (await addressOf(runtime)).origin;
      await measure(new Bench(base, service.headers, { calls, since }));
    } finally {
      await runtime.dispose();
    }
  } finally {
    await service.stop();
  }
}

/** Sets the account's creation back to this time, so that its ledger accepts older ids. */
async function backdate({ stateDir }: Service, since: number): Promise<void> {
  const runtime = await startRuntime({ stateDir });
  const db = await runtime.getD1Database("DB");
  await db
    .prepare("UPDATE accounts SET created_at = ? WHERE name = ?")
    .bind(new Date(since).toISOString(), ACCOUNT)
    .run();
  await runtime.dispose();
}

/** The benchmark's requests to the service. */
class Bench {
  readonly #base: string;
  readonly #headers: Record<string, string>;
  readonly calls: number;
  readonly since: number;

  constructor(base: string, headers: Record<string, string>, { calls, since }: { calls: number; since: number }) {
    this.#base = base;
    this.#headers = headers;
    this.calls = calls;
    this.since = since;
  }

  async get<T>(path: string): Promise<T> {
    const answer = await fetch(this.#base + path, { headers: this.#headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  /** Writes all calls; returns the time taken, ms. */
  async fill(where: "ledger" | "d1"): Promise<number> {
    let took = 0;
    for (let first = 0; first < this.calls; first += STRETCH) {
      const [count, of] = [Math.min(STRETCH, this.calls - first), this.calls];
      const query = new URLSearchParams({ account: ACCOUNT, first: `${first}`, count: `${count}`, of: `${of}` });
      query.set("since", `${this.since}`);
      took += (await this.get<{ ms: number }>(`/bench/${where}?${query}`)).ms;
    }
    return took;
  }

  size(): Promise<LedgerSize> {
    const day = new Date(this.since).toISOString().slice(0, 10);
    return this.get(`/bench/size?account=${ACCOUNT}&day=${day}`);
  }

  /** Waits until all events are delivered; returns the time taken, ms. */
  async settled(): Promise<number> {
    const began = performance.now();
    while ((await this.size()).owed > 0) await setTimeout(ASK_MS);
    return performance.now() - began;
  }

  /** Returns the time of each of several reads, ms. */
  async times(path: string): Promise<number[]> {
    const times: number[] = [];
    for (let i = 0; i <= READS; i++) {
      const began = performance.now();
      await this.get(path);
      // The first read fills caches.
      if (i > 0) times.push(performance.now() - began);
    }
    return times;
  }
}

async function measure(bench: Bench): Promise<void> {
  const { calls, since } = bench;
  const month = new URLSearchParams({ since: new Date(since).toISOString(), until: new Date().toISOString() });
  const statistics = `/api/v1/calls/statistics?interval=day&${month}`;
  const took = await bench.fill("ledger");
  console.log(`  written: ${perSecond(calls, took)} calls a second`);
  const page = spread(await bench.times(READ_PATHS.page));
  console.log(`  page while events are delivered: ${page}`);
  console.log(`  the last events delivered ${(await bench.settled()).toFixed(0)} ms after the last call`);
  const { bytes, written } = await bench.size();
  console.log(`  ${Math.round(bytes / calls)} bytes a call, ${(written / calls).toFixed(1)} rows and index entries`);
  for (const [name, path] of Object.entries({ ...READ_PATHS, statistics }))
    console.log(`  ${name}: ${spread(await bench.times(path))}`);
  const inD1 = await bench.fill("d1");
  console.log(`  the rows alone in D1: ${perSecond(calls, inD1)} calls a second`);
  for (const name of ["page", "number", "statistics"]) {
    const times: number[] = [];
    for (let i = 0; i < READS / 5; i++)
      times.push((await bench.get<{ ms: number }>(`/bench/d1/read?which=${name}`)).ms);
    console.log(`  ${name} from D1: p50 ${median(times).toFixed(1)} ms, without the API`);
  }
}
