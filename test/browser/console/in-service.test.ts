import { describe, expect, it } from "vitest";
import { expectFit, serveConsole, withSession } from "./operator.ts";

serveConsole();

/** Opens an account whose agent is active and was never published, with a number and a widget key. */
async function withUnpublishedAgent(path: string) {
  const operator = await withSession();
  const { account, goTo } = operator;
  await account.server("PATCH", `/api/v1/agents/${account.agent.id}`, { status: "active", versioning: "manual" });
  const sent = { e164: "+12025550143", provider: "sandbox", inbound_enabled: true, agent_id: account.agent.id };
  const { id } = await account.server<{ id: string }>("POST", "/api/v1/telephony/numbers", sent);
  await goTo(path.replace("{agent}", account.agent.id).replace("{number}", id).replace("{key}", account.widgetKey.id));
  return operator;
}

describe("an active agent that was never published", () => {
  it("an agent that was never published is marked in the list of agents", async () => {
    const { page } = await withUnpublishedAgent("/agents");
    await page.getByRole("row", { name: /Ada.*Not published/ }).waitFor();
    expect(await page.getByText("Active", { exact: true }).count()).toBe(0);
  });

  it("shows one status and one button in its header", async () => {
    const operator = await withUnpublishedAgent("/agents/{agent}");
    const { page } = operator;
    const header = page.locator("main header").first();
    await header.getByText("Not published", { exact: true }).waitFor();
    await page.getByLabel("System prompt").waitFor();
    expect(await page.getByText("Active", { exact: true }).count()).toBe(0);
    expect(await page.getByRole("button", { name: /^(Publish|Put into service)/ }).count()).toBe(1);
    await expectFit(operator, "agent-not-in-service");
  });

  it("an agent that was never published is reported on the panel of its number", async () => {
    const operator = await withUnpublishedAgent("/numbers/{number}");
    await operator.page.getByText("Callers aren't answered", { exact: true }).waitFor();
    // The sentence below the heading doesn't repeat it.
    await operator.page.getByText("The agent was never published. Publish it. Open agent", { exact: true }).waitFor();
    await operator.page.getByRole("link", { name: "Open agent" }).waitFor();
    await expectFit(operator, "number-not-in-service");
  });

  it("an agent that was never published is reported on the panel of its widget key", async () => {
    const operator = await withUnpublishedAgent("/widget-keys/{key}");
    await operator.page.getByText("Visitors aren't answered", { exact: true }).waitFor();
    await expectFit(operator, "widget-key-not-in-service");
  });

  it("needs attention, with its number and its widget key", async () => {
    const { page } = await withUnpublishedAgent("/");
    const attention = page
      .getByRole("region", { name: "Needs attention" })
      .or(page.locator("section"))
      .filter({
        has: page.getByRole("heading", { name: "Needs attention" }),
      });
    await attention.getByText("+1 202 555 0143").waitFor();
    await attention.getByText("page", { exact: true }).waitFor();
  });

  it("an agent is in service after the button is pressed", async () => {
    const { page } = await withUnpublishedAgent("/agents/{agent}");
    await page.getByRole("button", { name: "Put into service" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Put into service" }).click();
    await page.locator("main header").first().getByText("In service", { exact: true }).waitFor();
    await page.getByText("Phone: in service").waitFor();
    expect(await page.getByRole("button", { name: "Put into service" }).count()).toBe(0);
  });
});
