import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { sharedBrowser } from "../process/support/browser.ts";
import { type RunningWorker, startWorker } from "../process/support/worker.ts";
import { WAIT_TIMEOUT_MS } from "../support/wait-timeout.ts";
import { serious } from "./axe.ts";
import { timeless } from "./stand-still.ts";

let browser: Browser;
let worker: RunningWorker;

beforeAll(async () => {
  [browser, worker] = await Promise.all([sharedBrowser(), startWorker({})]);
});
afterAll(() => worker.stop());

const DRESSES = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 360 },
] as const;
/** A fault in Swagger UI's own markup that styles cannot fix: accessible names that differ from labels. */
const NOT_OURS = ["label-content-name-mismatch"];

/** Opens a reader's page and collects the browser's complaints, including refusals by the policy. */
async function read({ colorScheme, width }: (typeof DRESSES)[number]) {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 }, reducedMotion: "reduce" });
  onTestFinished(() => context.close());
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: worker.origin });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_TIMEOUT_MS);
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return { page, complaints, open: (path: string) => page.goto(worker.origin + path) };
}

/**
 * Clicks until an element appears, because a click during a redraw of the page is lost. It waits longer after each
 * click, because on a slow machine another click undoes what the last one has begun.
 */
async function clickUntil(button: Locator, appears: Locator): Promise<void> {
  for (let wait = 1_000; wait < WAIT_TIMEOUT_MS; wait *= 2) {
    await button.click({ timeout: wait }).catch(() => {});
    const isThere = await appears.waitFor({ timeout: wait }).then(
      () => true,
      () => false,
    );
    if (isThere) return;
  }
  await appears.waitFor();
}

/** Waits until the page has drawn what was changed before. */
const frames = (page: Page) =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));

/** Scrolls to a part of the page's height: 0 is its beginning, 1 its end. */
async function scrollTo(page: Page, part: number): Promise<void> {
  await page.evaluate((part) => window.scrollTo(0, part * document.documentElement.scrollHeight), part);
  await frames(page);
}

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
/** Returns the addresses of this host to which the page links. */
const links = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>("a[href]")]
      .map(({ href }) => href)
      .filter((href) => href.startsWith(location.origin)),
  );

/** Returns the addresses of the page's pictures that cannot be shown. */
const brokenPictures = (page: Page) =>
  page.evaluate(() => [...document.images].filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => src));

/** Returns controls within other controls. Neither the keyboard nor a screen reader reaches both. */
const nested = (page: Page) =>
  page.evaluate(() => {
    const inside = ["a[href]", "button", "summary", "[role=button]"].map(
      (outer) => `${outer} :is(a[href], button, input, select, textarea, summary, [role=button])`,
    );
    return [...document.querySelectorAll(inside.join())].map(({ outerHTML }) => outerHTML.slice(0, 100));
  });

describe("the guides in a browser", () => {
  it.each(DRESSES)("the guides are readable and no wider than the screen: %o", async (dress) => {
    const { page, complaints, open } = await read(dress);
    const guides = [
      "/docs/guides",
      "/docs/guides/console-agent",
      "/docs/guides/first-agent",
      "/docs/guides/first-call",
    ];
    for (const path of [...guides, "/docs/sign-in", "/docs/deploy", "/docs/stability"]) {
      await open(path);
      expect(await serious(page), path).toEqual([]);
      expect(await overflow(page), path).toBeLessThanOrEqual(0);
      expect(await nested(page), path).toEqual([]);
    }
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(background === "rgb(255, 255, 255)").toBe(dress.colorScheme === "light");
    expect(complaints).toEqual([]);
    await open("/docs/nothing");
    expect(await serious(page)).toEqual([]);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Page not found");
  });

  it("have no broken links, to pages or sections", async () => {
    const { page, open } = await read(DRESSES[0]);
    const waiting = [`${worker.origin}/docs/guides`];
    const sections = new Map<string, string[]>();
    const wanted = new Set<string>();
    for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
      const { origin, pathname } = new URL(address);
      if (sections.has(pathname)) continue;
      const response = await open(pathname);
      expect(response?.status(), pathname).toBe(200);
      sections.set(pathname, await page.evaluate(() => [...document.querySelectorAll("[id]")].map(({ id }) => id)));
      expect(await brokenPictures(page), pathname).toEqual([]);
      for (const href of await links(page)) {
        const { pathname: to, hash } = new URL(href);
        // The reference's sections are created by Swagger UI.
        if (hash && to !== "/docs") wanted.add(to + hash);
        if (to.startsWith("/docs/")) waiting.push(origin + to);
      }
    }
    expect(sections.size).toBeGreaterThan(9);
    for (const place of wanted) {
      const [path = "", id = ""] = place.split("#");
      expect(sections.get(path), place).toContain(decodeURIComponent(id));
    }
  });

  it("have buttons that copy their commands", async () => {
    const { page, open } = await read(DRESSES[0]);
    await open("/docs/guides/first-agent");
    const block = page.locator(".code", { hasText: "export SWITCHBOARD" });
    await timeless(page, async () => {
      await block.getByRole("button", { name: "Copy" }).click();
      await block.getByRole("button", { name: "Copied" }).waitFor();
    });
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await block.locator("code").textContent());
  });

  it("link to the reference, which links back", async () => {
    const { page, open } = await read(DRESSES[1]);
    await open("/docs");
    await page.getByRole("banner").getByRole("link", { name: "Guides" }).click();
    await page.getByRole("link", { name: "Your first agent", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Your first agent" }).waitFor();
    await page.getByRole("banner").getByRole("link", { name: "Reference" }).click();
    await page.locator(".opblock-tag").first().waitFor();
  });
});

