import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { ROOT } from "../../../src/dev/paths.ts";
import { median } from "../figures.ts";

const RUNS = 3;

/** Measures the size of the built Worker and its start-up time, as `wrangler check startup` reports it. */
export async function benchStartUp(script: string): Promise<void> {
  const bytes = await readFile(script);
  const folder = await mkdtemp(join(tmpdir(), "switchboard-start-"));
  try {
    const times: number[] = [];
    for (let i = 0; i < RUNS; i++) times.push(await startUp(join(folder, "start.cpuprofile")));
    const size = `${Math.round(bytes.length / 1024)} KiB, ${Math.round(gzipSync(bytes).length / 1024)} KiB gzipped`;
    console.log(
      `  script ${size}; start-up ${median(times).toFixed(0)} ms busy (median of ${RUNS}, under the profiler)`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function startUp(file: string): Promise<number> {
  const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
  const env = { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false", WRANGLER_HIDE_BANNER: "true" };
  await promisify(execFile)(process.execPath, [wrangler, "check", "startup", "--outfile", file], { cwd: ROOT, env });
  const { nodes, samples, timeDeltas } = JSON.parse(await readFile(file, "utf8")) as {
    nodes: { id: number; callFrame: { functionName: string } }[];
    samples: number[];
    timeDeltas: number[];
  };
  const idle = nodes.find(({ callFrame }) => callFrame.functionName === "(idle)")?.id;
  return samples.reduce((sum, sample, i) => sum + (sample === idle ? 0 : (timeDeltas[i] ?? 0)), 0) / 1000;
}
