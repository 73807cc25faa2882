import { describe, expect, it } from "vitest";
import { expectFit, type Operator, search, serveConsole, withSession } from "./operator.ts";

serveConsole();

const FROM = "+12025550100";

interface Campaign {
  id: string;
  name: string;
  status: string;
  total_contacts: number;
  timezone: string;
  scheduled_at: string | null;
  max_concurrency: number | null;
}

/** Signs in to a new account with an active agent and a number. */
async function ready(): Promise<Operator> {
  const operator = await withSession();
  const { server, agent } = operator.account;
  await server("POST", "/api/v1/telephony/numbers", { e164: FROM, provider: "sandbox" });
  await server("PATCH", `/api/v1/agents/${agent.id}`, {
    greeting_message: "Hello {{name}} of {{company}}!",
    system_prompt: "Be brief.",
    status: "active",
  });
  return operator;
}

/** Creates a campaign with contacts whose last two digits determine the outcome of their calls. */
function createCampaign({ account }: Operator, name: string, endings: string[], settings: Record<string, string> = {}) {
  const form = new FormData();
  form.set("name", name);
  for (const [field, value] of Object.entries(settings)) form.set(field, value);
  const rows = endings.map((ending, i) => `+130355512${ending},Person ${i}`);
  form.set("contacts", new File([`phone_number,name\n${rows.join("\n")}\n`], "contacts.csv", { type: "text/csv" }));
  return account.upload<Campaign>("/api/v1/campaigns", form);
}

const dialled = ({ account }: Operator) => ({ agent_id: account.agent.id, from_number: FROM });

