import type { Page, Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectFit, type Operator, PASSWORD, serveConsole, signedIn, signIn, visitConsole } from "./operator.ts";

serveConsole();

const main = (page: Page) => page.getByRole("navigation", { name: "Main" });
const ended = (page: Page) => page.getByRole("alertdialog", { name: "Your session has ended" });
const held = (page: Page): Promise<{ access_token: string; refresh_token: string | null }> =>
  page.evaluate(() => JSON.parse(sessionStorage.getItem("switchboard-session") ?? "{}"));

/** Opens a screen with a movable clock, and records its tabs' renewals. */
async function withClock(path = "/") {
  const operator = await signedIn(path);
  const { page } = operator;
  const renewals: string[] = [];
  page.context().on("request", (request) => {
    if (request.url().endsWith("/api/session/refresh")) renewals.push(request.postDataJSON().refresh_token);
  });
  await page.clock.install();
  await page.reload();
  await main(page).waitFor();
  return { operator, page, renewals };
}

/** Returns how many tabs are renewing the session, and how many wait for their turn. */
const turns = (page: Page): Promise<{ held?: number; pending?: number }> =>
  page.evaluate(async () => {
    const count = (locks: LockInfo[] = []) => locks.filter(({ name }) => name === "switchboard-renewal").length;
    const { held, pending } = await navigator.locks.query();
    return { held: count(held), pending: count(pending) };
  });

/** Signs in to the same account with another browser. */
async function elsewhere({ email, account }: Operator): Promise<Page> {
  const other = await visitConsole();
  await signIn(Object.assign(other, { email, account }));
  await main(other.page).waitFor();
  return other.page;
}

describe("a session in use", () => {
  it("a session is silently renewed before its token expires, over hours", async () => {
    const { page, renewals } = await withClock();
    const first = await held(page);
    for (const count of [1, 2, 3]) {
      await page.clock.fastForward("51:00");
      await expect.poll(() => renewals.length).toBe(count);
      await expect.poll(async () => (await held(page)).refresh_token).not.toBe(renewals.at(-1));
    }
    expect(new Set(renewals).size).toBe(3);
    expect((await held(page)).access_token).not.toBe(first.access_token);
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("link", { name: "server" }).waitFor();
    await expect.poll(() => ended(page).count()).toBe(0);
    await expect.poll(() => page.getByText(/Your session ends/).count()).toBe(0);
  });

  it("one tab renews a session, and the others continue with the new tokens", async () => {
    const { operator, page, renewals } = await withClock();
    const tabs = [page, await operator.newTab(), await operator.newTab()];
    for (const tab of tabs) await main(tab).waitFor();
    const pending: Route[] = [];
    await page.context().route("**/api/session/refresh", (route) => void pending.push(route));
    for (const count of [1, 2, 3]) {
      await page.clock.fastForward("51:00");
      // The request is answered only after all tabs have found the renewal due, as on a slow machine.
      await expect.poll(() => pending.length).toBe(count);
      await expect.poll(() => turns(page)).toEqual({ held: 1, pending: tabs.length - 1 });
      await pending.at(-1)?.continue();
      await expect.poll(() => turns(page)).toEqual({ held: 0, pending: 0 });
      expect(renewals).toHaveLength(count);
      const shared = new Set(await Promise.all(tabs.map(async (tab) => (await held(tab)).refresh_token)));
      expect([...shared]).toEqual([expect.not.stringMatching(renewals.at(-1) ?? "")]);
    }
    for (const tab of tabs) {
      await tab.getByRole("link", { name: "API keys" }).click();
      await tab.getByRole("link", { name: "server" }).waitFor();
    }
  });

  it("continues after a sleep in which its token expired", async () => {
    const { page, renewals } = await withClock("/api-keys");
    await page.clock.fastForward("01:30:00");
    await page.getByRole("link", { name: "FAQs" }).click();
    await page.getByRole("link", { name: "How can I pay?" }).waitFor();
    await expect.poll(() => renewals.length).toBe(1);
    await expect.poll(() => ended(page).count()).toBe(0);
  });

  it("a tab loaded with an expired token renews the session before its first request", async () => {
    const { page, renewals } = await withClock("/api-keys");
    await page.evaluate(() => {
      const stored = JSON.parse(sessionStorage.getItem("switchboard-session") ?? "{}");
      const expired = Object.assign(stored, { access_token: `${stored.access_token}x`, expires_at: Date.now() - 1 });
      sessionStorage.setItem("switchboard-session", JSON.stringify(expired));
    });
    await page.reload();
    await page.getByRole("link", { name: "server" }).waitFor();
    expect(renewals).toHaveLength(1);
    await expect.poll(() => ended(page).count()).toBe(0);
  });

  it("continues once the service is reachable again", async () => {
    const { page } = await withClock();
    let isDown = true;
    await page.route("**/api/session/refresh", (route) => (isDown ? route.abort() : route.continue()));
    const failed = page.waitForEvent("requestfailed");
    await page.clock.fastForward("51:00");
    await failed;
    const before = await held(page);
    isDown = false;
    await page.clock.fastForward("00:30");
    await expect.poll(async () => (await held(page)).refresh_token).not.toBe(before.refresh_token);
    await expect.poll(() => ended(page).count()).toBe(0);
  });
});