describe("the reference in a browser", () => {
  it.each(DRESSES)(
    "the reference is readable with an operation open, tried and refused, and in its dialog: %o",
    async (dress) => {
      const { page, complaints, open } = await read(dress);
      const findings = async (within?: string) =>
        (await serious(page, within)).filter((finding) => !NOT_OURS.some((id) => finding.startsWith(`${id}:`)));
      // Colors are checked only after transitions have ended.
      const isReadable = (within?: string) => expect.poll(() => findings(within)).toEqual([]);
      await open("/docs#/Calls/originateCall");
      const operation = page.locator(".opblock.is-open");
      await operation.locator(".opblock-body .microlight").first().waitFor();
      expect(await nested(page)).toEqual([]);
      await isReadable();
      const execute = operation.getByRole("button", { name: "Execute" });
      await clickUntil(operation.getByRole("button", { name: "Try it out" }), execute);
      await clickUntil(execute, operation.locator(".live-responses-table"));
      await isReadable(".opblock.is-open");
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      await clickUntil(page.locator(".btn.authorize").first(), page.locator(".dialog-ux .auth-container").first());
      await isReadable(".dialog-ux");
      await page.locator(".dialog-ux .close-modal").click();
      const model = page.locator("section.models .json-schema-2020-12-accordion").first();
      await clickUntil(page.locator("section.models .models-control[aria-expanded=false]"), model);
      await model.click();
      await isReadable("section.models");
      expect(await nested(page)).toEqual([]);
      // The call without a key is refused, which the browser reports for each click. It reports nothing else.
      expect([...new Set(complaints)]).toEqual([expect.stringContaining("401")]);
    },
  );

  it("names the open operation in its address", async () => {
    const { page, open } = await read(DRESSES[0]);
    await open("/docs");
    const operation = page.locator("#operations-Agents-attachAgentFaq");
    await clickUntil(page.locator("#operations-tag-Agents[data-is-open=false]"), operation);
    await clickUntil(operation.locator(".opblock-summary-control"), operation.locator(".opblock-body"));
    expect(new URL(page.url()).hash).toBe("#/Agents/attachAgentFaq");
  });

  describe("with an operation in its address", () => {
    /** Opens the address of an operation and waits until it is shown. */
    async function readOperation(dress: (typeof DRESSES)[number]) {
      const { page, open } = await read(dress);
      await open("/docs#/Calls/originateCall");
      const operation = page.locator("#operations-Calls-originateCall.is-open");
      await operation.locator(".opblock-body").waitFor();
      return { page, operation };
    }

    it.each(DRESSES)("the operation begins below the header: %o", async (dress) => {
      const { page, operation } = await readOperation(dress);
      const top = async () => (await operation.boundingBox())?.y;
      const topAtRest = async () => {
        const before = await top();
        await frames(page);
        return before === (await top()) ? before : undefined;
      };
      await expect.poll(topAtRest).toBeLessThan(100);
      const header = await page.getByRole("banner").boundingBox();
      expect(await top()).toBeGreaterThanOrEqual(header?.height ?? Number.NaN);
    });

    it("the operation stays in the page, wherever the reader scrolls", async () => {
      const { page, operation } = await readOperation(DRESSES[0]);
      for (const part of [0, 1]) {
        await scrollTo(page, part);
        expect(await operation.count(), `at ${part}`).toBe(1);
      }
    });

    it("the reader is not moved when they open further sections", async () => {
      const { page } = await readOperation(DRESSES[0]);
      await scrollTo(page, 0);
      await page.evaluate(() => {
        for (const section of document.querySelectorAll<HTMLElement>(".opblock-tag[data-is-open=false]"))
          section.click();
      });
      await page.locator("#operations-tag-Agents[data-is-open=true]").waitFor();
      await frames(page);
      expect(await page.evaluate(() => scrollY)).toBe(0);
    });
  });
});
