import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";

/**
 * Ensures that no runtime outlives this process. Each runtime has a watcher that blocks on a pipe from this process and
 * kills the runtime when the pipe closes, even after SIGKILL.
 */
export function leaveNoOrphans(): void {
  subscribe("child_process", (message) => {
    const { process: child } = message as { process: ChildProcess };
    child.once("spawn", () => {
      if (child.pid === undefined || !/workerd/.test(child.spawnfile)) return;
      const watcher = spawn("sh", ["-c", 'read -r _; kill -9 "$0" 2>/dev/null', String(child.pid)], {
        detached: true,
        stdio: ["pipe", "ignore", "ignore"],
      });
      watcher.unref();
      child.once("exit", () => watcher.kill("SIGKILL"));
    });
  });
}
