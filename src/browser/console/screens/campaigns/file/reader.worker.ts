import type { Job, Report } from "./reader.ts";
import { check, rewrite } from "./scan.ts";

/** How often progress is reported, ms. */
const REPORTED_EVERY_MS = 100;

let reported = 0;
const tell = (report: Report) => postMessage(report);
const progress = (share: number) => {
  if (performance.now() - reported < REPORTED_EVERY_MS) return;
  reported = performance.now();
  tell({ kind: "progress", share });
};

addEventListener("message", async ({ data }: MessageEvent<Job>) => {
  const { file, rewriting } = data;
  try {
    if (data.kind === "check") tell({ kind: "checked", check: await check(file, rewriting, data.country, progress) });
    else tell({ kind: "rewritten", blob: await rewrite(file, rewriting, data.encoding, progress) });
  } catch (error) {
    tell({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
});
