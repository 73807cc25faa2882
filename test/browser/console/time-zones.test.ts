import { describe, expect, it } from "vitest";
import { atAgent } from "./at-agent.ts";
import { expectFit, search, serveConsole, signedIn } from "./operator.ts";

serveConsole();

describe("time zones", () => {
  it("an account's time zone is set beside its display name", async () => {
    const operator = await signedIn("/account");
    const { page, account } = operator;
    await page.getByLabel("Display name").fill("Acme Dental");
    await search(page.getByLabel("Time zone"), "vienna", "Europe/Vienna");
    await expectFit(operator, "account");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Account saved").waitFor();
    expect(await account.server("GET", "/api/v1/account")).toMatchObject({
      display_name: "Acme Dental",
      timezone: "Europe/Vienna",
    });
  });

  it("an agent's time zone is set, or left to the account", async () => {
    const { page, account } = await atAgent("/settings");
    const zone = async () =>
      (await account.server<{ timezone: string | null }>("GET", `/api/v1/agents/${account.agent.id}`)).timezone;
    await search(page.getByLabel("Time zone"), "tokyo", "Asia/Tokyo");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect.poll(zone).toBe("Asia/Tokyo");
    await search(page.getByLabel("Time zone"), "account", "The account's");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect.poll(zone).toBeNull();
  });
});