describe("a session that is over", () => {
  it("asks the user to sign in over the screen, however it ended", async () => {
    const { operator, page } = await withClock("/faqs/new");
    await page.getByLabel("Title").fill("Half an answer");
    const other = await elsewhere(operator);
    await other.goto(new URL("/console/profile", page.url()).href);
    await other.getByRole("button", { name: "Sign out of all others" }).click();
    await other.getByRole("alertdialog").getByRole("button", { name: "Sign out of all others" }).click();
    await other.getByText("All your other sessions have ended").waitFor();

    await page.clock.fastForward("51:00");
    await ended(page).getByLabel("Password").fill(PASSWORD);
    await ended(page).getByRole("button", { name: "Sign in", exact: true }).click();
    await ended(page).waitFor({ state: "detached" });
    expect(await page.getByLabel("Title").inputValue()).toBe("Half an answer");
  });

  it("asks the user to sign in over a screen that is still loading, and then loads it", async () => {
    const { page } = await signedIn();
    const refused = { status: 401, headers: { "x-error-code": "token_invalid" }, json: "the session is over" };
    await page.route("**/api/v1/**", (route) => route.fulfill(refused));
    await page.reload();
    await ended(page).getByLabel("Password").fill(PASSWORD);
    await page.unroute("**/api/v1/**");
    await ended(page).getByRole("button", { name: "Sign in", exact: true }).click();
    await ended(page).waitFor({ state: "detached" });
    await page.getByText("No campaigns running.").waitFor();
  });

  it("asks the user to sign in as soon as its renewal is refused", async () => {
    const { page } = await withClock("/faqs/new");
    const refused = { status: 401, headers: { "x-error-code": "token_invalid" }, json: "the session is over" };
    await page.route("**/api/session/refresh", (route) => route.fulfill(refused));
    await page.clock.fastForward("51:00");
    await ended(page).waitFor();

    // The screen behind the dialog has stopped polling, because its requests would be refused.
    const requested: string[] = [];
    page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    await page.clock.fastForward("05:00");
    await page.evaluate(() => fetch("/healthz"));
    expect(requested).toEqual(["/healthz"]);
  });

  it("a session's end is announced in its last minutes, and it can be continued over the screen", async () => {
    const { page } = await withClock("/faqs/new");
    await page.getByLabel("Title").fill("Half an answer");
    // Twelve hours after the sign-in a renewal no longer extends the session.
    await page.route("**/api/session/refresh", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), expires_in: 540 } });
    });
    const soon = page.getByText(/Your session ends in \d minutes?\./);
    await page.clock.fastForward("51:00");
    await expect.poll(async () => (await held(page)).refresh_token).toBeNull();
    await expect.poll(() => soon.count()).toBe(0);
    await page.clock.fastForward("05:00");
    await soon.waitFor();
    await page.getByRole("button", { name: "Sign in again" }).click();
    const again = page.getByRole("dialog", { name: "Sign in again" });
    await again.getByLabel("Password").fill("not it");
    await again.getByRole("button", { name: "Sign in", exact: true }).click();
    await again.getByText("Incorrect password.").waitFor();
    await again.getByLabel("Password").fill(PASSWORD);
    await again.getByRole("button", { name: "Sign in", exact: true }).click();
    await again.waitFor({ state: "detached" });
    await expect.poll(() => soon.count()).toBe(0);
    expect(await page.getByLabel("Title").inputValue()).toBe("Half an answer");
  });
});

describe("the list of sessions", () => {
  it("shows all sessions, and ends them one by one", async () => {
    const operator = await signedIn("/profile");
    const { page } = operator;
    const other = await elsewhere(operator);
    await page.reload();
    const rows = page.getByRole("region", { name: "Sessions" }).getByRole("row");
    // The rows are the session of the test's account, that of the other browser, and the header.
    await expect.poll(() => rows.count()).toBe(3);
    await expect.poll(() => rows.filter({ hasText: "This session" }).count()).toBe(1);
    await rows.filter({ hasText: "127.0.0.1" }).first().waitFor();
    await expectFit(operator, "own-sessions");
    await rows.filter({ hasNotText: "This session" }).getByRole("button", { name: "End session" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "End session" }).click();
    await page.getByText("Session ended").waitFor();
    await expect.poll(() => rows.count()).toBe(2);
    await other.reload();
    await ended(other).waitFor();

    await rows.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Switchboard" }).waitFor();
  });
});
