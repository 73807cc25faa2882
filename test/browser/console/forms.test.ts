import { describe, expect, it } from "vitest";
import { serveConsole, signedIn, visitConsole } from "./operator.ts";

serveConsole();

describe("a form that is not filled in", () => {
  it("shows what is missing at every field at once, and puts the focus on the first", async () => {
    const { page } = await signedIn("/faqs/new");
    const panel = page.getByRole("complementary", { name: "New FAQ" });
    await panel.getByRole("button", { name: "Save" }).click();
    await panel.getByText("Title is required.").waitFor();
    await panel.getByText("Answer is required.").waitFor();
    await expect.poll(() => panel.getByLabel("Title").evaluate((field) => field === document.activeElement)).toBe(true);
    await panel.getByLabel("Title").fill("Where are you?");
    await expect.poll(() => panel.getByText("Title is required.").count()).toBe(0);
    await panel.getByText("Answer is required.").waitFor();
  });

  it("says what a value must be, until it is", async () => {
    const { page, goTo } = await signedIn("/members/invite");
    const email = page.getByLabel("Email");
    const send = page.getByRole("button", { name: "Create invitation" });
    await email.fill("grace");
    await send.click();
    await page.getByText("Email must be an email address.").waitFor();
    await email.fill("grace@shop.example");
    await expect.poll(() => page.getByText("must be an email address").count()).toBe(0);
    await goTo("/sign-in-policy");
    const hours = page.getByRole("spinbutton").first();
    await hours.fill("0");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText(/must be at least 1\./).waitFor();
    await page.getByRole("button", { name: "Discard" }).click();
    await expect.poll(() => page.getByText("must be at least").count()).toBe(0);
  });
});

describe("the sign-in form", () => {
  it("says what is missing in the console's own words", async () => {
    const { page } = await visitConsole();
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    for (const field of ["Account", "Email", "Password"]) await page.getByText(`${field} is required.`).waitFor();
  });

  it("explains the account field, and what to do about a forgotten password", async () => {
    const { page } = await visitConsole();
    await page.getByText("Your company's workspace", { exact: false }).waitFor();
    await page.getByText("Forgot your password?").click();
    await page.getByText("Ask an owner or admin of your account for a password link.", { exact: false }).waitFor();
  });
});
