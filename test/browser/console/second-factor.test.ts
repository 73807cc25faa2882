import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { authenticator } from "./authenticator.ts";
import { expectFit, type Operator, serveConsole, signedIn, signIn } from "./operator.ts";

serveConsole();

const main = (page: Page) => page.getByRole("navigation", { name: "Main" });
const WRONG = "Incorrect code, or it was already used.";

/** Completes the setup up to the recovery codes. */
async function setUp(page: Page | Locator, looked: (step: string) => Promise<void> = async () => {}) {
  await page.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
  const secret = (await page.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? "";
  const app = authenticator(secret);
  await page.getByLabel("Code", { exact: true }).fill("000000");
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByText(WRONG).waitFor();
  await looked("scan");
  await page.getByLabel("Code", { exact: true }).fill(app.next());
  await page.getByRole("button", { name: "Turn on" }).click();
  const shown = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect.poll(() => shown.count()).toBe(10);
  await looked("codes");
  return { app, codes: await shown.allInnerTexts() };
}

/** Signs in to a new account and sets up a second factor. */
async function withFactor() {
  const operator = await signedIn("/profile");
  const { page } = operator;
  await page.getByRole("button", { name: "Set up" }).click();
  const factor = await setUp(page, (step) => expectFit(operator, `second-factor-${step}`));
  return { operator, page, ...factor };
}

/** Signs in again, up to the second step. */
async function toSecondStep(operator: Operator): Promise<void> {
  await operator.page.getByRole("button", { name: "Sign out" }).first().click();
  await signIn(operator);
  await operator.page.getByLabel("Code", { exact: true }).waitFor();
}

describe("a second factor", () => {
  it("a second factor is set up with a code of the app and required at the next sign-in", async () => {
    const { operator, page, app, codes } = await withFactor();
    // Escape doesn't close the dialog.
    await page.keyboard.press("Escape");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    const file = await readFile(await (await download).path(), "utf8");
    for (const code of codes) expect(file).toContain(code);
    expect(file).toContain(operator.email);
    await page.getByRole("button", { name: "I've saved my codes" }).click();
    await page.getByText("Second factor turned on").waitFor();
    await expectFit(operator, "profile-with-factor");

    await toSecondStep(operator);
    await page.getByLabel("Code", { exact: true }).fill("000000");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText(WRONG).waitFor();
    await expectFit(operator, "sign-in-code");
    await page.getByLabel("Code", { exact: true }).fill(app.next());
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await main(page).waitFor();
  });

  it("can be replaced by a recovery code, once", async () => {
    const { operator, page, codes } = await withFactor();
    await page.getByRole("button", { name: "I've saved my codes" }).click();
    const [code = ""] = codes;
    await toSecondStep(operator);
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(code);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await main(page).waitFor();
    await toSecondStep(operator);
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(code);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("Incorrect recovery code, or it was already used.").waitFor();
  });

  it("gets new recovery codes, moves to another device and is turned off after it was verified", async () => {
    const { operator, page, codes } = await withFactor();
    await page.getByRole("button", { name: "I've saved my codes" }).click();
    const dialog = page.getByRole("alertdialog");
    const answer = async (opens: string, code: string, verb: string) => {
      await page.getByRole("button", { name: opens, exact: true }).click();
      await dialog.getByLabel("Code or recovery code").fill(code);
      await dialog.getByRole("button", { name: verb }).click();
    };
    await answer("New recovery codes", "aaaaa-aaaaa", "Get new codes");
    await dialog.getByText(WRONG).waitFor();
    await expectFit(operator, "new-recovery-codes");
    await dialog.getByLabel("Code or recovery code").fill(codes[0] ?? "");
    await dialog.getByRole("button", { name: "Get new codes" }).click();
    const shown = dialog.getByRole("listitem");
    await expect.poll(() => shown.count()).toBe(10);
    const fresh = await shown.allInnerTexts();
    expect(fresh).not.toContain(codes[1]);
    await dialog.getByRole("button", { name: "I've saved my codes" }).click();

    await answer("Move to another device", fresh[0] ?? "", "Continue");
    const moved = await setUp(dialog);
    await dialog.getByRole("button", { name: "I've saved my codes" }).click();

    await answer("Turn off", moved.codes[0] ?? "", "Turn off");
    await page.getByText("Second factor turned off").waitFor();
    await page.getByRole("button", { name: "Set up" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).first().click();
    await signIn(operator);
    await main(page).waitFor();
  });

  it("changing the password requires the second factor", async () => {
    const { page, codes } = await withFactor();
    await page.getByRole("button", { name: "I've saved my codes" }).click();
    const change = async (code: string) => {
      await page.getByLabel("Current password").fill("correct horse battery staple");
      await page.getByLabel("New password", { exact: true }).fill("plum harbour violin 42");
      await page.getByLabel("Confirm new password").fill("plum harbour violin 42");
      await page.getByLabel("Code", { exact: true }).fill(code);
      await page.getByRole("button", { name: "Change password" }).click();
    };
    await change("000000");
    await page.getByText("This code is incorrect, or was already used.").waitFor();
    await change(codes[0] ?? "");
    await page.getByText("Password changed.").waitFor();
  });

  it("requires the password again after too many codes, and counts down the wait", async () => {
    const { operator, page } = await withFactor();
    await page.getByRole("button", { name: "I've saved my codes" }).click();
    await toSecondStep(operator);
    const code = page.getByLabel("Code", { exact: true });
    for (let i = 0; i < 6; i++) {
      // A wrong code is removed from its field once the refusal is shown.
      await expect.poll(() => code.inputValue()).toBe("");
      await code.fill(`00000${i}`);
      const answered = page.waitForResponse("**/api/login/second-factor");
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await answered;
    }
    await page.getByText("This sign-in has expired or had too many incorrect codes.").waitFor();
    await page.getByLabel("Password").waitFor();
    expect(await page.getByLabel("Password").inputValue()).toBe("");

    await signIn(operator);
    const refused = { status: 429, headers: { "retry-after": "20", "x-error-code": "rate_limited" }, json: "wait" };
    await page.route("**/api/login/second-factor", (route) => route.fulfill(refused));
    await code.fill("123456");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText(/Too many failed attempts. Try again in \d+ seconds/).waitFor();
    expect(await page.getByRole("button", { name: "Sign in", exact: true }).isDisabled()).toBe(true);
  });
});

describe("an account that requires a second factor", () => {
  it("leads a user without one to its setup, and to nothing else", async () => {
    const operator = await signedIn("/sign-in-policy");
    const { page } = operator;
    await page.getByLabel("Require a second factor").check();
    await page.getByLabel("Maximum session length (hours)").fill("8");
    await expectFit(operator, "sign-in-policy");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Require it" }).click();
    await page.getByText("Sign-in policy saved").waitFor();

    await operator.goTo("/api-keys");
    const title = page.getByRole("heading", { name: "Set up a second factor" });
    await title.waitFor();
    expect(await main(page).isVisible()).toBe(false);
    const elsewhere = await operator.newTab();
    await elsewhere.getByRole("heading", { name: "Set up a second factor" }).waitFor();
    await expectFit(operator, "second-factor-required");
    await elsewhere.getByRole("button", { name: "Sign out" }).waitFor();
    await page.getByRole("button", { name: "Set up" }).click();
    await setUp(page);
    await page.getByRole("button", { name: "I've saved my codes" }).click();
    await page.getByRole("heading", { name: "API keys", exact: true }).waitFor();
    await page.getByRole("link", { name: "server" }).waitFor();
    await main(elsewhere).waitFor();
  });
});
