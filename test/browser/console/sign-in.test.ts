import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type IdentityProvider, startIdentityProvider } from "../../process/support/identity-provider.ts";
import { type RunningWorker, startWorker } from "../../process/support/worker.ts";
import { PASSWORD, serviceAt } from "../service.ts";
import { standStill } from "../stand-still.ts";
import { expectFit, type Operator, serveConsole, signIn, visitConsole } from "./operator.ts";

serveConsole();

const title = (page: Page) => page.getByRole("heading", { name: "Sign in to Switchboard" });
const main = (page: Page) => page.getByRole("navigation", { name: "Main" });

describe("the sign-in screen", () => {
  it("reports an unknown account, remembers the last user, and focuses the first empty field", async () => {
    const operator = await visitConsole();
    const { page, account, email } = operator;
    await expect
      .poll(() => page.getByLabel("Account").evaluate((field) => field === document.activeElement))
      .toBe(true);
    await page.getByLabel("Account").fill("nobody-here");
    await page.getByLabel("Email").focus();
    await page.getByText("No account has this name").waitFor();
    await expectFit(operator, "sign-in-no-account");
    await page.getByLabel("Account").fill(` ${account.name.toUpperCase()}`);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByLabel("Password").press("Enter");
    await main(page).waitFor();

    await page.getByRole("button", { name: "Sign out" }).click();
    await title(page).waitFor();
    expect(await page.getByLabel("Account").inputValue()).toBe(account.name);
    expect(await page.getByLabel("Email").inputValue()).toBe(email);
    await expect
      .poll(() => page.getByLabel("Password").evaluate((field) => field === document.activeElement))
      .toBe(true);
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toMatch(/eyJ|horse/);
  });

  it("counts down how long to wait after too many failures", async () => {
    const operator = await visitConsole();
    const { page } = operator;
    await page.clock.install();
    await standStill(page);
    const refused = { status: 429, headers: { "retry-after": "20", "x-error-code": "rate_limited" }, json: "wait" };
    await page.route("**/api/login", (route) => route.fulfill(refused));
    await signIn(operator, "wrong");
    await page.getByText("Too many failed attempts. Try again in 20 seconds.").waitFor();
    const button = page.getByRole("button", { name: "Sign in", exact: true });
    expect(await button.isDisabled()).toBe(true);
    await page.clock.runFor(5_000);
    await page.getByText("Try again in 15 seconds.").waitFor();
    await page.clock.runFor(16_000);
    await expect.poll(() => button.isEnabled()).toBe(true);
    await page.clock.resume();
    await page.unroute("**/api/login");
    await page.getByLabel("Password").fill(PASSWORD);
    await button.click();
    await main(page).waitFor();
  });

  it("offers only the enabled ways to sign in", async () => {
    const { page } = await visitConsole();
    const answer = { accounts: [], sign_in: { password: false, identity_provider: true } };
    await page.route("**/api/accounts", (route) => route.fulfill({ json: answer }));
    await page.reload();
    await page.getByRole("button", { name: "Sign in with your identity provider" }).waitFor();
    await expect.poll(() => page.getByRole("textbox").count()).toBe(0);
  });
});

