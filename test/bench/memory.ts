import { type ChildProcess, execFile } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { promisify } from "node:util";
import type { Inspector } from "./inspector.ts";

const run = promisify(execFile);

/** Bytes in use. */
interface MemoryUse {
  /** By the Worker's isolate: its objects' heap and the buffers behind it, garbage not yet collected included. */
  heap: number;
  /** By the whole runtime: simulators, caches and code included. */
  process: number;
}

/** The memory of a runtime that is about to start in this process. */
export class MemoryWatch {
  #pid: number | undefined;
  #inspector: Inspector | null = null;

  constructor() {
    subscribe("child_process", (message) => {
      const { process: child } = message as { process: ChildProcess };
      child.once("spawn", () => {
        if (/workerd/.test(child.spawnfile)) this.#pid ??= child.pid;
      });
    });
  }

  /** Asks the runtime by its inspector. */
  attach(inspector: Inspector): void {
    this.#inspector = inspector;
  }

  async now(): Promise<MemoryUse> {
    if (!this.#inspector) throw new Error("no runtime is watched");
    const heap = await this.#inspector.ask<HeapUsage>("Runtime.getHeapUsage");
    const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = heap;
    const { stdout } = await run("ps", ["-o", "rss=", "-p", String(this.#pid)]);
    return { heap: usedSize + embedderHeapUsedSize + backingStorageSize, process: Number(stdout) * 1024 };
  }
}

interface HeapUsage {
  usedSize: number;
  embedderHeapUsedSize?: number;
  backingStorageSize?: number;
}
