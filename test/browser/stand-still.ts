import type { Page } from "playwright-core";

/** How far the clock is set ahead, because the browser refuses to stop at a time in the past. */
const AHEAD_MS = 60_000;

/**
 * Stops the installed clock of a page, so that only the test moves it. Call it before any timer is set. While the clock
 * is stopped, axe waits forever.
 */
export async function standStill(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + AHEAD_MS);
}

/** Runs `act` while the clock of a page is stopped, for effects that the page itself removes after a while. */
export async function timeless(page: Page, act: () => Promise<void>): Promise<void> {
  await page.clock.install();
  await standStill(page);
  await act();
  await page.clock.resume();
}
