import { describe, expect, it } from "vitest";
import { atAgent, button, holdFirst, link, stored, tab } from "./at-agent.ts";
import { expectFit, serveConsole, signedIn, withSession } from "./operator.ts";

serveConsole();

describe("agents", () => {
  it("agents are found by name and status, and created", async () => {
    const operator = await signedIn("/agents");
    const { page } = operator;
    await link(page, "Ada").waitFor();
    await expectFit(operator, "agents");
    await page.getByLabel("Name").fill("nobody");
    await page.getByText("No matching agents").waitFor();
    expect(new URL(page.url()).searchParams.get("name")).toBe("nobody");
    await button(page, "Clear filters").click();
    await page.getByLabel("Status").selectOption("Archived");
    await page.getByText("No matching agents").waitFor();
    await page.getByLabel("Status").selectOption("Draft");
    await link(page, "Ada").waitFor();
    await link(page, "New agent").click();
    await page.getByRole("heading", { name: "New agent" }).waitFor();
    await page.getByLabel("Name").fill("Night desk");
    await page.getByLabel("Greeting").fill("Good evening. ".repeat(400));
    await button(page, "Create agent").click();
    // The service's message about a field appears at the field.
    await expect.poll(() => page.getByLabel("Greeting").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Greeting").fill("Good evening.");
    await expectFit(operator, "new-agent");
    await button(page, "Create agent").click();
    await page.getByRole("heading", { name: "Night desk" }).waitFor();
    expect(await page.getByLabel("Greeting").inputValue()).toBe("Good evening.");
  });

  it("agents are all listed on a phone, however long a word in their names is", async () => {
    const operator = await withSession();
    const { page, account } = operator;
    await account.server("PATCH", `/api/v1/agents/${account.agent.id}`, { name: "Kundenbetreuung".repeat(6) });
    await page.setViewportSize({ width: 390, height: 800 });
    await operator.goTo("/agents");
    const list = page.getByRole("region", { name: "Agents" });
    await list.waitFor();
    expect(await list.evaluate((region) => region.scrollWidth - region.clientWidth)).toBe(0);
  });

  it("show both values if someone else has saved the same field meanwhile, and keep what was typed", async () => {
    const operator = await atAgent();
    const { page, account } = operator;
    const path = `/api/v1/agents/${account.agent.id}`;
    const greeting = page.getByLabel("Greeting");
    const conflict = page.getByRole("alert", { name: "Someone else saved changes" });
    await greeting.fill("Mine, good morning.");
    await account.server("PATCH", path, { greeting_message: "Theirs, good morning.", description: "Also theirs" });
    await button(page, "Save changes").click();
    await conflict.getByText("Theirs, good morning.").waitFor();
    await conflict.getByText("Mine, good morning.").waitFor();
    await conflict.getByRole("heading", { name: "Greeting", exact: true }).waitFor();
    expect(await conflict.textContent()).toMatch(/Changed by the API key .* on /);
    expect(await greeting.inputValue()).toBe("Mine, good morning.");
    expect(await stored(operator)).toMatchObject({ greeting_message: "Theirs, good morning." });
    await expectFit(operator, "agent-conflict");
    await button(page, "Keep mine").click();
    await conflict.waitFor({ state: "detached" });
    await expect
      .poll(() => stored(operator))
      .toMatchObject({
        greeting_message: "Mine, good morning.",
        description: "Also theirs",
      });
    // The next edit begins with what was saved last.
    await greeting.fill("Mine again.");
    // Their change is stored before the answer to the save arrives, and the user goes on typing meanwhile.
    const saved = Promise.withResolvers<void>();
    await page.route(`**${path}`, async (route) => {
      if (route.request().method() !== "PATCH") return route.continue();
      const response = await route.fetch();
      await saved.promise;
      await route.fulfill({ response });
    });
    await button(page, "Save changes").click();
    await expect.poll(() => stored(operator)).toMatchObject({ greeting_message: "Mine again." });
    await account.server("PATCH", path, { greeting_message: "Theirs again." });
    await greeting.fill("Lost on purpose.");
    saved.resolve();
    await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
    await button(page, "Save changes").click();
    await button(page, "Take theirs").click();
    await expect.poll(() => greeting.inputValue()).toBe("Theirs again.");
    // Changes of different fields by two people are both kept.
    await account.server("PATCH", path, { system_prompt: "You are Ada, by them." });
    await greeting.fill("By me.");
    await button(page, "Save changes").click();
    await expect
      .poll(() => stored(operator))
      .toMatchObject({
        greeting_message: "By me.",
        system_prompt: "You are Ada, by them.",
      });
  });

  it("have a prompt whose variables are recognized, with links to earlier versions", async () => {
    const operator = await atAgent();
    const { page } = operator;
    const prompt = page.getByLabel("System prompt");
    await prompt.fill("You are Ada.\nBe brief.\nOffer {{ First Name | the caller }} a {{seat}} on {{weekday}}.");
    const variable = (name: string) => page.getByRole("term").filter({ hasText: `{{${name}}}` });
    await variable("first_name").waitFor();
    await page.getByText("Default: the caller").waitFor();
    await page.getByText("No default: left blank if there is no value.").waitFor();
    await page.getByText("Built in: the day of the week, such as Saturday").waitFor();
    // Leaving asks about unsaved changes.
    await tab(page, "Settings").click();
    await button(page, "Stay").click();
    await expectFit(operator, "agent-prompt");
    await button(page, "Save changes").click();
    await page.getByText("Saved", { exact: true }).waitFor();
    await operator.account.server("POST", `/api/v1/agents/${operator.account.agent.id}/publish`, {});
    await link(page, "Earlier versions").click();
    const saved = page.getByRole("navigation", { name: "Versions" }).getByRole("link", { name: /^Version 1/ });
    await saved.waitFor();
  });

  it("offer variables while a text is being written, and report unclosed braces", async () => {
    const operator = await atAgent();
    const { page } = operator;
    const prompt = page.getByLabel("System prompt");
    const list = page.getByRole("listbox", { name: "Variables" });
    const active = () => list.getByRole("option", { selected: true }).locator("code").textContent();
    await page.getByLabel("Greeting").fill("Hello {{pet_name}}!");
    await prompt.fill("You are Ada.\n");
    await prompt.press("End");
    await prompt.pressSequentially("Greet {{");
    await list.waitFor();
    expect(await prompt.getAttribute("role")).toBe("combobox");
    // Variables of the agent's own texts come before common ones.
    expect(await active()).toBe("pet_name");
    await prompt.press("ArrowUp");
    expect(await active()).toBe("weekday");
    await prompt.press("ArrowDown");
    await prompt.press("ArrowDown");
    expect(await active()).toBe("name");
    await expectFit(operator, "agent-prompt-variables");
    await prompt.pressSequentially("acc");
    await expect.poll(() => list.getByRole("option").count()).toBe(1);
    await prompt.press("Enter");
    expect(await prompt.inputValue()).toBe("You are Ada.\nGreet {{account_name}}");
    await expect.poll(() => list.count()).toBe(0);
    await prompt.pressSequentially(", {{");
    await list.getByRole("option").filter({ hasText: "pet_name" }).click();
    await prompt.pressSequentially(" {{fir");
    await list.waitFor();
    await prompt.press("Escape");
    await list.waitFor({ state: "detached" });
    await prompt.press("Enter");
    expect(await prompt.inputValue()).toBe("You are Ada.\nGreet {{account_name}}, {{pet_name}} {{fir\n");
    // The text can't be saved meanwhile.
    const wrong = page.getByText("The “{{” on line 2 isn't closed.");
    await wrong.waitFor();
    expect(await prompt.getAttribute("aria-invalid")).toBe("true");
    await button(page, "Save changes").click();
    await expect.poll(() => prompt.evaluate((field) => field === document.activeElement)).toBe(true);
    expect((await stored(operator)).system_prompt).toBe("");
    await expectFit(operator, "agent-prompt-open-braces");
    await prompt.fill("You are Ada.");
    await wrong.waitFor({ state: "detached" });
    await page.getByLabel("Greeting").fill("Hello {{pet_name");
    await prompt.click();
    await page.getByText("The “{{” on line 1 isn't closed.").waitFor();
    await page.getByLabel("Greeting").fill("Hello {{pet_name}}");
    await button(page, "Save changes").click();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await stored(operator)).toMatchObject({
      system_prompt: "You are Ada.",
      greeting_message: "Hello {{pet_name}}",
    });
  });

  it("have settings, and can be deleted once no running campaign uses them", async () => {
    const operator = await atAgent("/settings");
    const { page, account } = operator;
    await page.getByLabel("Status").selectOption("Active");
    await page.getByLabel("Office background sounds").check();
    await page.getByLabel("Background volume").fill("0.25");
    await expectFit(operator, "agent-settings");
    await button(page, "Save changes").click();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await stored(operator)).toMatchObject({
      status: "active",
      background_audio_enabled: true,
      background_audio_volume: 0.25,
    });
    const from_number = "+12025550123";
    const agent_id = account.agent.id;
    await account.server("POST", "/api/v1/telephony/numbers", { e164: from_number, provider: "sandbox", agent_id });
    const form = new FormData();
    form.set("contacts", new File(["phone_number\n+12025550188\n"], "contacts.csv"));
    for (const [name, value] of Object.entries({ agent_id, from_number, scheduled_at: "2099-01-01T00:00:00Z" }))
      form.set(name, value);
    const campaign = await account.upload<{ id: string }>("/api/v1/campaigns", form);
    await account.server("POST", `/api/v1/campaigns/${campaign.id}/start`);
    const remove = async () => {
      await button(page, "Delete agent").click();
      const question = page.getByRole("alertdialog", { name: "Delete “Ada”?" });
      await question.getByText("+1 202 555 0123 loses its agent").waitFor();
      await question.getByText("Pages using the widget key “page” no longer show a widget").waitFor();
      await question.getByRole("button", { name: "Delete agent" }).click();
    };
    await remove();
    await page
      .getByRole("alert")
      .getByText(/campaign/)
      .waitFor();
    await account.server("POST", `/api/v1/campaigns/${campaign.id}/stop`);
    await remove();
    await page.getByText("No agents yet").waitFor();
    await link(page, "Browse the marketplace").waitFor();
  });
});