describe("campaigns", () => {
  it("campaigns are filtered by status and name, as the URL says", async () => {
    const operator = await ready();
    const { page, account } = operator;
    await operator.goTo("/campaigns");
    await page.getByText("No campaigns yet").waitFor();
    await expectFit(operator, "campaigns-empty");
    await createCampaign(operator, "Spring check", ["10", "11"]);
    const autumn = await createCampaign(operator, "Autumn check", ["10", "11", "01"], dialled(operator));
    await account.server("POST", `/api/v1/campaigns/${autumn.id}/start`);
    await page.reload();
    // The list refreshes while a campaign is running.
    const row = page.getByRole("row", { name: /Autumn check/ });
    await row.getByText("Completed").waitFor();
    await row.getByText("3 of 3").waitFor();
    await row.getByRole("img", { name: "2 people reached, 1 failed" }).waitFor();
    await row.getByText("Ada").waitFor();
    await expectFit(operator, "campaigns");
    await page.getByLabel("Status").selectOption("Draft");
    await row.waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("?status=draft");
    await operator.goTo("/campaigns?search=autumn");
    await row.waitFor();
    await expect.poll(() => page.getByRole("row", { name: /Spring check/ }).count()).toBe(0);
    await page.getByLabel("Search by name").fill("winter");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByRole("row", { name: /Spring check/ }).waitFor();
  });

  it("list before the start what needs attention, with links to fix it", async () => {
    const operator = await ready();
    const { page, account } = operator;
    const { id } = await createCampaign(operator, "Spring check", ["10", "11"]);
    await operator.goTo(`/campaigns/${id}/plan`);
    await page.getByText("Can't start yet").waitFor();
    await page.getByText("Choose an agent and a number to call from.").waitFor();
    await page.getByRole("link", { name: "Open settings" }).click();
    await page.getByLabel("Agent", { exact: true }).selectOption({ label: "Ada" });
    await page.getByLabel("Call from").selectOption({ index: 1 });
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Plan", exact: true }).click();
    await page.getByText("1 thing to review first").waitFor();
    await page.getByText("{{company}} is not a column of the file").waitFor();
    await page.getByText("Hello Person 0 of !").waitFor();
    await page.getByText("No value for {{company}}").first().waitFor();
    await expectFit(operator, "campaign-plan");
    expect(await page.getByRole("link", { name: "Edit the agent's prompt" }).getAttribute("href")).toBe(
      `/console/agents/${account.agent.id}`,
    );

    // Nothing prevents the start now. A warning that appears while the question is open must prevent it.
    const greet = (greeting_message: string) =>
      account.server("PATCH", `/api/v1/agents/${account.agent.id}`, { greeting_message });
    const cameUp = page.getByText("Something changed since you opened this page");
    const warned = page.getByText("{{nickname}} is not a column of the file").first();
    for (const isReadAgain of [false, true]) {
      await greet("Hello {{name}}!");
      await page.reload();
      await page.getByText("Ready to start").waitFor();
      await page.getByRole("button", { name: "Start calling" }).click();
      const question = page.getByRole("alertdialog", { name: "Start calling?" });
      await question.waitFor();
      await greet("Hello {{nickname}}!");
      if (isReadAgain) {
        await account.server("PATCH", `/api/v1/campaigns/${id}`, { calls_per_minute: 30 });
        await warned.waitFor();
      }
      await question.getByRole("button", { name: "Start calling" }).click();
      await cameUp.waitFor();
      await warned.waitFor();
    }
    await page.getByRole("button", { name: "Start anyway…" }).click();
    const question = page.getByRole("alertdialog", { name: "Start anyway?" });
    await question.getByText("2 people will be called with the current setup.").waitFor();
    await question.getByRole("button", { name: "Start calling" }).click();
    await expect
      .poll(async () => (await account.server<Campaign>("GET", `/api/v1/campaigns/${id}`)).status)
      .toBe("completed");
    // A campaign that is over has no forecast.
    await operator.goTo(`/campaigns/${id}/plan`);
    await page.getByText("This campaign is over.").waitFor();
    expect(await page.getByRole("heading", { name: /Forecast|What people will hear first/ }).count()).toBe(0);
  });

  it("don't count people on the do-not-call list among those to be called", async () => {
    const operator = await ready();
    const { page, account } = operator;
    await account.server("PATCH", `/api/v1/agents/${account.agent.id}`, { greeting_message: "Hello {{name}}!" });
    const { id } = await createCampaign(operator, "Spring check", ["10", "11", "12"], dialled(operator));
    const { contacts } = await account.server<{ contacts: { phone_number: string }[] }>(
      "GET",
      `/api/v1/campaigns/${id}/contacts`,
    );
    await account.server("POST", "/api/v1/do-not-call", { numbers: [contacts[0]?.phone_number] });
    await operator.goTo(`/campaigns/${id}/plan`);
    await page.getByText("1 person on the do-not-call list (won't be called)").waitFor();
    await page.getByText("2 people will be called.", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Start calling" }).click();
    const question = page.getByRole("alertdialog", { name: "Start calling?" });
    await question.getByText("2 people will be called, the first in less than a minute.").waitFor();
  });

  it("the form for a clone keeps what was entered when the campaign's state changes", async () => {
    const operator = await ready();
    const { page, account } = operator;
    const { id } = await createCampaign(operator, "Spring check", ["10"], dialled(operator));
    await operator.goTo(`/campaigns/${id}/settings`);
    await page.getByRole("button", { name: "Clone…" }).click();
    const clone = page.getByRole("dialog", { name: "Clone" });
    await clone.getByLabel("Name of the new campaign").fill("Second round");
    await account.server("POST", `/api/v1/campaigns/${id}/start`);
    const shown = page.locator("main").getByText("Completed", { exact: true });
    await shown.first().waitFor();
    expect(await clone.getByLabel("Name of the new campaign").inputValue()).toBe("Second round");
    await clone.getByLabel("Contacts", { exact: true }).selectOption("some");
    await clone.getByRole("checkbox", { name: "Answered" }).waitFor();
  });

  it("a campaign is edited as a draft, cloned with chosen contacts, and deleted after a confirmation", async () => {
    const operator = await ready();
    const { page, account } = operator;
    const { id } = await createCampaign(operator, "Spring check", ["10", "01", "02"], dialled(operator));
    await operator.goTo(`/campaigns/${id}/settings`);
    await page.getByLabel("When to call").selectOption("Only during these hours");
    await page.getByRole("checkbox", { name: "Monday" }).uncheck();
    await search(page.getByLabel("Time zone"), "denver", "America/Denver");
    await page.getByLabel("Scheduled start").fill("2030-05-01T09:00");
    await page.getByText("Pace, retries").click();
    await page.getByLabel("Concurrent calls").fill("4");
    // A field beside one with a longer hint isn't taller.
    const height = async (label: string) => (await page.getByLabel(label).boundingBox())?.height;
    expect(await height("Maximum calls per contact")).toBe(await height("Minutes between calls"));
    await expectFit(operator, "campaign-settings");
    // Changes by others are kept, although no field here shows them.
    await account.server("PATCH", `/api/v1/campaigns/${id}`, { name: "Spring round", calls_per_minute: 30 });
    await page.getByRole("heading", { name: "Spring round" }).waitFor();
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    const stored = await account.server<Campaign>("GET", `/api/v1/campaigns/${id}`);
    expect(stored).toMatchObject({
      timezone: "America/Denver",
      schedule_config: [{ days: [2, 3, 4, 5], start: "09:00", end: "17:00" }],
      name: "Spring round",
      max_concurrency: 4,
      calls_per_minute: 30,
    });
    expect(stored.scheduled_at).not.toBeNull();
    await page.getByLabel("When to call").selectOption("Any time");
    await page.getByLabel("Scheduled start").fill("");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect
      .poll(() => account.server<Campaign>("GET", `/api/v1/campaigns/${id}`))
      .toMatchObject({ schedule_config: null, scheduled_at: null });

    await account.server("POST", `/api/v1/campaigns/${id}/start`);
    await page.getByText("The campaign is complete, so its settings can't change.").waitFor();
    expect(await page.getByLabel("Name", { exact: true }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Clone…" }).click();
    const clone = page.getByRole("dialog", { name: "Clone" });
    await clone.getByLabel("Name of the new campaign").fill("Second round");
    await clone.getByRole("checkbox", { name: "Not called: 0" }).waitFor();
    await clone.getByRole("checkbox", { name: "No answer: 1" }).uncheck();
    await clone.getByRole("button", { name: "Clone campaign" }).click();
    await page.getByRole("heading", { name: "Second round" }).waitFor();
    const { campaigns } = await account.server<{ campaigns: Campaign[] }>("GET", "/api/v1/campaigns");
    expect(campaigns[0]).toMatchObject({ name: "Second round", status: "draft", total_contacts: 1 });

    await page.getByRole("button", { name: "Delete campaign…" }).click();
    const question = page.getByRole("alertdialog", { name: "Delete “Second round”?" });
    await question.getByText("1 person won't be called").waitFor();
    await question.getByRole("button", { name: "Delete campaign" }).click();
    await page.getByRole("row", { name: /Spring round/ }).waitFor();
    await expect.poll(() => page.getByRole("row", { name: /Second round/ }).count()).toBe(0);
  });
});