describe("an identity provider", () => {
  let provider: IdentityProvider;
  let worker: RunningWorker;

  beforeAll(async () => {
    provider = await startIdentityProvider(["north", "south"]);
    worker = await startWorker({ ...provider.vars, EMBEDDED_LOGIN: "on" });
    await provider.trust(worker.origin);
    const headers = { ...(await worker.signIn("service-admin")), "content-type": "application/json" };
    for (const [name, display_name] of Object.entries({ north: "North", south: "South", west: "West" })) {
      const body = JSON.stringify({ name, display_name });
      const created = await fetch(`${worker.origin}/api/admin/v1/accounts`, { method: "POST", headers, body });
      expect(created.ok).toBe(true);
    }
    const south = { ...(await worker.signIn("south")), "content-type": "application/json" };
    const body = JSON.stringify({ name: "Southern agent" });
    const created = await fetch(`${worker.origin}/api/v1/agents`, { method: "POST", headers: south, body });
    expect(created.ok).toBe(true);
  });
  afterAll(() => Promise.all([worker.stop(), provider.stop()]));

  const visit = async () => visitConsole(serviceAt(worker.origin, await worker.signIn("service-admin")));

  /** Presses the button and signs in at the provider in the window that opens. */
  async function signInThere({ page }: Operator, isFirst = true): Promise<Page> {
    const opened = page.context().waitForEvent("page");
    await page.getByRole("button", { name: "Sign in with your identity provider" }).click();
    const popup = await opened;
    if (!isFirst) return popup;
    await popup.fill("input[name=login]", "ada");
    await popup.fill("input[name=password]", "any");
    await popup.click("button[type=submit]");
    await popup.waitForSelector('input[name=prompt][value="consent"]', { state: "attached" });
    await popup.click("button[type=submit]");
    return popup;
  }

  /** Sends a message on the window's channel from another page of the same origin. */
  async function say(context: BrowserContext, message: unknown): Promise<void> {
    const page = await context.newPage();
    await page.goto(`${worker.origin}/healthz`);
    await page.evaluate((data) => new BroadcastChannel("switchboard-login").postMessage(data), message);
    await page.close();
  }

  it("an identity provider is offered beside the password, and lets a user switch accounts", async () => {
    const operator = await visit();
    const { page } = operator;
    await page.getByLabel("Account").waitFor();
    await expectFit(operator, "sign-in-both");
    // No sign-in is awaited yet, and an invalid session is ignored.
    const forged = {
      access_token: "x",
      account: "north",
      accounts: [],
      expires_in: 60,
      user: { id: "", email: "", name: "" },
    };
    await say(page.context(), forged);
    const opened = page.context().waitForEvent("page");
    await page.getByRole("button", { name: "Sign in with your identity provider" }).click();
    await (await opened).close();
    await say(page.context(), { access_token: "x" });
    await page.getByText("Continue in the window that opened.").waitFor();
    await title(page).waitFor();

    await signInThere(operator);
    await page.getByRole("heading", { name: "Choose an account" }).waitFor();
    await expectFit(operator, "sign-in-choose");
    await page.getByRole("button", { name: "South" }).click();
    await page.getByRole("link", { name: "Agents", exact: true }).click();
    await page.getByText("Southern agent").waitFor();
    await page.getByRole("button", { name: "Signed in: South" }).click();
    await expectFit(operator, "account-menu");
    await page.getByRole("menuitem", { name: "North" }).click();
    await page.getByRole("button", { name: "Signed in: North" }).waitFor();
    // The data of the other account is no longer shown.
    await page.getByText("No agents yet").waitFor();
    expect(await page.getByText("Southern agent").count()).toBe(0);
    await page.reload();
    await page.getByRole("button", { name: "Signed in: North" }).waitFor();

    // After the session was ended elsewhere, the screen stays behind the sign-in dialog.
    const { access_token } = JSON.parse(
      await page.evaluate(() => sessionStorage.getItem("switchboard-session") ?? "{}"),
    );
    const headers = { authorization: `Bearer ${access_token}`, "x-account-id": "north" };
    expect((await page.request.post(`${worker.origin}/api/logout`, { headers })).status()).toBe(204);
    await page.getByRole("link", { name: "API keys" }).click();
    const ended = page.getByRole("alertdialog", { name: "Your session has ended" });
    await ended.waitFor();
    await signInThere(operator, false);
    await ended.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Signed in: North" }).waitFor();
    await page.getByRole("heading", { name: "API keys", exact: true }).waitFor();
  });

  it("reports a user without an account, here and in its window", async () => {
    const operator = await visit();
    const { page } = operator;
    await page.getByLabel("Account").fill("west");
    const popup = await signInThere(operator);
    await page.getByText("Your identity provider doesn't give you access to this account.").waitFor();
    await popup.getByText("The user has no access to this account.").waitFor();
  });
});
