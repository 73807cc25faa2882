import { describe, expect, it } from "vitest";
import { expectFit, go, serveConsole, signedIn, signedInAs, visitAs } from "./operator.ts";

serveConsole();

describe("the console under a limited role", () => {
  it("a viewer does not see what the role excludes, and the screen says who can change that", async () => {
    const viewer = await signedInAs("viewer");
    const { page, account, goTo } = viewer;
    const rail = page.getByRole("navigation", { name: "Main" });
    await rail.getByRole("link", { name: "Agents", exact: true }).waitFor();
    await expect.poll(() => rail.getByRole("link", { name: "Audit log" }).count()).toBe(0);
    await page.getByText("An owner, admin or builder of the account can connect one.").waitFor();
    await expect.poll(() => page.getByRole("link", { name: "OpenAI" }).count()).toBe(0);

    await rail.getByRole("link", { name: "FAQs" }).click();
    await page.getByRole("link", { name: "How long does delivery take?" }).click();
    const panel = page.getByRole("complementary", { name: "How long does delivery take?" });
    await panel.getByText("your role, Viewer, doesn't include changing agents, tools and knowledge").waitFor();
    expect(await panel.getByLabel("Title").isDisabled()).toBe(true);
    for (const name of ["Save", "Delete"]) expect(await panel.getByRole("button", { name }).count()).toBe(0);
    await expect.poll(() => page.getByRole("link", { name: "New FAQ" }).count()).toBe(0);
    await expectFit(viewer, "faq-read-only");

    // The screen can't be opened by address, by shortcut or by search.
    await goTo("/campaigns/new");
    await page.getByRole("heading", { name: "Your role doesn't include this" }).waitFor();
    await page.getByText("An owner or admin of the account can change that.").waitFor();
    await expectFit(viewer, "not-allowed");
    await go(viewer, "u");
    expect(new URL(page.url()).pathname).toBe("/console/campaigns/new");
    await page.keyboard.press("Control+k");
    const search = page.getByRole("combobox", { name: "Search and commands" });
    await search.fill("New c");
    await page.getByText("No results.").waitFor();
    await search.fill("Widget keys");
    await page.getByRole("option", { name: "Widget keys" }).waitFor();
    await page.keyboard.press("Escape");

    await goTo(`/agents/${account.agent.id}`);
    await page.getByLabel("System prompt").waitFor();
    expect(await page.getByRole("link", { name: /Talk/ }).count()).toBe(0);
    await goTo(`/agents/${account.agent.id}/settings`);
    expect(await page.getByLabel("Name", { exact: true }).isDisabled()).toBe(true);
    expect(
      await page
        .getByRole("button")
        .filter({ hasText: /Save|Delete|Add/ })
        .count(),
    ).toBe(0);
  });

  it("a form omits what the role excludes and offers its other parts", async () => {
    const builder = await signedInAs("builder");
    const { page, account, goTo } = builder;
    await goTo(`/agents/${account.agent.id}/settings`);
    await page.getByLabel("Name", { exact: true }).fill("Grace");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    // Transfer targets are only shown to users who may dial.
    await expect.poll(() => page.getByRole("button", { name: "Add transfer target" }).count()).toBe(0);
    await goTo("/campaigns");
    await page.getByText("No campaigns yet").waitFor();
    expect(await page.getByRole("link", { name: "New campaign" }).count()).toBe(0);
  });

  it("reports hidden content, and masks numbers", async () => {
    const viewer = await signedInAs("viewer");
    const { page, account, goTo } = viewer;
    await account.server("POST", "/api/v1/telephony/numbers", { e164: "+12025550100", provider: "sandbox" });
    const order = { agent_id: account.agent.id, from_number: "+12025550100", to_number: "+13035550110" };
    const variables = { first_name: "Ann" };
    const { call_id } = await account.server<{ call_id: string }>("POST", "/api/v1/calls/originate", {
      ...order,
      variables,
    });
    await goTo(`/calls/${call_id}`);
    const panel = page.getByRole("complementary");
    await panel.getByText("•••• 0110").first().waitFor();
    await panel
      .getByText("Hidden: your role doesn't include placing calls or listening to conversations.")
      .first()
      .waitFor();
    await expect.poll(() => panel.getByText("Ann").count()).toBe(0);
    await expectFit(viewer, "call-hidden");
    const conversation = async () =>
      (await account.server<{ conversation_id: string | null }>("GET", `/api/v1/calls/${call_id}`)).conversation_id;
    await expect.poll(conversation).not.toBeNull();
    await goTo(`/conversations/${await conversation()}`);
    await panel.getByText("Hidden: your role doesn't include listening to conversations.").first().waitFor();
    await expect.poll(() => panel.getByText("Nothing was said.").count()).toBe(0);
    await expectFit(viewer, "conversation-hidden");
    // The report of a list, without the form to add contacts.
    const form = new FormData();
    form.set("contacts", new File(["phone_number\n+13035550111\n+1303"], "contacts.csv", { type: "text/csv" }));
    for (const [name, value] of Object.entries({ name: "Autumn", on_invalid: "skip" })) form.set(name, value);
    const campaign = await account.upload<{ id: string }>("/api/v1/campaigns", form);
    await goTo(`/campaigns/${campaign.id}/import`);
    await page.getByText("1 row couldn't be used and was skipped.", { exact: true }).waitFor();
    await expect.poll(() => page.locator("#content").getByRole("button").count()).toBe(0);
    expect(await page.getByText("Add contacts").isVisible()).toBe(false);
    await goTo("/conversations");
    await page.getByRole("row").filter({ hasText: "•••• 0110" }).waitFor();
    expect(await page.getByLabel("Phone number").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Export CSV" }).count()).toBe(0);
  });

  it("removes controls and content once the role is narrowed while a screen is open", async () => {
    const owner = await signedIn();
    const { account } = owner;
    await account.server("POST", "/api/v1/telephony/numbers", { e164: "+12025550100", provider: "sandbox" });
    const form = new FormData();
    // The call isn't answered, so the campaign waits to retry.
    form.set("contacts", new File(["phone_number,name\n+13035550101,Ann"], "contacts.csv", { type: "text/csv" }));
    const settings = { name: "Autumn", agent_id: account.agent.id, from_number: "+12025550100" };
    for (const [name, value] of Object.entries(settings)) form.set(name, value);
    form.set("retry_config", JSON.stringify({ max_attempts: 3 }));
    const { id } = await account.upload<{ id: string }>("/api/v1/campaigns", form);
    await account.server("POST", `/api/v1/campaigns/${id}/start`);
    const operator = await visitAs(owner, `/campaigns/${id}`, "operator");
    const { page } = operator;
    await page.getByRole("button", { name: "Pause" }).waitFor();
    const atRest = await operator.newTab("/console/calls");
    await atRest.clock.install();
    // The fake clock affects only timers that are set from now on.
    await atRest.reload();
    await atRest.getByRole("link", { name: "Place a call" }).first().waitFor();
    await atRest.getByText("+1 303 555 0101").first().waitFor();

    await owner.goTo("/members");
    await owner.page.getByRole("link", { name: `operator@${account.name}.example` }).click();
    const panel = owner.page.getByRole("complementary");
    await panel.getByLabel("Role").selectOption({ label: "Viewer" });
    await panel.getByRole("button", { name: "Change role" }).click();
    await owner.page.getByText("Saved", { exact: true }).waitFor();
    // The board's stream ends when the role changes. Without a stream, the role is refetched.
    await page.getByRole("button", { name: "Pause" }).waitFor({ state: "detached" });
    await atRest.clock.fastForward("01:00");
    await atRest.getByRole("link", { name: "Place a call" }).first().waitFor({ state: "detached" });
    await atRest.getByText("•••• 0101").first().waitFor();
  });

  it("an owner's role excludes nothing", async () => {
    const { page } = await signedIn("/audit-log");
    await page.getByRole("heading", { name: "Audit log" }).waitFor();
    await page.getByRole("link", { name: "Agents", exact: true }).click();
    await page.getByRole("link", { name: "New agent" }).first().waitFor();
  });
});
