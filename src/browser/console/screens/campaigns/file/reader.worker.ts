import type { Report } from "./reader.ts";
import { check, type Reading } from "./scan.ts";

const REPORT_INTERVAL_MS = 100;

let reportedAt = 0;
const report = (message: Report) => postMessage(message);
const progress = (share: number) => {
  if (performance.now() - reportedAt < REPORT_INTERVAL_MS) return;
  reportedAt = performance.now();
  report({ kind: "progress", share });
};

addEventListener("message", async ({ data }: MessageEvent<Reading>) => {
  try {
    report({ kind: "checked", check: await check(data, progress) });
  } catch (error) {
    report({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
});
