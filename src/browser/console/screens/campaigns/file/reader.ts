import { headerText, isHeaderOnly, type Rewriting } from "./rewrite.ts";
import type { Check } from "./scan.ts";
import { type Encoding, LOOKED_AT_BYTES, type NoList, type Shape, shapeOf } from "./shape.ts";

/** What the worker is asked to do. */
export type Job =
  | { kind: "check"; file: Blob; rewriting: Rewriting; country: string | null }
  | { kind: "rewrite"; file: Blob; rewriting: Rewriting; encoding: Encoding };

/** What the worker tells. */
export type Report =
  | { kind: "progress"; share: number }
  | { kind: "checked"; check: Check }
  | { kind: "rewritten"; blob: Blob }
  | { kind: "failed"; message: string };

/** The file is no list that the service would take; the message says why. */
export class UnusableFile extends Error {}

/** How a file is written, by its beginning. */
export async function readShape(file: Blob): Promise<Shape | NoList> {
  const bytes = await file.slice(0, LOOKED_AT_BYTES).arrayBuffer();
  return shapeOf(new Uint8Array(bytes), file.size <= LOOKED_AT_BYTES);
}

interface Watch {
  /** How far it is, of 1. */
  progress: (share: number) => void;
  signal: AbortSignal;
}

/** Judges a file as the service would, away from the page's own thread. @throws UnusableFile */
export async function checkFile(file: Blob, rewriting: Rewriting, country: string | null, watch: Watch) {
  const report = await run({ kind: "check", file, rewriting, country }, watch);
  if (report.kind === "checked") return report.check;
  throw new UnusableFile(report.kind);
}

/** What is sent of a file. Where its rows stay as they are it is the file itself, under another header. */
export async function sentFile(file: Blob, rewriting: Rewriting, encoding: Encoding, watch: Watch): Promise<Blob> {
  if (encoding === "utf-8" && isHeaderOnly(rewriting)) {
    const start = await headerBytes(file, rewriting.shape);
    return new Blob([headerText(rewriting), file.slice(start)], { type: "text/csv" });
  }
  const report = await run({ kind: "rewrite", file, rewriting, encoding }, watch);
  if (report.kind === "rewritten") return report.blob;
  throw new UnusableFile(report.kind);
}

async function headerBytes(file: Blob, { headerChars }: Shape): Promise<number> {
  const bytes = new Uint8Array(await file.slice(0, LOOKED_AT_BYTES).arrayBuffer());
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = new TextDecoder().decode(bytes, { stream: true });
  return (hasMark ? 3 : 0) + new TextEncoder().encode(text.slice(0, headerChars)).length;
}

/** Has a worker of its own do the job; the last it tells. @throws UnusableFile, or what the signal was aborted with */
function run(job: Job, { progress, signal }: Watch): Promise<Report> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./reader.worker.ts", import.meta.url), { type: "module" });
    const end = () => {
      worker.terminate();
      signal.removeEventListener("abort", stop);
    };
    const stop = () => {
      end();
      reject(signal.reason);
    };
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop);
    worker.addEventListener("message", ({ data }: MessageEvent<Report>) => {
      if (data.kind === "progress") return progress(data.share);
      end();
      if (data.kind === "failed") reject(new UnusableFile(data.message));
      else resolve(data);
    });
    worker.addEventListener("error", ({ message }) => {
      end();
      reject(new Error(message));
    });
    worker.postMessage(job);
  });
}
