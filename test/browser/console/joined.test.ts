import { describe, expect, it } from "vitest";
import { expectFit, PASSWORD, serveConsole, signedIn } from "./operator.ts";

serveConsole();

describe("a second account of the same user", () => {
  it("a second account is added by signing in to it, and can be switched to and back", async () => {
    const [here, there] = [await signedIn(), await signedIn()];
    await there.account.server("POST", "/api/v1/faqs", { name: "only_there", title: "Only there", content: "Yes." });
    const { page } = here;
    await page.getByRole("button", { name: /^Signed in/ }).click();
    const menu = page.getByRole("menu");
    for (const words of ["Signed in as Ada Byron", here.email, `Owner in ${here.account.name}`])
      await menu.getByText(words, { exact: false }).waitFor();
    await page.getByRole("menuitem", { name: "Join another account" }).click();
    const dialog = page.getByRole("dialog", { name: "Join another account" });
    await dialog.getByLabel("Account").fill(there.account.name);
    await dialog.getByLabel("Email").fill(there.email);
    await dialog.getByLabel("Password").fill("not the password");
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await dialog.getByText("Incorrect account, email or password.").waitFor();
    await expectFit(here, "join-account");
    await dialog.getByLabel("Password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: `Signed in: ${there.account.name}` }).waitFor();
    await here.goTo("/faqs");
    await page.getByRole("link", { name: "Only there" }).waitFor();

    await page.getByRole("button", { name: /^Signed in/ }).click();
    await page
      .getByRole("menuitem", { name: new RegExp(here.account.name) })
      .first()
      .click();
    await page.getByRole("button", { name: `Signed in: ${here.account.name}` }).waitFor();
    await page.getByRole("link", { name: "How long does delivery take?" }).waitFor();
    await expect.poll(() => page.getByRole("link", { name: "Only there" }).count()).toBe(0);
  });
});
