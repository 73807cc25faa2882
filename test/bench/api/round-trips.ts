import { join } from "node:path";
import { bundleWorker } from "../../../src/dev/bundle.ts";
import { addressOf, startRuntime, type Variables } from "../../../src/dev/runtime.ts";
import type { RoundTrips } from "../yardstick/trips.ts";
import { answerTo, type Row } from "./rows.ts";

/** Counts each row's storage requests with warm caches, on the state that the service left. */
export async function countRoundTrips(stateDir: string, variables: Variables, rows: Row[]): Promise<RoundTrips[]> {
  const main = join(import.meta.dirname, "../yardstick/counted.ts");
  const script = await bundleWorker({ main, outdir: join(stateDir, "counted") });
  const runtime = await startRuntime({ script, stateDir, variables, listen: { host: "127.0.0.1", port: 0 } });
  try {
    const base = (await addressOf(runtime)).origin;
    const counted: RoundTrips[] = [];
    for (const { load } of rows) {
      await (await answerTo(base, load)).text();
      const answer = await answerTo(base, load);
      counted.push(JSON.parse(answer.headers.get("x-round-trips") ?? "{}"));
      await answer.text();
    }
    return counted;
  } finally {
    await runtime.dispose();
  }
}