describe("a list", () => {
  it("keeps its rows and the focus when it is refetched", async () => {
    const { account, goTo, page } = await withSession();
    await goTo("/agents");
    await link(page, "Ada").focus();
    await account.server("POST", "/api/v1/agents", { name: "Zoe" });
    await page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
    await link(page, "Zoe").waitFor();
    expect(await link(page, "Ada").evaluate((row) => row === document.activeElement)).toBe(true);
  });
});

describe("an agent's knowledge", () => {
  it("can be attached while a search is being answered", async () => {
    const { page } = await atAgent("/knowledge");
    await button(page, "Attach an FAQ").click();
    const dialog = page.getByRole("dialog");
    const attach = dialog.getByRole("button", { name: "Attach When are you open?" });
    const pressed = await attach.elementHandle();
    const others = dialog.getByRole("button", { name: /^Attach Can I/ });
    await others.first().waitFor();
    await dialog.getByRole("searchbox", { name: "Search" }).fill("When are you open?");
    await others.first().waitFor({ state: "detached" });
    expect(await pressed?.evaluate((row) => row.isConnected)).toBe(true);
  });

  it("an agent's knowledge is shown where it is attached, and every tab names what no longer fits", async () => {
    const operator = await atAgent("/knowledge");
    const { account, page } = operator;
    const faq = (name: string, chars: number) => ({ name, title: `About ${name}`, content: "x".repeat(chars) });
    await account.server("POST", "/api/v1/faqs", faq("harbor", 40_000));
    await account.server("POST", "/api/v1/faqs", faq("lighthouse", 30_000));
    await button(page, "Attach an FAQ").first().click();
    const dialog = page.getByRole("dialog", { name: "Attach FAQs" });
    await dialog.getByLabel("Search", { exact: true }).fill("About ");
    await dialog.getByRole("button", { name: "Attach About harbor" }).click();
    await dialog.getByText("Attached", { exact: true }).waitFor();
    expect(await dialog.getByText("Not everything fits").count()).toBe(0);
    await dialog.getByRole("button", { name: "Attach About lighthouse" }).click();
    await dialog.getByText("FAQ: About lighthouse").waitFor();
    await dialog.getByRole("listitem").filter({ hasText: "Left out" }).getByText("About lighthouse").waitFor();
    await expectFit(operator, "agent-knowledge-left-out-attach");
    await dialog.getByRole("button", { name: "Done" }).click();
    const note = page.getByRole("status").filter({ hasText: "Not everything fits" });
    await note.getByText("FAQ: About lighthouse").waitFor();
    await expectFit(operator, "agent-knowledge-left-out");
    await tab(page, "Settings").click();
    // Until the tab is loaded, the previous one also shows the note, and clicking back to it does nothing.
    await page.getByLabel("Status").waitFor();
    await note.getByText("FAQ: About lighthouse").waitFor();
    await tab(page, "Knowledge").click();
    await page.getByRole("button", { name: "Detach About harbor" }).click();
    await expect.poll(() => page.getByText("Not everything fits").count()).toBe(0);
  });

  it("an agent's knowledge is attached in the order of the clicks, however slow the first response is", async () => {
    const operator = await atAgent("/knowledge");
    const { page } = operator;
    const titles = ["When are you open?", "Can I cancel or move my appointment?"];
    await button(page, "Attach an FAQ").click();
    const dialog = page.getByRole("dialog");
    const { sent, release } = await holdFirst(page, "**/api/v1/agents/*/faqs", "POST");
    for (const title of titles) await dialog.getByRole("button", { name: `Attach ${title}` }).click();
    const waiting = dialog.getByRole("button", { name: /^Attach / }).and(dialog.locator("[aria-busy=true]"));
    await expect.poll(() => waiting.count()).toBe(2);
    await expect.poll(sent).toBe(1);
    release();
    await expect.poll(() => dialog.getByText("Attached", { exact: true }).count()).toBe(2);
    expect(await stored(operator)).toMatchObject({ faqs: titles.map((title) => ({ title })) });
  });

  it("an agent's knowledge is attached, turned off, configured and detached", async () => {
    const operator = await atAgent("/knowledge");
    const { page } = operator;
    const attach = async (what: string, title: string) => {
      await button(page, what).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("searchbox", { name: "Search" }).fill(title);
      // Otherwise, the row could move while its button is pressed.
      await expect.poll(() => dialog.getByRole("button", { name: /^Attach / }).count()).toBe(1);
      await dialog.getByRole("button", { name: `Attach ${title}` }).click();
      await dialog.getByText("Attached", { exact: true }).waitFor();
      await dialog.getByRole("button", { name: "Done" }).click();
    };
    await attach("Attach a tool", "Book appointment");
    await page.getByText("The integration cal_com is not installed.").waitFor();
    expect(await link(page, "Go to integrations").getAttribute("href")).toBe("/console/integrations");
    await attach("Attach a playbook", "Book a meeting");
    await page.getByText(/It uses .*, which this agent doesn't have/).waitFor();
    await attach("Attach an FAQ", "Can I cancel or move my appointment?");
    await attach("Attach an FAQ", "When are you open?");
    await expectFit(operator, "agent-knowledge");

    const [moveUp, moveDown] = ["Move When are you open? up", "Move When are you open? down"];
    await page.route("**/api/v1/agents/*/order", (route) => route.abort());
    await button(page, moveUp).press("Enter");
    await page.getByText("can't be reached").waitFor();
    await expect.poll(() => button(page, moveUp).isEnabled()).toBe(true);
    await page.unroute("**/api/v1/agents/*/order");
    await button(page, moveUp).press("Enter");
    // The first can only move down, and the next key press still applies to it.
    expect(await button(page, moveUp).isDisabled()).toBe(true);
    expect(await button(page, moveDown).evaluate((one) => one === document.activeElement)).toBe(true);
    await expect
      .poll(() => stored(operator))
      .toMatchObject({ faqs: [{ title: "When are you open?" }, { title: "Can I cancel or move my appointment?" }] });
    await button(page, "Detach When are you open?").click();
    await button(page, "Detach When are you open?").waitFor({ state: "detached" });

    await page.getByLabel("Book appointment", { exact: true }).uncheck();
    await button(page, "Book appointment settings").click();
    const settings = page.getByRole("dialog");
    await settings.getByLabel("Settings for this agent").fill("[1]");
    await settings.getByText("This isn't a JSON object.").waitFor();
    await settings.getByLabel("Settings for this agent").fill("[1");
    await settings.getByText("Invalid JSON").waitFor();
    await settings.getByLabel("Settings for this agent").fill('{"calendar": "front-desk"}');
    await settings.getByRole("button", { name: "Save" }).click();
    await settings.waitFor({ state: "detached" });
    const { account } = operator;
    expect(await account.server("GET", `/api/v1/agents/${account.agent.id}/tools`)).toMatchObject({
      tools: [{ tool_name: "book_appointment", enabled: false, config: { calendar: "front-desk" } }],
    });

    await button(page, "Detach Book appointment").click();
    await page.getByRole("dialog").or(page.getByRole("alertdialog")).getByRole("button", { name: "Detach" }).click();
    await button(page, "Detach Book a meeting").click();
    await button(page, "Detach Can I cancel or move my appointment?").click();
    await page.getByText("No FAQs attached").waitFor();
    await expect.poll(() => stored(operator)).toMatchObject({ tools: [], playbooks: [], faqs: [] });
  });

  it("two changes of an agent's tool are both stored, however slow the first request is", async () => {
    const operator = await withSession();
    const { page, account } = operator;
    const tools = `/api/v1/agents/${account.agent.id}/tools`;
    await account.server("PUT", tools, { tool_name: "book_appointment" });
    await operator.goTo(`/agents/${account.agent.id}/knowledge`);
    const { sent, release } = await holdFirst(page, `**${tools}`, "PUT");
    await page.getByLabel("Book appointment", { exact: true }).uncheck();
    await expect.poll(sent).toBe(1);
    await button(page, "Book appointment settings").click();
    const settings = page.getByRole("dialog");
    await settings.getByLabel("Settings for this agent").fill('{"calendar": "front-desk"}');
    await settings.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => settings.locator("[aria-busy=true]").count()).toBe(1);
    expect(sent()).toBe(1);
    release();
    await settings.waitFor({ state: "detached" });
    expect(await account.server("GET", tools)).toMatchObject({
      tools: [{ tool_name: "book_appointment", enabled: false, config: { calendar: "front-desk" } }],
    });
  });
});
