import sparticuz from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";

/** A headless Chromium: on Linux the one that comes from npm, elsewhere the Chrome that is installed. */
export async function launch(): Promise<Browser> {
  const args = ["--no-sandbox", "--disable-dev-shm-usage"];
  if (process.platform !== "linux" || process.arch !== "x64") return chromium.launch({ channel: "chrome" });
  return chromium.launch({ executablePath: await sparticuz.executablePath(), args });
}
