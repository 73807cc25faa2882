import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { serveConsole, signIn, visitConsole } from "./operator.ts";

serveConsole();

/** Limit for all scripts of a first load, gzipped. */
const MOST_BYTES = 153_600;
const MOST_FILES = 61;

it("the first screen after the sign-in loads less than 150 KiB of gzipped script", async () => {
  const operator = await visitConsole(undefined, "/healthz");
  const { page, account, goTo } = operator;
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
  // Shows a phone number, because the rules for grouping it by country would load another 28 KB.
  await account.server("PATCH", `/api/v1/agents/${account.agent.id}`, { status: "active", versioning: "manual" });
  const sent = { e164: "+12025550143", provider: "sandbox", inbound_enabled: true, agent_id: account.agent.id };
  await account.server("POST", "/api/v1/telephony/numbers", sent);
  const sizes: Promise<number>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script")
      sizes.push(response.body().then((body) => gzipSync(body).length));
  });
  await goTo("/");
  await signIn(operator);
  await page.getByText("+1 202 555 0143").first().waitFor();
  await page.waitForLoadState("networkidle");
  const bytes = (await Promise.all(sizes)).reduce((sum, each) => sum + each, 0);
  console.log(`first load: ${bytes} bytes of gzipped script in ${sizes.length} files`);
  expect(bytes).toBeLessThan(MOST_BYTES);
  expect(sizes.length).toBeLessThanOrEqual(MOST_FILES);
});
