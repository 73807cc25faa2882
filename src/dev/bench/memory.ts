import { type ChildProcess, execFile } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
/** Between two looks, ms. */
const EVERY = 100;

/** Bytes in use. */
export interface MemoryUse {
  /** By the Worker's isolate: its objects' heap and the buffers behind it, garbage not yet collected included. */
  heap: number;
  /** By the whole runtime: simulators, caches and code included. */
  process: number;
}

/** The memory of a runtime that is about to start in this process. */
export class MemoryWatch {
  #pid: number | undefined;
  #socket: WebSocket | null = null;
  #asked = 0;
  readonly #answers = new Map<number, (result: HeapUsage) => void>();

  constructor() {
    subscribe("child_process", (message) => {
      const { process: child } = message as { process: ChildProcess };
      child.once("spawn", () => {
        if (/workerd/.test(child.spawnfile)) this.#pid ??= child.pid;
      });
    });
  }

  /** Connects to the runtime's inspector. */
  async attach(origin: string): Promise<void> {
    const targets = (await (await fetch(`${origin.replace(/^ws/, "http")}json`)).json()) as {
      webSocketDebuggerUrl: string;
    }[];
    const [target] = targets;
    if (!target) throw new Error("the runtime has no inspector");
    const socket = new WebSocket(target.webSocketDebuggerUrl);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", () => reject(new Error("the inspector does not answer")));
    });
    socket.addEventListener("message", ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as { id?: number; result: HeapUsage };
      if (id !== undefined) this.#answers.get(id)?.(result);
    });
    this.#socket = socket;
  }

  /** Does the work; gives the most that was in use meanwhile. */
  async during<T>(work: () => Promise<T>): Promise<{ result: T; peak: MemoryUse }> {
    const peak = { heap: 0, process: 0 };
    let working = true;
    const watch = async () => {
      while (working) {
        const now = await this.now();
        peak.heap = Math.max(peak.heap, now.heap);
        peak.process = Math.max(peak.process, now.process);
        await sleep(EVERY);
      }
    };
    const watching = watch();
    try {
      return { result: await work(), peak };
    } finally {
      working = false;
      await watching;
    }
  }

  async now(): Promise<MemoryUse> {
    const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = await this.#ask("Runtime.getHeapUsage");
    const { stdout } = await run("ps", ["-o", "rss=", "-p", String(this.#pid)]);
    return { heap: usedSize + embedderHeapUsedSize + backingStorageSize, process: Number(stdout) * 1024 };
  }

  #ask(method: string): Promise<HeapUsage> {
    const id = ++this.#asked;
    this.#socket?.send(JSON.stringify({ id, method }));
    return new Promise((resolve) => this.#answers.set(id, resolve));
  }
}

interface HeapUsage {
  usedSize: number;
  embedderHeapUsedSize?: number;
  backingStorageSize?: number;
}
