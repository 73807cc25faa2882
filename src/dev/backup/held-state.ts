import { readFileSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const fileOf = (stateDir: string): string => join(stateDir, "service.pid");

/** Marks the state as served by this process until it ends. */
export async function holdState(stateDir: string): Promise<void> {
  await mkdir(stateDir, { recursive: true });
  await writeFile(fileOf(stateDir), `${process.pid}\n`);
  process.once("exit", () => {
    if (holderOf(stateDir) === process.pid) rmSync(fileOf(stateDir), { force: true });
  });
}

/** @throws Error with a sentence if a service runs on the state */
export function assertStopped(stateDir: string): void {
  const pid = holderOf(stateDir);
  if (pid === null || pid === process.pid || !isAlive(pid)) return;
  throw new Error(`a service (process ${pid}) is using ${stateDir}: stop it first, or pass its address with --remote`);
}

function holderOf(stateDir: string): number | null {
  try {
    return Number.parseInt(readFileSync(fileOf(stateDir), "utf8"), 10) || null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
