import { type ChildProcess, execFile } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Measures the memory of a runtime that is about to start in this process. */
export class MemoryWatch {
  #pid: number | undefined;

  constructor() {
    subscribe("child_process", (message) => {
      const { process: child } = message as { process: ChildProcess };
      child.once("spawn", () => {
        if (/workerd/.test(child.spawnfile)) this.#pid ??= child.pid;
      });
    });
  }

  /** Returns the bytes in use by the whole runtime, including simulators, caches and code. */
  async now(): Promise<number> {
    const { stdout } = await run("ps", ["-o", "rss=", "-p", String(this.#pid)]);
    return Number(stdout) * 1024;
  }
}
