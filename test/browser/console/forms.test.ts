import { describe, expect, it } from "vitest";
import { follow, serveConsole, signedIn, visitConsole, withSession } from "./operator.ts";

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

describe("a field whose value is not among its options", () => {
  it("shows the value as not available, and keeps it until another is chosen", async () => {
    const { page, account, goTo } = await withSession();
    const number = { e164: "+12025550100", provider: "sandbox", agent_id: account.agent.id };
    const { id } = await account.server<{ id: string }>("POST", "/api/v1/telephony/numbers", number);
    await page.route("**/api/v1/agents", (route) => route.fulfill({ json: [] }));
    await goTo(`/numbers/${id}`);
    const panel = page.getByRole("complementary", { name: "+1 202 555 0100" });
    const agent = panel.getByLabel("Agent");
    const shown = () => agent.locator("option:checked").textContent();
    await expect.poll(shown).toBe(`${account.agent.id} (not available)`);
    expect(await panel.getByRole("button", { name: "Unassign" }).count()).toBe(0);
    await agent.selectOption("No agent");
    await panel.getByRole("button", { name: "Unassign" }).waitFor();
    expect(await agent.getByRole("option").allTextContents()).toEqual(["No agent"]);
  });

  it("shows the value of a filter that the address names", async () => {
    const { page } = await signedIn("/calls?campaign_id=gone");
    await page.getByLabel("Campaign").waitFor();
    await expect
      .poll(() => page.getByLabel("Campaign").locator("option:checked").textContent())
      .toBe("gone (not available)");
  });

  it("shows a placeholder instead of the first option while the options load", async () => {
    const { page, account, goTo } = await withSession();
    const number = { e164: "+12025550100", provider: "sandbox", agent_id: account.agent.id };
    const { id } = await account.server<{ id: string }>("POST", "/api/v1/telephony/numbers", number);
    const held = Promise.withResolvers<void>();
    await page.route("**/api/v1/agents", async (route) => {
      await held.promise;
      await route.continue();
    });
    await goTo(`/numbers/${id}`);
    const shown = page.getByRole("complementary").getByLabel("Agent").locator("option:checked");
    await expect.poll(() => shown.textContent()).toBe("…");
    held.resolve();
    await expect.poll(() => shown.textContent()).toBe("Ada");
  });
});

describe("folded filters", () => {
  it("unfold when Back brings an address that uses one of them", async () => {
    const { page } = await signedIn("/conversations?kind=call");
    const channel = page.getByLabel("Channel");
    await channel.waitFor();
    await follow(page, "/conversations");
    await page.getByRole("button", { name: "Fewer filters" }).click();
    await expect.poll(() => channel.count()).toBe(0);
    await page.goBack();
    await expect.poll(() => channel.inputValue()).toBe("call");
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
