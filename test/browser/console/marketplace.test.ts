import { describe, expect, it } from "vitest";
import { expectFit, serveConsole, signedIn } from "./operator.ts";

serveConsole();

describe("the marketplace", () => {
  it("keeps the open template in view even if its card moves", async () => {
    const { page } = await signedIn("/marketplace");
    const card = page.getByRole("article").filter({ hasText: "Win-back Caller" });
    await card.getByRole("link").click();
    await page.getByRole("complementary", { name: "Win-back Caller" }).getByText("Playbooks (3)").waitFor();
    const isSeen = () =>
      card.evaluate((shown) => {
        const { top, bottom } = shown.getBoundingClientRect();
        return top >= 52 && bottom <= innerHeight;
      });
    await expect.poll(isSeen).toBe(true);
  });

  it("shows what a template contains and requires, and creates an agent from it", async () => {
    const operator = await signedIn("/marketplace");
    const { page, account } = operator;
    await page.getByRole("link", { name: "Front Desk" }).waitFor();
    await expectFit(operator, "marketplace");

    await page.getByLabel("Category").selectOption({ label: "Sales (4)" });
    await page.getByRole("link", { name: "Front Desk" }).waitFor({ state: "detached" });
    await page.getByLabel("Category").selectOption("");
    await page.getByLabel("Search", { exact: true }).fill("every call of a small");
    await expect.poll(() => page.getByRole("article").count()).toBe(1);
    await page.getByRole("link", { name: "Front Desk" }).click();

    const panel = page.getByRole("complementary", { name: "Front Desk" });
    await panel.getByText("You are the front desk of a small business.").waitFor();
    // The search stays while a template is open.
    expect(new URL(page.url()).searchParams.get("search")).toBe("every call of a small");
    await panel.getByRole("heading", { name: "Playbooks (3)" }).waitFor();
    const need = panel.getByRole("listitem").filter({ has: page.getByRole("link", { name: "Cal.com" }) });
    await need.getByText("Not ready").waitFor();
    expect(await need.getByRole("link").getAttribute("href")).toBe("/console/integrations/cal_com");
    await expectFit(operator, "template");

    await panel.getByRole("button", { name: "Install" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Agent name").fill("Ada");
    await dialog.getByText("You already have an agent with this name").waitFor();
    await dialog.getByLabel("Agent name").fill("Reception");
    await dialog.getByRole("button", { name: "Install" }).click();
    await page
      .getByRole("dialog", { name: "Reception installed" })
      .getByRole("link", { name: "Book appointment" })
      .waitFor();
    await expectFit(operator, "template-installed");

    const agents = await account.server<{ id: string; name: string; status: string }[]>("GET", "/api/v1/agents");
    const installed = agents.find(({ name }) => name === "Reception");
    expect(installed?.status).toBe("draft");
    await dialog.getByRole("button", { name: "Close" }).last().click();
    expect(await panel.getByRole("link", { name: "Reception" }).getAttribute("href")).toBe(
      `/console/agents/${installed?.id}`,
    );
    // The next copy gets a name that isn't taken.
    await account.server("POST", "/api/v1/agents", { name: "Front Desk" });
    await page.reload();
    await panel.getByRole("button", { name: "Install" }).click();
    await expect.poll(() => dialog.getByLabel("Agent name").inputValue()).toBe("Front Desk 2");
    await dialog.getByRole("button", { name: "Install" }).click();
    await dialog.getByRole("button", { name: "Open agent" }).click();
    await page.waitForURL(/\/console\/agents\/[0-9a-f-]+$/);
  });

  it("reports an empty search, with a link back", async () => {
    const { page } = await signedIn("/marketplace?search=zeppelin");
    await page.getByRole("heading", { name: "No matching templates" }).waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByRole("link", { name: "Front Desk" }).waitFor();
    expect(await page.getByLabel("Search", { exact: true }).inputValue()).toBe("");
  });
});
