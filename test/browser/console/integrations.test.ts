import { describe, expect, it } from "vitest";
import { expectFit, serveConsole, signedIn, withSession } from "./operator.ts";

serveConsole();

interface Integration {
  status: string;
  ready: boolean;
  params: Record<string, unknown>;
  secret_names: string[];
}

describe("integrations", () => {
  it("an integration is installed with its secrets, verified, and uninstalled", async () => {
    const operator = await signedIn("/integrations");
    const { page, account } = operator;
    await page.getByLabel("Category").selectOption({ label: "Analytics (2)" });
    await page.getByRole("link", { name: "Segment" }).click();
    const panel = page.getByRole("complementary", { name: "Segment" });
    await panel.getByText("never shown again").waitFor();
    await panel.getByLabel("API host").fill("api.segment.io");
    await panel.getByLabel("Write key").fill("wk_very_secret");
    await panel.getByRole("button", { name: "Install" }).click();
    await panel.getByText("Ready", { exact: true }).waitFor();
    // The secret disappears from the page as soon as it is stored.
    expect(await panel.getByLabel("Write key").inputValue()).toBe("");
    await panel.getByText("Stored. Leave empty to keep it.").waitFor();
    await panel.getByRole("button", { name: "Verify" }).click();
    await panel.getByText("Segment answers 200 to any write key").waitFor();
    await expectFit(operator, "integration");

    const stored = () => account.server<Integration>("GET", "/api/v1/integrations/segment");
    await panel.getByText("api.segment.io", { exact: true }).waitFor();
    await panel.getByLabel("API host").fill("events.eu1.segmentapis.com");
    // The secret was entered for another host.
    await panel.getByText("Changing API host removes the stored secrets").waitFor();
    await panel.getByText("Enter it again: the stored one belongs to another host.").waitFor();
    await expectFit(operator, "integration-moved");
    await panel.getByRole("button", { name: "Save" }).click();
    await panel.getByText("Write key is required.").waitFor();
    expect(await stored()).toMatchObject({ params: { api_host: "api.segment.io" } });
    await panel.getByLabel("Write key").fill("wk_of_the_eu");
    await panel.getByRole("button", { name: "Save" }).click();
    // The result for the old values doesn't apply to these.
    await panel.getByText("Segment answers 200 to any write key").waitFor({ state: "detached" });
    await expect
      .poll(stored)
      .toMatchObject({ ready: true, params: { api_host: "events.eu1.segmentapis.com" }, secret_names: ["write_key"] });

    await panel.getByRole("button", { name: "Remove Write key" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove Write key" }).click();
    await panel.getByText("Missing: Write key.").waitFor();
    await panel.getByText("1 value missing").waitFor();

    await panel.getByRole("button", { name: "Uninstall" }).click();
    const question = page.getByRole("alertdialog", { name: "Uninstall Segment?" });
    await question.getByText("None of your tools use it.").waitFor();
    await question.getByRole("button", { name: "Uninstall" }).click();
    await panel.getByText("Not installed").waitFor();
    expect(await stored()).toMatchObject({ status: "available", secret_names: [] });
  });

  it("integrations are filtered by category and status, and show the tools that use them", async () => {
    const operator = await withSession();
    const { page, account, goTo } = operator;
    await account.server("POST", "/api/v1/integrations/slack/install", { params: { channel: "C01" } });
    await goTo("/integrations?status=installed");
    const slack = page.getByRole("row").filter({ hasText: "Slack" });
    await slack.getByText("1 value missing").waitFor();
    await expect.poll(() => page.getByRole("table").getByRole("row").count()).toBe(2);
    await page.getByLabel("Status").selectOption("");
    await page.getByRole("link", { name: "Salesforce" }).waitFor();
    await expectFit(operator, "integrations");
    await page.getByRole("link", { name: "Salesforce" }).click();
    await page.getByRole("complementary").getByText("cannot be connected yet").waitFor();
    await expect.poll(() => page.getByRole("complementary").getByRole("button", { name: "Install" }).count()).toBe(0);
    await page.getByRole("link", { name: "Shopify" }).click();
    await page.getByRole("complementary").getByRole("link", { name: "Look up order" }).waitFor();
  });

  it("support a custom API with secrets of any name", async () => {
    const operator = await signedIn("/integrations/custom_api");
    const { page, account } = operator;
    const panel = page.getByRole("complementary", { name: "Custom API" });
    await panel.getByLabel("Base URL").fill("http://api.acme.example");
    await panel.getByRole("button", { name: "Add secret" }).click();
    const secret = panel.getByRole("group", { name: "New secret" });
    await secret.getByLabel("Name").fill("token");
    await secret.getByLabel("Value").fill("very_secret_token");
    await panel.getByRole("button", { name: "Install" }).click();
    await panel.getByText("must use https").waitFor();
    await panel.getByLabel("Base URL").fill("https://api.acme.example/v1");
    await expectFit(operator, "integration-own");
    await panel.getByRole("button", { name: "Install" }).click();
    await panel.getByText("Ready", { exact: true }).waitFor();
    await panel.getByText("api.acme.example", { exact: true }).waitFor();
    await panel.getByText("{{custom_api.token}}").waitFor();
    await expect.poll(() => secret.count()).toBe(0);
    const stored = () => account.server<Integration>("GET", "/api/v1/integrations/custom_api");
    expect(await stored()).toMatchObject({ ready: true, secret_names: ["token"] });

    await panel.getByLabel("Base URL").fill("https://api.acme.example/v2");
    await expect.poll(() => panel.getByText("removes the stored secrets").count()).toBe(0);
    await panel.getByLabel("Base URL").fill("https://api2.acme.example");
    await panel.getByText("Changing Base URL removes the stored secrets").waitFor();
    await panel.getByRole("button", { name: "Save" }).click();
    await page.getByText("The secrets were removed because they belonged to another host.").waitFor();
    expect(await stored()).toMatchObject({ secret_names: [], params: { base_url: "https://api2.acme.example" } });
  });

  it("show the service's errors", async () => {
    const { page } = await signedIn("/integrations/shopify");
    const panel = page.getByRole("complementary", { name: "Shopify" });
    await panel.getByLabel("Shop domain").fill("acme.example");
    await panel.getByLabel("Admin API access token").fill("x".repeat(20_001));
    await panel.getByRole("button", { name: "Install" }).click();
    await expect.poll(() => panel.getByLabel("Admin API access token").getAttribute("aria-invalid")).toBe("true");
  });
});
