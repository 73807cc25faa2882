import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { LONG_PASSWORD } from "../../src/dev/demo-data.ts";
import { launch } from "../process/support/browser.ts";
import { contactList } from "./contact-list.ts";
import { spread } from "./figures.ts";
import { type Service, startService } from "./service.ts";

const CONTACTS = 100_000;
/** 34 calls of two seconds, three events each: some 50 events a second. */
const CALLS = { SANDBOX_RING_MS: "1000", SANDBOX_TALK_MS: "1000" };
const SETTINGS = { max_concurrency: "34" };
const WATCHED_MS = 15_000;
const SLOWED = 4;
/** A frame that takes longer visibly stutters, ms. */
const LONG_FRAME_MS = 50;
const REPEATS = 5;

/** Measures a campaign's board: frames while events arrive, and response times on a slow machine. */
export async function benchBoard(): Promise<void> {
  console.log(`console: a running campaign of ${CONTACTS.toLocaleString("en")} contacts, dialed at the sandbox`);
  const service = await startService(CALLS);
  const browser = await launch();
  try {
    const { id } = await service.upload(contactList(CONTACTS), SETTINGS);
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
    const page = await context.newPage();
    await signIn(page, service);
    await page.goto(`${service.base}/console/campaigns/${id}`);
    await service.client.post(`/api/v1/campaigns/${id}/start`);
    await page.getByText("34 of 34").waitFor();
    const devtools = await context.newCDPSession(page);
    for (const rate of [1, SLOWED]) {
      await devtools.send("Emulation.setCPUThrottlingRate", { rate });
      await watch(page, service, id, rate);
    }
    await interact(page);
  } finally {
    await browser.close();
    await service.stop();
  }
}

async function signIn(page: Page, { base }: Service): Promise<void> {
  await page.goto(`${base}/console/`);
  await page.getByLabel("Account").fill("bench");
  await page.getByLabel("Email").fill("bench@switchboard.example");
  await page.getByLabel("Password").fill(LONG_PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
}

/** Measures frames without interaction. */
async function watch(page: Page, { client }: Service, id: string, rate: number): Promise<void> {
  await sleep(2_000);
  const done = async () => {
    const { counts } = await client.get<{ counts: Record<string, number> }>(`/api/v1/campaigns/${id}`);
    return (counts.completed ?? 0) + (counts.failed ?? 0);
  };
  const [before, began] = [await done(), performance.now()];
  const frames = await framesDuring(page, () => sleep(WATCHED_MS));
  const events = ((await done()) - before) * 3;
  const perSecond = (events / (performance.now() - began)) * 1000;
  console.log(
    `  ${rate === 1 ? "as it is" : `slowed ${rate} times`}, ${perSecond.toFixed(0)} events a second: ${told(frames)}`,
  );
}

/** Performs an operator's actions on a slowed machine. */
async function interact(page: Page): Promise<void> {
  const list = page.getByRole("region", { name: "Contacts" });
  const filter = page.getByLabel("State");
  const once = async (what: string, work: () => Promise<unknown>, after?: () => Promise<unknown>) => {
    const times: number[] = [];
    for (let run = 0; run < REPEATS; run++) {
      times.push(await longestInteraction(page, work));
      await after?.();
    }
    console.log(`  slowed ${SLOWED} times, ${what}: ${spread(times)}`);
  };
  await once(
    "a row is opened",
    () => list.getByRole("link").nth(3).click(),
    () => page.getByRole("button", { name: "Close" }).click(),
  );
  await once("the next row by J", () => page.keyboard.press("j"));
  await once(
    "a state is chosen",
    async () => {
      await filter.focus();
      await page.keyboard.press("ArrowDown");
    },
    async () => {
      await page.getByRole("heading", { name: /found/ }).waitFor();
      await filter.selectOption("Any");
      await sleep(500);
    },
  );
  const frames = await framesDuring(page, async () => {
    await list.hover();
    for (let turn = 0; turn < 60; turn++) {
      await page.mouse.wheel(0, 240);
      await sleep(30);
    }
  });
  console.log(`  slowed ${SLOWED} times, scrolled by the wheel: ${told(frames)}`);
}

function told(frames: number[]): string {
  const long = frames.filter((ms) => ms > LONG_FRAME_MS).length;
  return `${frames.length} frames, ${spread(frames)}, ${long} over ${LONG_FRAME_MS} ms`;
}

/** Returns the times between frames while `work` runs, ms. */
async function framesDuring(page: Page, work: () => Promise<unknown>): Promise<number[]> {
  await page.evaluate(() => {
    const frames: number[] = [];
    let last = performance.now();
    const next = (now: number) => {
      frames.push(now - last);
      last = now;
      handle = requestAnimationFrame(next);
    };
    let handle = requestAnimationFrame(next);
    Object.assign(window, {
      framesSoFar: () => {
        cancelAnimationFrame(handle);
        return frames.slice(1);
      },
    });
  });
  await work();
  return page.evaluate("framesSoFar()");
}

/** Returns the time until the slowest interaction was painted, ms, at least 16. */
async function longestInteraction(page: Page, work: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => {
    const times: number[] = [];
    const observer = new PerformanceObserver((entries) => {
      for (const { duration } of entries.getEntries()) times.push(duration);
    });
    observer.observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
    Object.assign(window, {
      interactionsSoFar: () => {
        for (const { duration } of observer.takeRecords()) times.push(duration);
        observer.disconnect();
        return Math.max(16, ...times);
      },
    });
  });
  await work();
  await sleep(600);
  return page.evaluate("interactionsSoFar()");
}
