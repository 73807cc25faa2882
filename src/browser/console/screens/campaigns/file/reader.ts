import type { Check, Reading } from "./scan.ts";
import { LOOKED_AT_BYTES, type NoList, type Shape, shapeOf } from "./shape.ts";

export type Report =
  | { kind: "progress"; share: number }
  | { kind: "checked"; check: Check }
  | { kind: "failed"; message: string };

/** Thrown if the service would refuse the file. The message says why. */
export class UnusableFile extends Error {}

/** Detects the format of a file from its beginning. */
export async function readShape(file: Blob): Promise<Shape | NoList> {
  const bytes = await file.slice(0, LOOKED_AT_BYTES).arrayBuffer();
  return shapeOf(new Uint8Array(bytes), file.size <= LOOKED_AT_BYTES);
}

interface Watch {
  /** Called with the progress, from 0 to 1. */
  progress: (share: number) => void;
  signal: AbortSignal;
}

/**
 * Judges a file in its own worker, as the service would.
 * @throws UnusableFile, or the reason with which the signal was aborted
 */
export function checkFile(reading: Reading, { progress, signal }: Watch): Promise<Check> {
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
      else resolve(data.check);
    });
    worker.addEventListener("error", ({ message }) => {
      end();
      reject(new Error(message));
    });
    worker.postMessage(reading);
  });
}
