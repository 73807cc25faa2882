import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { sharedBrowser } from "../support/browser.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";

let worker: RunningWorker;
let browser: Browser;

beforeAll(async () => {
  [worker, browser] = await Promise.all([startWorker({}), sharedBrowser()]);
});
afterAll(() => worker?.stop());

const KEY = "sk_live_acme_entered-by-hand";

describe("the API reference in a browser", () => {
  it("clears an entered key when the page is left, and a key that an earlier version stored", async () => {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
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

describe("the pages under /docs", () => {
  it("redirect from a document's former name to its current one", async () => {
    const [old, page] = await Promise.all(
      ["deploying", "deploy"].map((name) => fetch(`${worker.origin}/docs/${name}`)),
    );
    expect([old?.status, page?.status]).toEqual([200, 200]);
    expect(await old?.text()).toContain('content="0; url=/docs/deploy"');
    expect(await page?.text()).toContain("npm run deploy");
  });
});

/** Prints the document that the console's types are generated from. */
const PRINT_DOCUMENT = `
  const { openApiDocument } = await import(process.argv[1]);
  console.log(JSON.stringify(await openApiDocument()));
`;

describe("/openapi.json", () => {
  it("/openapi.json equals the document built from the contracts without a Worker", async () => {
    const module = join(import.meta.dirname, "../../../src/dev/api-types/document.ts");
    const options = ["--input-type=module", "--eval", PRINT_DOCUMENT, module];
    const { stdout } = await promisify(execFile)(process.execPath, options, { maxBuffer: 16 * 1024 * 1024 });
    const served = await (await fetch(`${worker.origin}/openapi.json`)).json();
    expect(JSON.parse(stdout)).toEqual(served);
  });
});
