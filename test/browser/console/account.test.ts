import { describe, expect, it } from "vitest";
import { expectFit, PASSWORD, serveConsole, signedIn, signIn, visitConsole } from "./operator.ts";

serveConsole();

const NEW_PASSWORD = "plum harbour violin 42";

describe("the password", () => {
  it("a password is changed with the old one, which ends the sessions in other browsers", async () => {
    const operator = await signedIn("/profile");
    const { page, email, account } = operator;
    await page.getByLabel("Current password").fill("not it");
    await page.getByLabel("New password", { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel("Confirm new password").fill("another");
    await page.getByText("The passwords don't match.").waitFor();
    await page.getByLabel("Confirm new password").fill(NEW_PASSWORD);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Incorrect password.").waitFor();
    await expectFit(operator, "profile");

    const elsewhere = await visitConsole();
    await signIn({ ...elsewhere, email, account });
    await elsewhere.page.getByRole("navigation", { name: "Main" }).waitFor();
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Password changed.").waitFor();

    // The overview's next request is refused there, so the screen stays behind the sign-in dialog.
    const ended = elsewhere.page.getByRole("alertdialog", { name: "Your session has ended" });
    await ended.getByLabel("Password").fill(NEW_PASSWORD);
    await expectFit(elsewhere, "session-ended");
    await ended.getByRole("button", { name: "Sign in", exact: true }).click();
    await ended.waitFor({ state: "detached" });
    await elsewhere.page.getByRole("heading", { name: "Overview" }).waitFor();
    await elsewhere.page.getByRole("link", { name: "API keys" }).click();
    await elsewhere.page.getByRole("link", { name: "server" }).waitFor();
  });
});

describe("sessions", () => {
  it("sessions are shared with new tabs, survive a reload, and end in all tabs at once", async () => {
    const { page, newTab } = await signedIn();
    await page.reload();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    const second = await newTab();
    await second.getByRole("navigation", { name: "Main" }).waitFor();
    await second.getByRole("button", { name: "Sign out" }).first().click();
    for (const tab of [second, page]) await tab.getByRole("heading", { name: "Sign in to Switchboard" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Sign in to Switchboard" }).waitFor();
  });

  it("do not begin with a wrong password", async () => {
    const operator = await visitConsole();
    await signIn(operator, "wrong");
    await operator.page.getByText("Incorrect account, email or password.").waitFor();
    await expectFit(operator, "sign-in");
  });
});

describe("the audit log and the limits", () => {
  it("show past actions and allowed usage", async () => {
    const operator = await signedIn("/audit-log");
    const { page } = operator;
    await page.getByRole("searchbox", { name: "Resource" }).fill("api_key");
    const entries = page.getByRole("link", { name: "Create" });
    await expect.poll(() => entries.allInnerTexts()).toEqual([expect.stringMatching(/^Created API key\n/)]);
    await expect.poll(() => page.getByRole("table").getByText("You", { exact: true }).count()).toBe(1);
    await entries.click();
    await page.getByRole("complementary", { name: "Created API key" }).getByText("Request ID").waitFor();
    // The filter stays in the address of the list.
    expect(await page.getByRole("searchbox", { name: "Resource" }).inputValue()).toBe("api_key");
    await expectFit(operator, "audit-log");
    await page.getByLabel("Close").click();
    await page.getByRole("searchbox", { name: "Resource" }).fill("nothing_such");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByRole("link", { name: "Create" }).first().waitFor();

    await page.getByRole("link", { name: "Limits and quotas" }).click();
    await expect.poll(() => page.getByText("Concurrent calls").count()).toBe(1);
    await page.getByText("1 of 5,000").first().waitFor();
    await expectFit(operator, "limits");
  });
});
