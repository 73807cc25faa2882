import { spawn } from "node:child_process";

/** Asks the system to open an address. A failure is ignored because the address is always printed too. */
export async function openPage(url: string, platform: string, env: Record<string, string | undefined>): Promise<void> {
  const [command, ...args] = openerOf(platform);
  if (!command || (platform === "linux" && !env.DISPLAY && !env.WAYLAND_DISPLAY)) return;
  await new Promise<void>((done) => {
    const child = spawn(command, [...args, url], { stdio: "ignore", detached: true });
    child.once("error", () => done());
    child.once("spawn", () => {
      child.unref();
      done();
    });
  });
}

function openerOf(platform: string): string[] {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}
