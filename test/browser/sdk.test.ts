import { join } from "node:path";
import { build } from "esbuild";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type * as Sdk from "../../packages/sdk/src/index.ts";
import { ROOT } from "../../src/dev/paths.ts";
import { sharedBrowser } from "../process/support/browser.ts";
import { type Service, startService } from "./service.ts";

declare const SDK: typeof Sdk;

let browser: Browser;
let service: Service;
/** The SDK as one script. */
let script: string;

beforeAll(async () => {
  [browser, service] = await Promise.all([sharedBrowser(), startService({})]);
  const entryPoints = [join(ROOT, "packages/sdk/src/index.ts")];
  const { outputFiles } = await build({ entryPoints, bundle: true, format: "iife", globalName: "SDK", write: false });
  script = outputFiles[0]?.text ?? expect.fail("nothing was built");
});
afterAll(() => service.close());

describe("the SDK in a browser", () => {
  it.each(["its own", "the page's"])("the SDK lists agents from a page of the service with %s fetch", async (whose) => {
    const { name, session } = await service.account([]);
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(`${service.origin}/docs`);
    await page.evaluate(`${script}; window.SDK = SDK`);
    const names = await page.evaluate(
      async ([account, apiKey, isGiven]) => {
        const given = isGiven ? { fetch: window.fetch } : {};
        const sb = new SDK.Switchboard({ baseUrl: "", account, apiKey, ...given });
        return (await sb.agents.list().toArray()).map(({ name }) => name);
      },
      [name, session.access_token, whose === "the page's"] as const,
    );
    expect(names).toEqual(["Ada"]);
  });
});
