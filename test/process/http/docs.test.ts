import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch } from "../support/browser.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";
import { redoclyFindings, spectralFindings } from "./lint.ts";

let worker: RunningWorker;
let browser: Browser;

beforeAll(async () => {
  [worker, browser] = await Promise.all([startWorker({}), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await worker?.stop();
});

const KEY = "sk_live_acme_entered-by-hand";

describe("the API reference in a browser", () => {
  it("forgets a key that was entered when the page is left, and one that an earlier version kept", async () => {
    const page = await browser.newPage();
    const kept = () => page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    await page.goto(`${worker.origin}/docs`);
    await page.evaluate((key) => localStorage.setItem("authorized", JSON.stringify({ apiKey: { value: key } })), KEY);
    await page.reload();
    await page.locator(".swagger-ui .btn.authorize").first().click();
    await page.locator(".auth-container input").first().fill(KEY);
    await page.locator(".auth-btn-wrapper .authorize").first().click();
    await page.locator(".auth-btn-wrapper button", { hasText: "Logout" }).first().waitFor();
    expect(await kept()).not.toContain("sk_live");
    await page.reload();
    await page.locator(".swagger-ui .btn.authorize.unlocked").first().waitFor();
    expect(await kept()).not.toContain("sk_live");
  });
});

describe("/openapi.json", () => {
  it.each([
    ["Redocly", redoclyFindings],
    ["Spectral", spectralFindings],
  ])("has nothing to find for the recommended rules of %s", async (_, findings) => {
    const document = await (await fetch(`${worker.origin}/openapi.json`)).text();
    expect(await findings(document)).toEqual([]);
    expect(await findings(JSON.stringify({ openapi: "3.1.0", info: { title: "Broken" }, paths: {} }))).not.toEqual([]);
  });
});
