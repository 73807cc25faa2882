import { tmpdir } from "node:os";
import sparticuz from "@sparticuz/chromium";
import { type Browser, chromium, type LaunchOptions } from "playwright-core";

/** A headless Chromium: on Linux the one that comes from npm, elsewhere the Chrome that is installed. */
export async function launch(): Promise<Browser> {
  return chromium.launch(await options());
}

let running: Promise<Browser> | undefined;

/** The Chromium of all test files that run in this process, one after the other; it ends with the process. */
export function sharedBrowser(): Promise<Browser> {
  running ??= launch();
  return running;
}

/** How the browser is started; its program is unpacked where programs may run, which memory disks may forbid. */
async function options(): Promise<LaunchOptions> {
  if (process.platform !== "linux" || process.arch !== "x64") return { channel: "chrome" };
  const { TMPDIR } = process.env;
  process.env.TMPDIR = process.env.DISK_TMPDIR ?? tmpdir();
  const executablePath = await sparticuz.executablePath();
  process.env.TMPDIR = TMPDIR ?? tmpdir();
  return { executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] };
}
