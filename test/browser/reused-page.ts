import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { WAIT_TIMEOUT_MS } from "../support/wait-timeout.ts";

/** A page of the service without scripts. */
export const BLANK = "/healthz";

/** A browser context with a page that tests use one after another. */
interface ReusedPage {
  context: BrowserContext;
  page: Page;
  /** Whether a test changed what cannot be changed back. */
  isSpent: boolean;
}

/** The unused pages by the options of their contexts. */
const idle = new Map<string, ReusedPage[]>();

/**
 * Returns a page at `BLANK` of this origin, with empty storage, for the rest of the test. The page is reused if the test
 * passes: a page that loads the console again has its scripts compiled and its files cached, which takes a third of the
 * processor time.
 */
export async function reusedPage(browser: Browser, origin: string, options: BrowserContextOptions): Promise<Page> {
  const key = JSON.stringify(options);
  const pages = idle.get(key) ?? [];
  idle.set(key, pages);
  const reused = pages.pop() ?? (await open(browser, options));
  onTestFinished(async ({ task }) => {
    const { context, page } = reused;
    if (reused.isSpent || page.isClosed() || task.result?.state === "fail") return context.close();
    await restore(reused, origin, options);
    pages.push(reused);
  });
  const { page } = reused;
  if (new URL(page.url()).origin !== origin) await page.goto(origin + BLANK);
  return page;
}

async function open(browser: Browser, options: BrowserContextOptions): Promise<ReusedPage> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(WAIT_TIMEOUT_MS);
  const reused = { context, page: await context.newPage(), isSpent: false };
  // An installed clock cannot be removed from its context.
  const install = context.clock.install.bind(context.clock);
  context.clock.install = (time) => {
    reused.isSpent = true;
    return install(time);
  };
  return reused;
}

/** Removes what a test left in the page and its context, except for initial scripts, which the test itself removes. */
async function restore({ context, page }: ReusedPage, origin: string, options: BrowserContextOptions): Promise<void> {
  const others = context.pages().filter((each) => each !== page);
  await Promise.all(others.map((each) => each.close()));
  await Promise.all([page.unrouteAll({ behavior: "ignoreErrors" }), context.unrouteAll({ behavior: "ignoreErrors" })]);
  context.removeAllListeners("weberror").removeAllListeners("console").removeAllListeners("request");
  await Promise.all([context.setOffline(false), context.clearCookies(), context.clearPermissions()]);
  await page.goto(origin + BLANK);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  if (options.viewport) await page.setViewportSize(options.viewport);
  await page.emulateMedia({ colorScheme: options.colorScheme ?? "light" });
}
