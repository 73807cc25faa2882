import { describe, expect, it } from "vitest";
import { follow, serveConsole, signedIn } from "./operator.ts";

serveConsole();

/** The screens in the rail below the overview, for a user who may see all of them. */
const LISTS = [
  ...["campaigns", "conversations", "calls", "recordings"],
  ...["agents", "marketplace", "tools", "playbooks", "faqs", "knowledge"],
  ...["numbers", "carriers", "integrations", "widget-keys", "api-keys", "webhooks"],
  ...["account", "members", "do-not-call", "call-settings", "privacy"],
  ...["usage", "prices", "budgets", "limits", "audit-log", "sign-in-policy", "profile"],
];

describe("the frame of the screens", () => {
  it("moves the focus to the screen that was opened", async () => {
    const { page } = await signedIn();
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("heading", { name: "API keys", exact: true }).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent);
    await expect.poll(focused).toBe("content");
    // A row opened beside its list keeps the focus in the list. The focus of a closed panel is lost.
    await page.getByRole("link", { name: "FAQs" }).click();
    await page.getByRole("link", { name: "How can I pay?" }).click();
    const panel = page.getByRole("complementary", { name: "How can I pay?" });
    await panel.getByLabel("Answer").waitFor();
    expect(await focused()).toBe("How can I pay?");
    await panel.getByRole("button", { name: "Close" }).click();
    await panel.waitFor({ state: "detached" });
    await expect.poll(focused).toBe("content");
  });

  it.each([
    ["/faqs", "list", "script"],
    ["/faqs", "script", "list"],
    ["/agents", "list", "script"],
    ["/agents", "script", "list"],
  ] as const)("opens a row followed from %s if its %s arrives before its %s", async (from, first, second) => {
    const { page, account, goTo } = await signedIn();
    const { faqs } = await account.server<{ faqs: { id: string; title: string }[] }>("GET", "/api/v1/faqs");
    const { id = "", title: name = "" } = faqs.at(-1) ?? {};
    const held = { list: "**/api/v1/faqs", script: "**/faq-panel-*.js" };
    const may = { list: Promise.withResolvers<void>(), script: Promise.withResolvers<void>() };
    const order = [first, second];
    for (const each of order) {
      await page.route(held[each], async (route) => {
        await may[each].promise;
        await route.continue();
      });
    }
    await goTo(from);
    await follow(page, `/faqs/${id}`);
    for (const each of order) {
      const arrives = page.waitForResponse(held[each]);
      may[each].resolve();
      await (await arrives).finished();
    }
    await page.getByRole("complementary", { name }).getByLabel("Answer").waitFor();
    const open = page.getByRole("row").filter({ hasText: name });
    await expect.poll(() => open.getAttribute("aria-current")).toBe("true");
    expect(await page.title()).toBe(`${name} · Switchboard`);
    await page.getByRole("button", { name: "Close" }).click();
    await expect.poll(() => page.title()).toBe("FAQs · Switchboard");
  });

  it("the rail links to every list of the account", async () => {
    const { page } = await signedIn("/faqs");
    const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
    const shown = await links.evaluateAll((all) => all.map((each) => each.getAttribute("href")));
    expect(shown).toEqual(["/console", ...LISTS.map((name) => `/console/${name}`)]);
  });

  it("shows the current screen in the rail, however low the window is", async () => {
    const operator = await signedIn("/audit-log");
    const { page } = operator;
    await page.setViewportSize({ width: 1280, height: 500 });
    const current = page.getByRole("navigation", { name: "Main" }).locator("[aria-current=page]");
    const isSeen = () =>
      current.evaluate((item) => {
        const { top, bottom } = item.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
    await page.reload();
    await expect.poll(isSeen).toBe(true);
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });

  it("reports that a screen was replaced by a newer release", async () => {
    const { page } = await signedIn();
    await page.route(/\/console\/assets\/api-keys/, (route) => route.fulfill({ status: 404 }));
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("heading", { name: "A newer version is available" }).waitFor();
    await page.unroute(/\/console\/assets\/api-keys/);
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("heading", { name: "API keys", exact: true }).waitFor();
  });

  it("reports that a screen cannot be loaded while the service is unreachable, and loads it afterwards", async () => {
    const { page } = await signedIn();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.route("**/*", (route) => route.abort("connectionrefused"));
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("heading", { name: "This page didn't load" }).waitFor();
    await page.getByText("Switchboard can't be reached. Check your connection, then try again.").waitFor();
    await expect.poll(() => page.getByText("newer version").count()).toBe(0);
    const again = page.getByRole("button", { name: "Try again" });
    const failed = page.waitForEvent("requestfailed");
    await again.click();
    await failed;
    // The button is busy until the attempt has failed.
    await expect.poll(() => again.isEnabled()).toBe(true);
    await page.getByRole("heading", { name: "This page didn't load" }).waitFor();
    await page.unroute("**/*");
    await again.click();
    await page.getByRole("heading", { name: "API keys", exact: true }).waitFor();
  });

  it("reports that a save did not reach the service, and keeps the input", async () => {
    const { page } = await signedIn();
    await page.getByRole("link", { name: "FAQs" }).click();
    await page.getByRole("link", { name: "How can I pay?" }).click();
    const panel = page.getByRole("complementary", { name: "How can I pay?" });
    await panel.getByLabel("Answer").fill("By card.");
    await page.route("**/api/v1/faqs/**", (route) => route.abort("connectionrefused"));
    await panel.getByRole("button", { name: "Save" }).click();
    const alert = panel.getByRole("alert");
    await alert.getByText("Switchboard can't be reached. Check your connection, then try again.").waitFor();
    await page.unroute("**/api/v1/faqs/**");
    expect(await panel.getByLabel("Answer").inputValue()).toBe("By card.");
    await panel.getByRole("button", { name: "Save" }).click();
    await alert.waitFor({ state: "detached" });
  });

  it("says when to retry a refused request, and that a failed one may be retried", async () => {
    const { page } = await signedIn("/agents");
    const answer = { status: 200, headers: {}, body: "" };
    await page.route("**/api/v1/faqs**", (route) => route.fulfill(answer));
    const expectWords = async (given: typeof answer, words: string) => {
      Object.assign(answer, given);
      await page.getByRole("link", { name: "Agents", exact: true }).click();
      await page.getByRole("heading", { name: "Agents", exact: true }).waitFor();
      await page.getByRole("link", { name: "FAQs", exact: true }).click();
      const alert = page.getByRole("main").getByRole("alert");
      await alert.getByText(words, { exact: true }).waitFor();
    };
    const limited = { "x-error-code": "rate_limited", "retry-after": "17" };
    const body = JSON.stringify("too many requests from this user");
    const wait = "Too many requests from this user. Try again in 17 seconds.";
    await expectWords({ status: 429, headers: limited, body }, wait);
    await expectWords(
      { status: 429, headers: { "retry-after": "300" }, body: "" },
      "Too many requests. Try again in 5 minutes.",
    );
    const again = "Something went wrong. Try again in a moment.";
    await expectWords({ status: 502, headers: {}, body: "<h1>Bad gateway</h1>" }, again);
    await expectWords({ status: 500, headers: { "x-error-code": "internal" }, body: '"internal error"' }, again);
  });

  it("reports an unknown address", async () => {
    const { page } = await signedIn("/nothing/such");
    await page.getByRole("heading", { name: "Page not found" }).first().waitFor();
    await page.getByRole("link", { name: "Back" }).click();
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/console\/?$/);
  });
});
