import { describe, expect, it } from "vitest";
import { expectFit, type Operator, serveConsole, signedInAs, visitAs, withSession } from "./operator.ts";

serveConsole();

interface Version {
  number: number | null;
  note: string | null;
  live: boolean;
}

const versionsOf = async ({ account }: Operator) =>
  (await account.server<{ versions: Version[] }>("GET", `/api/v1/agents/${account.agent.id}/versions`)).versions;

/** Opens the agent of a new account, whose changes go live when published. */
async function atManualAgent(path = "") {
  const operator = await withSession();
  const { account, goTo, page } = operator;
  const agent = `/api/v1/agents/${account.agent.id}`;
  await account.server("PATCH", agent, { versioning: "manual" });
  await goTo(`/agents/${account.agent.id}${path}`);
  await page.getByRole("heading", { name: "Ada", level: 1 }).waitFor();
  const bar = page.getByRole("region", { name: "What is published" });
  return { operator, page, bar, agent, server: account.server };
}

describe("versions of agents", () => {
  it("cannot be restored while they are the live draft", async () => {
    const { page, account, goTo } = await withSession();
    const agent = `/api/v1/agents/${account.agent.id}`;
    await account.server("POST", `${agent}/publish`, { note: "One" });
    await account.server("PATCH", agent, { greeting_message: "Good morning." });
    await account.server("POST", `${agent}/publish`, { note: "Two" });
    await goTo(`/agents/${account.agent.id}/versions`);
    await page.getByRole("heading", { name: "What changes from version 1 to version 2" }).waitFor();
    expect(await page.getByRole("button", { name: /^Restore/ }).count()).toBe(0);
    await page.getByRole("link", { name: /^Version 1/ }).click();
    await page.getByRole("button", { name: "Restore version 1" }).waitFor();
  });

  it("a version is published with a note, shows what changed, and can be restored", async () => {
    const { operator, page, bar, agent, server } = await atManualAgent();
    await page.getByText("Not published", { exact: true }).waitFor();
    await expectFit(operator, "agent-never-published");
    await page.getByRole("button", { name: "Put into service" }).click();
    const dialog = page.getByRole("dialog", { name: "Put this agent into service" });
    await dialog.getByLabel("Note").fill("The first one");
    await dialog.getByRole("button", { name: "Put into service", exact: true }).click();
    await page.getByText("The agent is in service").waitFor();
    await bar.getByText("Version 1 is live, and the draft is the same.").waitFor();

    await page.getByLabel("System prompt").fill("You are Ada.\nBe brief.");
    await page.getByRole("button", { name: "Save changes" }).click();
    await bar.getByText("1 change since version 1 was published").waitFor();
    const hours = { name: "hours", title: "Hours", content: "From nine to six." };
    const { id: faq_id } = await server<{ id: string }>("POST", "/api/v1/faqs", hours);
    await server("POST", `${agent}/faqs`, { faq_id });
    await server("PATCH", agent, { llm_model: "gpt-4o-mini" });
    await page.reload();
    await bar.getByText("3 changes since version 1 was published").waitFor();
    await bar.getByText("FAQ hours").waitFor();
    await bar.getByRole("link", { name: "View changes" }).click();
    await page.getByRole("heading", { name: "What changes from version 1 to the draft" }).waitFor();
    const prompt = page.getByRole("region", { name: "System prompt", exact: true });
    await expect.poll(() => prompt.textContent()).toContain("Added: Be brief.");
    const model = page.getByRole("region", { name: "Language model", exact: true });
    await expect.poll(() => model.textContent()).toMatch(/Before: GPT-4o.*After: GPT-4o mini/);
    await expectFit(operator, "agent-draft-changes");
    await server("POST", `${agent}/publish`, { note: "Brief, and knows the hours" });
    await page.reload();
    const list = page.getByRole("navigation", { name: "Versions" });
    await list
      .getByRole("link", { name: /^Version 2 ?Live.*Brief, and knows the hours.*by the API key server/ })
      .waitFor();
    await list.getByRole("link", { name: /^Version 1.*by you/ }).waitFor();
    for (const [role, author] of [
      ["admin", "by Ada Byron"],
      ["builder", "by someone else"],
    ] as const) {
      const other = await visitAs(operator, `/agents/${operator.account.agent.id}/versions`, role);
      await other.page.getByRole("link", { name: new RegExp(`^Version 1.*${author}`) }).waitFor();
    }

    await list.getByRole("link", { name: /^Version 1/ }).click();
    await page.getByLabel("Compare with").selectOption("2");
    await page.getByRole("heading", { name: "What changes from version 1 to version 2" }).waitFor();
    await prompt.waitFor();
    await expectFit(operator, "agent-versions");
    await page.getByLabel("Compare with").selectOption("Nothing (show full version)");
    await page.getByRole("heading", { name: "Greeting" }).waitFor();
    await expectFit(operator, "agent-version-whole");
    await page.getByRole("button", { name: "Restore version 1" }).click();
    const question = page.getByRole("alertdialog");
    await question.getByText("Nothing changes for callers until you publish it.", { exact: false }).waitFor();
    await question.getByRole("button", { name: "Restore version 1" }).click();
    await bar.getByText(/changes since version 2 was published/).waitFor();
    expect(await server("GET", agent)).toMatchObject({ system_prompt: "", published_version: 2, faqs: [] });
  });

  it("versions are published one at a time, without changing the draft", async () => {
    const { operator, page, bar, agent, server } = await atManualAgent("/versions");
    await server("POST", `${agent}/publish`, { note: "One" });
    await server("PATCH", agent, { greeting_message: "Good morning." });
    await server("POST", `${agent}/publish`, { note: "Two" });
    await server("PATCH", agent, { greeting_message: "Good evening." });
    await page.reload();
    const list = page.getByRole("navigation", { name: "Versions" });
    await list.getByRole("link", { name: /^Version 2 ?Live/ }).click();
    await page.getByRole("button", { name: "Restore version 2" }).waitFor();
    expect(await page.getByRole("button", { name: /^Publish version/ }).count()).toBe(0);
    await list.getByRole("link", { name: /^Version 1/ }).click();
    await page.getByRole("button", { name: "Publish version 1…" }).click();
    const dialog = page.getByRole("dialog", { name: "Publish version 1" });
    await dialog.getByText("the draft doesn't change", { exact: false }).waitFor();
    await expectFit(operator, "agent-publish-version");
    await dialog.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText("Version 1 is published").waitFor();
    await list.getByRole("link", { name: /^Version 1 ?Live/ }).waitFor();
    await bar.getByText(/since version 1 was published/).waitFor();
    expect(await server("GET", agent)).toMatchObject({ published_version: 1, greeting_message: "Good evening." });
  });

  it("required tests hold a version back, and can be run in the dialog or overridden", async () => {
    const { operator, page, bar, agent, server } = await atManualAgent();
    const goodbye = { name: "Says hello", steps: [{ says: "Goodbye" }], expect: [{ said: "hello" }], required: true };
    const { id } = await server<{ id: string }>("POST", `${agent}/tests`, goodbye);
    await page.getByRole("button", { name: "Put into service" }).click();
    const dialog = page.getByRole("dialog");
    const publish = dialog.getByRole("button", { name: /^(Publish|Put into service)$/ });
    await publish.click();
    await dialog.getByText("Required tests weren't run on this draft yet").waitFor();
    await dialog.getByText("“Says hello”", { exact: false }).waitFor();
    await expect.poll(() => publish.count()).toBe(0);
    await expectFit(operator, "agent-publish-held-back");
    await dialog.getByRole("button", { name: "Run required tests" }).click();
    await dialog.getByText("All required tests pass on this draft.", { exact: false }).waitFor();
    await publish.click();
    await page.getByText("The agent is in service").waitFor();

    await server("PATCH", `${agent}/tests/${id}`, { expect: [{ said: "bananas" }] });
    await server("PATCH", agent, { system_prompt: "You are Ada." });
    await page.reload();
    await bar.getByRole("button", { name: "Publish…" }).click();
    await publish.click();
    await dialog.getByRole("button", { name: "Run required tests" }).click();
    await dialog.getByText("1 conversation didn't go as expected.").waitFor();
    await expectFit(operator, "agent-publish-failed");
    await dialog.getByRole("button", { name: "Publish anyway…" }).click();
    await dialog.getByText("The audit log says", { exact: false }).waitFor();
    await dialog.getByRole("button", { name: "Publish anyway", exact: true }).click();
    await page.getByText("Version 2 is published").waitFor();
    expect((await versionsOf(operator)).map(({ number, live }) => [number, live])).toEqual([
      [2, true],
      [1, false],
    ]);
  });

  it("ask before an agent goes out of service, and before a draft goes live", async () => {
    const operator = await withSession();
    const { page, account, goTo } = operator;
    await goTo(`/agents/${account.agent.id}/settings`);
    const choice = page.getByLabel("Changes go live");
    await choice.selectOption("When published");
    await page.getByRole("button", { name: "Save changes" }).click();
    const question = page.getByRole("alertdialog");
    await question.getByText("This agent is a draft and was never published.", { exact: false }).waitFor();
    await question.getByRole("button", { name: "Close" }).click();
    const agent = `/api/v1/agents/${account.agent.id}`;
    expect(await account.server("GET", agent)).toMatchObject({ versioning: "auto" });
    await page.getByRole("button", { name: "Save changes" }).click();
    await question.getByRole("button", { name: "Turn on drafts" }).click();
    await page.getByText("Not published", { exact: true }).waitFor();
    await choice.selectOption("At once, when saved");
    await page.getByRole("button", { name: "Save changes" }).click();
    await question.getByRole("button", { name: "Save and go live" }).click();
    await expect.poll(() => account.server("GET", agent)).toMatchObject({ versioning: "auto" });
  });

  it("can be chosen for a campaign, which otherwise uses the live one", async () => {
    const { page, operator, agent, server } = await atManualAgent();
    const { account, goTo } = operator;
    await server("POST", `${agent}/publish`, { note: "The first one" });
    await server("POST", "/api/v1/telephony/numbers", { e164: "+12025550100", provider: "sandbox" });
    const form = new FormData();
    for (const [field, value] of [
      ["name", "Spring"],
      ["agent_id", account.agent.id],
      ["from_number", "+12025550100"],
    ] as const)
      form.set(field, value);
    form.set("contacts", new File(["phone_number\n+13035551210\n"], "contacts.csv", { type: "text/csv" }));
    const campaign = await account.upload<{ id: string }>("/api/v1/campaigns", form);
    await goTo(`/campaigns/${campaign.id}/settings`);
    const choice = page.getByLabel("Agent version");
    await expect.poll(() => choice.inputValue()).toBe("live");
    await choice.selectOption("Version 1: The first one");
    await page.getByText("All calls use this version", { exact: false }).waitFor();
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await server("GET", `/api/v1/campaigns/${campaign.id}`)).toMatchObject({ agent_version: 1 });
  });

  it("include the live content, published before drafts are turned on", async () => {
    const { page, account, goTo } = await withSession();
    const agent = `/api/v1/agents/${account.agent.id}`;
    await account.server("PATCH", agent, { status: "active" });
    const sent = { e164: "+12025550142", provider: "sandbox", inbound_enabled: true, agent_id: account.agent.id };
    await account.server("POST", "/api/v1/telephony/numbers", sent);
    await goTo(`/agents/${account.agent.id}/settings`);
    await page.getByLabel("Language model").selectOption("gpt-4o-mini");
    await page.getByLabel("Changes go live").selectOption("When published");
    await page.getByRole("button", { name: "Save changes" }).click();
    const question = page.getByRole("alertdialog", { name: "Turn on drafts?" });
    await question.getByText("Calls to +1 202 555 0142 aren't answered.").waitFor();
    await question.getByText("Pages with the widget key “page”", { exact: false }).waitFor();
    await question.getByRole("button", { name: "Publish the live content and switch" }).click();
    await page.getByText("1 change since version 1 was published", { exact: false }).waitFor();
    expect(await account.server("GET", agent)).toMatchObject({
      versioning: "manual",
      published_version: 1,
      llm_model: "gpt-4o-mini",
      in_service: { phone: { ready: true } },
    });
    expect(await account.server("GET", `${agent}/versions/1`)).toMatchObject({ agent: { llm_model: "gpt-4o" } });
  });

  it("a version is never called live while the agent is a draft", async () => {
    const { page, account, goTo } = await withSession();
    await goTo(`/agents/${account.agent.id}/versions`);
    await page.getByRole("link", { name: /^Not numbered yet/ }).waitFor();
    expect(await page.getByRole("navigation", { name: "Versions" }).textContent()).not.toMatch(/live/i);
  });

  it("a viewer sees versions without any controls to change them", async () => {
    const operator = await signedInAs("viewer");
    const { account, page, goTo } = operator;
    const agent = `/api/v1/agents/${account.agent.id}`;
    await account.server("PATCH", agent, { versioning: "manual" });
    await account.server("POST", `${agent}/publish`, { note: "The first one" });
    await account.server("PATCH", agent, { system_prompt: "You are Ada." });
    await goTo(`/agents/${account.agent.id}/versions`);
    await page.getByRole("heading", { name: "What changes from version 1 to the draft" }).waitFor();
    // The button would be beside these words.
    await page.getByText("1 change since version 1 was published").waitFor();
    expect(await page.getByRole("button", { name: /^Publish/ }).count()).toBe(0);
    await page.getByRole("link", { name: /^Version 1/ }).click();
    await page.getByRole("heading", { name: "Greeting" }).waitFor();
    await expect.poll(() => page.getByRole("button", { name: /^Restore/ }).count()).toBe(0);
    const builder = await visitAs(operator, `/agents/${account.agent.id}`, "builder");
    await builder.page.getByRole("button", { name: "Publish…" }).waitFor();
  });
});
