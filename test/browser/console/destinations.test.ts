import { describe, expect, it } from "vitest";
import { expectFit, search, serveConsole, withSession } from "./operator.ts";

serveConsole();

interface Agent {
  transfer_targets: { label: string; number: string }[];
}

describe("an agent's transfer targets", () => {
  it("transfer targets are entered in rows, with errors at their fields, and can be removed", async () => {
    const operator = await withSession();
    const { page, account, goTo } = operator;
    const stored = async () =>
      (await account.server<Agent>("GET", `/api/v1/agents/${account.agent.id}`)).transfer_targets;
    await goTo(`/agents/${account.agent.id}/settings`);
    const transfers = page.getByRole("group", { name: "Transfers" });
    await transfers.getByRole("button", { name: "Add transfer target" }).click();
    await transfers.getByLabel("Name").fill("Front desk");
    await transfers.getByLabel("Phone number").fill("911");
    await page.getByRole("button", { name: "Save changes" }).click();
    await transfers.getByText("must be a valid phone number").waitFor();
    await expectFit(operator, "transfer-targets");
    await transfers.getByLabel("Phone number").fill("+1 202 555-0177");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect.poll(stored).toEqual([{ label: "Front desk", number: "+12025550177" }]);
    await transfers.getByRole("button", { name: "Remove Front desk" }).click();
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect.poll(stored).toEqual([]);
  });
});

describe("the destinations that an account may call", () => {
  it("allowed destinations are suggested from the account's numbers and checked before a campaign starts", async () => {
    const operator = await withSession();
    const { page, account, goTo } = operator;
    const { server, agent } = account;
    const stored = async () =>
      (await server<{ allowed_destinations: string[] | null }>("GET", "/api/v1/call-settings")).allowed_destinations;
    await server("POST", "/api/v1/telephony/numbers", { e164: "+12025550100", provider: "sandbox" });
    const numbersMayCome = Promise.withResolvers<void>();
    await page.route("**/api/v1/telephony/numbers**", async (route) => {
      await numbersMayCome.promise;
      await route.continue();
    });
    await goTo("/call-settings");
    const onlySome = page.getByLabel("Only allow calls to chosen destinations");
    await expect.poll(() => onlySome.isDisabled()).toBe(true);
    numbersMayCome.resolve();
    await onlySome.check();
    const list = page.getByRole("list", { name: "Allowed destinations" });
    await list.getByText("+1 ").waitFor();
    await search(page.getByLabel("Add a destination"), "Germany", /\+49/);
    await list.getByText("+49 Germany").waitFor();
    await expectFit(operator, "destinations");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect.poll(stored).toEqual(["+1", "+49"]);

    const form = new FormData();
    form.set("contacts", new File(["phone_number\n+33612345678\n"], "contacts.csv", { type: "text/csv" }));
    form.set("agent_id", agent.id);
    form.set("from_number", "+12025550100");
    const { id } = await account.upload<{ id: string }>("/api/v1/campaigns", form);
    await goTo(`/campaigns/${id}/plan`);
    await page.getByText("Destinations that aren't allowed").waitFor();
    await page.getByText(/^1 contact would fail without a call/).waitFor();
    await expectFit(operator, "destination-warning");
    await page.getByRole("link", { name: "Open the call settings" }).click();

    await page.getByLabel("Only allow calls to chosen destinations").uncheck();
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect.poll(stored).toBeNull();
  });
});
