import { describe, expect, it } from "vitest";
import { expectFit, serveConsole, signedIn, withSession } from "./operator.ts";

serveConsole();

describe("Phone numbers", () => {
  it("a phone number is registered, assigned, checked and removed", async () => {
    const operator = await signedIn("/numbers");
    const { page, account } = operator;
    await page.getByText("No phone numbers yet").waitFor();
    await page.getByRole("link", { name: "Register a number" }).first().click();
    const form = page.getByRole("complementary", { name: "Register a number" });
    await form.getByLabel("Number").fill("555");
    await form.getByRole("button", { name: "Register" }).click();
    await expect.poll(() => form.getByLabel("Number").getAttribute("aria-invalid")).toBe("true");
    await form.getByLabel("Number").fill("+1 202 555 0100");
    await form.getByRole("button", { name: "Register" }).click();
    const panel = page.getByRole("complementary", { name: "+1 202 555 0100" });
    await panel.getByLabel("Agent").selectOption("Ada");
    await panel.getByRole("button", { name: "Assign" }).click();
    await page.getByText("The agent now answers this number.").waitFor();
    await page.getByRole("table").getByRole("link", { name: "Ada" }).waitFor();
    const numbers = () =>
      account.server<{ numbers: { agent_id: string | null }[] }>("GET", "/api/v1/telephony/numbers");
    expect((await numbers()).numbers).toEqual([expect.objectContaining({ agent_id: account.agent.id })]);
    await panel.getByRole("button", { name: "Check now" }).click();
    await panel.getByText("The sandbox has every number that is registered with it.").waitFor();
    await expect.poll(() => panel.getByText("OK", { exact: true }).count()).toBe(4);
    // The column is hidden while a panel is open beside the list.
    await page.getByRole("table").getByText("Passed").waitFor({ state: "attached" });
    await expectFit(operator, "number");
    await panel.getByLabel("Agent").selectOption("No agent");
    await panel.getByRole("button", { name: "Unassign" }).click();
    await expect.poll(async () => (await numbers()).numbers[0]?.agent_id).toBeNull();
    await panel.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("alertdialog").getByText("Nothing changes at the carrier").waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("No phone numbers yet").waitFor();
  });

  it("have their inbound address set at the carrier", async () => {
    const { page, account, goTo } = await withSession();
    const number = { e164: "+12025550100", provider: "sandbox" };
    const { id } = await account.server<{ id: string }>("POST", "/api/v1/telephony/numbers", number);
    // Plays the carrier: calls are announced elsewhere until the address is set.
    const checks: string[] = [];
    await page.route(`**/api/v1/telephony/numbers/${id}/check*`, (route) => {
      const { search } = new URL(route.request().url());
      checks.push(search);
      const ok = search === "?fix=inbound";
      const detail = ok ? "Now: Calls are announced here." : "Calls are announced at https://old.example/voice.";
      return route.fulfill({ json: { checks: [{ name: "inbound_address", ok, detail }] } });
    });
    await goTo(`/numbers/${id}`);
    await page.getByRole("button", { name: "Check now" }).click();
    await page.getByText("https://old.example/voice").waitFor();
    await page.getByRole("button", { name: "Fix the inbound address" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Set address" }).click();
    await page.getByText("Now: Calls are announced here.").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Fix the inbound address" }).count()).toBe(0);
    expect(checks).toEqual(["", "?fix=inbound"]);
  });
});

describe("Carriers", () => {
  it("a carrier is added with the fields it needs, and deleted once no number uses it", async () => {
    const operator = await signedIn("/carriers");
    const { page, account } = operator;
    await page.getByText("No carriers yet").waitFor();
    await page.getByRole("link", { name: "New carrier" }).first().click();
    const form = page.getByRole("complementary", { name: "New carrier" });
    await form.getByLabel("Carrier").selectOption("SignalWire");
    await form.getByLabel("Signing key").waitFor();
    await form.getByLabel("Carrier").selectOption("Twilio");
    await form.getByLabel("Account SID").fill("not a SID");
    await form.getByLabel("Auth token").fill("secret");
    await form.getByLabel("Name").fill("Main account");
    await form.getByRole("button", { name: "Save credentials" }).click();
    await expect.poll(() => form.getByLabel("Account SID").getAttribute("aria-invalid")).toBe("true");
    await form.getByText("must start with AC").waitFor();
    await expectFit(operator, "carrier-new");
    await form.getByLabel("Account SID").fill(`AC${"0".repeat(32)}`);
    await form.getByRole("button", { name: "Save credentials" }).click();
    const panel = page.getByRole("complementary", { name: "Main account" });
    await panel.getByText("account_sid, auth_token").waitFor();
    const { providers } = await account.server<{ providers: { id: string }[] }>("GET", "/api/v1/telephony/providers");
    const number = { e164: "+12025550100", credentials_id: providers[0]?.id };
    const { id } = await account.server<{ id: string }>("POST", "/api/v1/telephony/numbers", number);
    await page.reload();
    await panel.getByRole("link", { name: "+1 202 555 0100" }).waitFor();
    await panel.getByRole("button", { name: "Delete" }).click();
    await page.getByText("used by 1 number").waitFor();
    await account.server("DELETE", `/api/v1/telephony/numbers/${id}`);
    await page.reload();
    await panel.getByText("None yet").waitFor();
    await panel.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No carriers yet").waitFor();
  });

  it("show whether their credentials work, and which numbers can be registered with a click", async () => {
    const operator = await withSession();
    const { page, account, goTo } = operator;
    const sandbox = { provider: "sandbox", label: "Practice", credentials: {} };
    const { id } = await account.server<{ id: string }>("POST", "/api/v1/telephony/providers", sandbox);
    const registered: string[] = [];
    // The sandbox has only registered numbers. This adds another one.
    await page.route(`**/api/v1/telephony/providers/${id}/numbers`, (route) => {
      const e164 = "+12025550177";
      const numbers = [{ e164, capabilities: ["voice", "sms"], registered: registered.includes(e164) }];
      return route.fulfill({ json: { numbers, truncated: false } });
    });
    await page.route("**/api/v1/telephony/numbers", async (route) => {
      const sent = route.request().postDataJSON() as { e164: string } | null;
      if (sent) registered.push(sent.e164);
      await route.continue();
    });
    await goTo(`/carriers/${id}`);
    await page.getByRole("button", { name: "Verify credentials" }).click();
    await page.getByText("The carrier accepts these credentials.").waitFor();
    await page.getByRole("button", { name: "List numbers" }).click();
    await page.getByRole("button", { name: "Register +1 202 555 0177" }).click();
    await page.getByText("Registered", { exact: true }).waitFor();
    await expectFit(operator, "carrier");
    const { numbers } = await account.server<{ numbers: { e164: string; credentials_id: string }[] }>(
      "GET",
      "/api/v1/telephony/numbers",
    );
    expect(numbers).toEqual([expect.objectContaining({ e164: "+12025550177", credentials_id: id })]);
  });
});
