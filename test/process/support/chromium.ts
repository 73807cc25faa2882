import { tmpdir } from "node:os";
import sparticuz from "@sparticuz/chromium";
import { type BrowserServer, chromium, type LaunchOptions } from "playwright-core";
import type { TestProject } from "vitest/node";
import { once } from "./once.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Where the browser of the run is reached. */
    browser: string;
  }
}

/** Starts one headless Chromium for all tests: on Linux the one that comes from npm, elsewhere the Chrome that is installed. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await once("browser", start);
  project.provide("browser", server.wsEndpoint());
  return () => server.close();
}

async function start(): Promise<BrowserServer> {
  return chromium.launchServer(await chromiumOptions());
}

/** How the browser is started; its program is unpacked where programs may run, which memory disks may forbid. */
export async function chromiumOptions(): Promise<LaunchOptions> {
  if (process.platform !== "linux" || process.arch !== "x64") return { channel: "chrome" };
  const { TMPDIR } = process.env;
  process.env.TMPDIR = process.env.DISK_TMPDIR ?? tmpdir();
  const executablePath = await sparticuz.executablePath();
  process.env.TMPDIR = TMPDIR ?? tmpdir();
  return { executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] };
}
