import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sparticuz from "@sparticuz/chromium";
import { type Browser, chromium, type LaunchOptions } from "playwright-core";
import packageJson from "../../../package.json" with { type: "json" };

const { devDependencies } = packageJson;

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

/** How the browser is started. */
async function options(): Promise<LaunchOptions> {
  if (process.platform !== "linux" || process.arch !== "x64") return { channel: "chrome" };
  return { executablePath: await unpacked(), args: ["--no-sandbox", "--disable-dev-shm-usage"] };
}

/**
 * The browser's program, unpacked where programs may run, which memory disks may forbid. It gets its name once it is
 * whole: another process that starts at the same time would otherwise run half of it.
 */
async function unpacked(): Promise<string> {
  const disk = process.env.DISK_TMPDIR ?? tmpdir();
  const folder = join(disk, `switchboard-chromium-${devDependencies["@sparticuz/chromium"]}`);
  if (!existsSync(folder)) {
    const own = await mkdtemp(`${folder}-`);
    const { TMPDIR } = process.env;
    process.env.TMPDIR = own;
    await sparticuz.executablePath();
    process.env.TMPDIR = TMPDIR ?? disk;
    await rename(own, folder).catch(async (error: unknown) => {
      await rm(own, { recursive: true, force: true });
      // Another process was first.
      if (!existsSync(folder)) throw error;
    });
  }
  return join(folder, "chromium");
}
