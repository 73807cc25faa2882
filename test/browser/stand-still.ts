import type { Page } from "playwright-core";

/** How far the clock is set ahead: the browser refuses a time that has passed by when it is asked to stop there. */
const AHEAD_MS = 60_000;

/**
 * Stops the clock of a page whose clock was installed, so that only the test moves it, however slow the machine is. It
 * belongs before whatever is timed. While it stands still axe waits forever.
 */
export async function standStill(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + AHEAD_MS);
}

/** Does something with the clock of a page stopped, for what the page itself takes back or drops after a while. */
export async function timeless(page: Page, act: () => Promise<void>): Promise<void> {
  await page.clock.install();
  await standStill(page);
  await act();
  await page.clock.resume();
}
