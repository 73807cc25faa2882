import { readFile } from "node:fs/promises";
import Papa from "papaparse";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { asFile, messyRows } from "../../campaign/messy-rows.ts";
import { expectFit, type Operator, search, serveConsole, withSession } from "./operator.ts";

serveConsole();

const FROM = "+12025550100";

interface Campaign {
  id: string;
  name: string;
  timezone: string;
  schedule_config: unknown;
  retry_config: unknown;
  import: Record<string, number>;
}

/** Opens the form for a new campaign in an account with a number and an agent whose texts use names. */
async function atNewCampaign(): Promise<Operator> {
  const operator = await withSession();
  const { account, page } = operator;
  await account.server("POST", "/api/v1/telephony/numbers", { e164: FROM, provider: "sandbox" });
  await account.server("PATCH", `/api/v1/agents/${account.agent.id}`, {
    greeting_message: "Hello {{name}} of {{company}}!",
    system_prompt: "Be brief.",
    status: "active",
  });
  await operator.goTo("/campaigns/new");
  await page.getByRole("heading", { name: "New campaign" }).waitFor();
  return operator;
}

const choose = (page: Page, name: string, text: string) =>
  page.getByLabel("Choose a file").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

/** Returns the large number above this text. */
const count = (page: Page, words: string) =>
  page.getByText(words, { exact: true }).locator("xpath=preceding-sibling::*").textContent();

async function downloaded(page: Page, button: string): Promise<Record<string, string>[]> {
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: button }).click();
  const text = await readFile(await (await saved).path(), "utf8");
  return Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data;
}

describe("a new campaign", () => {
  it("a new campaign is created from a messy list that is mapped, checked, fixed and uploaded", async () => {
    const operator = await atNewCampaign();
    const { page, account } = operator;
    await expectFit(operator, "new-campaign-empty");
    await choose(page, "messy.csv", asFile(messyRows()));
    // Numbers without a country code are reported before anything is sent.
    await page.getByText("78 numbers have no country code").waitFor();
    await search(page.getByLabel("Country of numbers without a country code"), "united states", /^United States \(/);
    await expect.poll(() => count(page, "will be called")).toBe("130");
    expect(await count(page, "can't be used")).toBe("45");
    expect(await count(page, "are duplicates")).toBe("25");

    // A variable of the agent without a column is reported, until a column gets its name.
    await page.getByLabel("Agent", { exact: true }).selectOption({ label: "Ada" });
    await page.getByText("Ada uses {{company}}").waitFor();
    await page.getByLabel("Variable for Firm").fill("Name");
    await page.getByText("Another column has this name.").waitFor();
    await page.getByLabel("Variable for Firm").fill("company");
    await page.getByText("Ada names {{company}}").waitFor({ state: "detached" });
    await page.getByLabel("Use of Note").selectOption("Leave out");

    await page.getByRole("button", { name: "Fix line 188" }).click();
    const row = page.getByRole("dialog", { name: "Line 188" });
    await row.getByLabel("Phone number").fill("(303) 556-9910");
    await row.getByRole("button", { name: "Use this row" }).click();
    await expect.poll(() => count(page, "will be called")).toBe("131");
    await page.getByText("1 row fixed here.").waitFor();
    await expectFit(operator, "new-campaign");

    const rejects = await downloaded(page, "Download rejected rows");
    expect(rejects).toHaveLength(44);
    const repeated = await downloaded(page, "Download duplicate rows");
    expect(repeated).toHaveLength(25);

    await page.getByLabel("Name", { exact: true }).fill("Spring check");
    await page.getByLabel("Call from").selectOption({ index: 1 });
    await page.getByRole("checkbox", { name: "Friday" }).uncheck();
    await page.getByText("Pace, retries").click();
    await page.getByLabel("Maximum calls per contact").fill("3");
    await page.getByLabel("Minutes between calls").fill("30, 240");
    await page.getByRole("button", { name: "Upload 131 contacts" }).click();
    await page.getByText("imported").waitFor();
    expect(await count(page, "imported")).toBe("131");
    expect(await count(page, "rejected")).toBe("44");
    await expectFit(operator, "import-report");

    // The service has the rows as shown, with the line numbers of the chosen file.
    const reported = await downloaded(page, "Download rejected rows");
    expect(reported.map(({ _line, _reason }) => [_line, _reason])).toEqual(
      rejects.map(({ _line, _reason }) => [_line, _reason]),
    );
    expect((await downloaded(page, "Download duplicate rows")).map(({ _line }) => _line)).toEqual(
      repeated.map(({ _line }) => _line),
    );
    const id = /campaigns\/([^/]+)\/import/.exec(page.url())?.[1];
    expect(await account.server<Campaign>("GET", `/api/v1/campaigns/${id}`)).toMatchObject({
      name: "Spring check",
      agent_id: account.agent.id,
      from_number: FROM,
      import: { accepted: 131, rejected: 44, duplicates: 25 },
      schedule_config: [{ days: [1, 2, 3, 4], start: "09:00", end: "17:00" }],
      retry_config: { max_attempts: 3, intervals_minutes: [30, 240] },
    });
    const { contacts } = await account.server<{ contacts: { phone_number: string; variables: unknown }[] }>(
      "GET",
      `/api/v1/campaigns/${id}/contacts?search=Person%20155`,
    );
    expect(contacts).toEqual([
      expect.objectContaining({
        phone_number: "+13035569910",
        variables: { Name: "Person 155", company: "Firm; 155" },
      }),
    ]);

    // Another row is fixed on the page and added.
    await page.getByRole("button", { name: "Fix them here" }).click();
    await search(page.getByLabel("Country of numbers without a country code"), "united states", /^United States \(/);
    await page
      .getByRole("button", { name: /^Fix line/ })
      .first()
      .click();
    await page.getByRole("dialog").getByLabel("Phone number").fill("+1 303 556 9911");
    await page.getByRole("button", { name: "Use this row" }).click();
    await page.getByRole("button", { name: "Add 1 contact" }).click();
    await page.getByText(/^1 contact added/).waitFor();
    await expect.poll(() => count(page, "imported")).toBe("132");
  });

  it("accepts pasted rows, and explains why a file is unusable", async () => {
    const { page } = await atNewCampaign();
    await page.getByLabel("Choose a file").setInputFiles({
      name: "contacts.xlsx",
      mimeType: "application/octet-stream",
      buffer: Buffer.from([0x50, 0x4b, 3, 4, 20, 0]),
    });
    await page.getByText("This is a spreadsheet workbook.").waitFor();
    await page.getByRole("button", { name: "Paste rows" }).click();
    await page.getByLabel("Rows with a header").fill("Who\tWhere\nAda\tLondon\n");
    await page.getByRole("button", { name: "Use these rows" }).click();
    await page.getByText("Choose the column with the phone numbers.").waitFor();
    expect(await page.getByRole("button", { name: "Upload", exact: true }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Remove file" }).click();
    // Rows can be pasted anywhere on the page. The first row isn't a header.
    await page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", "+12025550111\tAda\n+12025550112\tGrace\n");
      window.dispatchEvent(new ClipboardEvent("paste", { clipboardData }));
    });
    await page.getByText("the columns have no names").waitFor();
    await page.getByLabel("Variable for column_2").fill("name");
    await page.getByRole("button", { name: "Upload 2 contacts" }).click();
    await expect.poll(() => count(page, "imported")).toBe("2");
  });

  it("shows the service's errors at their fields, and confirms leaving an upload", async () => {
    const { page, account } = await atNewCampaign();
    await choose(page, "few.csv", "phone_number,name\n+12025550111,Ada\n");
    await page.getByText("Pace, retries").click();
    await page.getByLabel("Maximum calls per contact").fill("30");
    // Disables the browser's own check of the field, which would come first.
    await page.locator("form").evaluate((form: HTMLFormElement) => {
      form.noValidate = true;
    });
    await page.getByRole("button", { name: "Upload 1 contact" }).click();
    await expect.poll(() => page.getByLabel("Maximum calls per contact").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Maximum calls per contact").fill("2");

    let arrived = () => {};
    const isUnderWay = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    await page.route("**/api/v1/campaigns", (route) => {
      if (route.request().method() !== "POST") return route.fallback();
      // Held until the page cancels it.
      arrived();
    });
    await page.getByRole("button", { name: "Upload 1 contact" }).click();
    await isUnderWay;
    await page.getByText("Stay on this page until the upload finishes").waitFor();
    await page.getByRole("link", { name: "Agents", exact: true }).click();
    const question = page.getByRole("alertdialog", { name: "Leave during the upload?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Cancel upload" }).click();
    await page.getByText("Canceled. Nothing was saved.").waitFor();
    expect((await account.server<{ total: number }>("GET", "/api/v1/campaigns")).total).toBe(0);
  });

  it("asks about numbers valid in two countries before the upload, and reports the assumed ones", async () => {
    const operator = await atNewCampaign();
    const { page, account } = operator;
    const upload = page.getByRole("button", { name: /^Upload/ });
    const answer = (name: string) => page.getByRole("button", { name, exact: true }).click();
    await choose(page, "mixed.csv", "phone_number,name\n030 1234567,Ada\n4915123456789,Grace\n030 1234568,Edsger\n");
    const country = page.getByLabel("Country of numbers without a country code");
    await search(country, "germany", /^Germany \(/);
    await page.getByText("1 number without a plus could be from Germany or from another country:").waitFor();
    await page.getByText("4915123456789 → +49 151 234 567 89 or +49").waitFor();
    await page.getByText("2 numbers without a country code were read as Germany: 030 1234567 →").waitFor();
    await page.getByText("Answer the question about numbers without a country code.").waitFor();
    expect(await upload.isDisabled()).toBe(true);
    await expectFit(operator, "new-campaign-question");
    await answer("Leave out");
    await page.getByRole("button", { name: "Upload 2 contacts" }).waitFor();
    await answer("Change");
    await expect.poll(() => upload.isDisabled()).toBe(true);
    await answer("Add the plus");
    await page.getByRole("button", { name: "Upload 3 contacts" }).waitFor();
    // After undoing the fixes, the question is asked again.
    await answer("Undo all fixes");
    await page.getByText("1 number without a plus could be from Germany or from another country:").waitFor();
    await answer("Read as Germany");
    await page.getByRole("button", { name: "Upload 3 contacts" }).click();
    await page.getByText("imported").first().waitFor();
    await page
      .getByText("2 numbers without a country code were read as Germany: 030 1234567 → +49 301 234 567")
      .waitFor();
    await expectFit(operator, "import-report-assumed");

    // If both readings are valid and one of them is common, both are shown.
    await choose(page, "more.csv", "phone_number,name\n646 555 1234,Alan\n212 555 0199,Barbara\n");
    await search(country, "united states", /^United States \(/);
    await page.getByText("646 555 1234 → +1 646 555 1234 or +64 655 512 34").first().waitFor();
    const add = page.getByRole("button", { name: /^Add \d|^Upload$/ });
    expect(await add.isDisabled()).toBe(true);
    await answer("Read as United States");
    await page.getByRole("button", { name: "Add 2 contacts" }).click();
    await page.getByText(/^2 contacts added/).waitFor();
    await page.getByText("1 of them would also be a valid number of another country.").waitFor();
    const id = /campaigns\/([^/]+)\/import/.exec(page.url())?.[1];
    const { contacts } = await account.server<{ contacts: { phone_number: string }[] }>(
      "GET",
      `/api/v1/campaigns/${id}/contacts`,
    );
    expect(contacts.map(({ phone_number }) => phone_number)).toEqual([
      "+49301234567",
      "+494915123456789",
      "+49301234568",
      "+16465551234",
      "+12125550199",
    ]);
  });

  it("reports that an upload cannot carry more fixed rows, and keeps the earlier fixes", async () => {
    const operator = await atNewCampaign();
    const { page } = operator;
    const numbers = Array.from({ length: 30_000 }, (_, i) => `1202555${String(i).padStart(5, "0").slice(-4)}`);
    await choose(page, "many.csv", `phone_number\n+12025550111\nnobody\n${numbers.join("\n")}\n`);
    await search(page.getByLabel("Country of numbers without a country code"), "germany", /^Germany \(/);
    await page.getByRole("button", { name: "Fix line 3", exact: true }).click();
    const row = page.getByRole("dialog", { name: "Line 3" });
    await row.getByLabel("Phone number").fill("+12025550112");
    await row.getByRole("button", { name: "Use this row" }).click();
    await page.getByText("1 row fixed here.").waitFor();
    await page.getByRole("button", { name: "Add the plus" }).click();
    await page.getByText("This fix wasn't applied: an upload can carry 1 MB of fixes").waitFor();
    await page.getByText("1 row fixed here.").waitFor();
    await expectFit(operator, "new-campaign-too-many-fixes");
    await page.getByRole("button", { name: "Leave out", exact: true }).click();
    await page.getByRole("button", { name: "Upload 2 contacts" }).click();
    await expect.poll(() => count(page, "imported")).toBe("2");
    expect(await count(page, "rejected")).toBe("30,000");
  });

  it("keeps fixed rows until another file is chosen, and asks before it drops them", async () => {
    const operator = await atNewCampaign();
    const { page } = operator;
    await choose(page, "first.csv", "phone_number\n+12025550111\nnobody\n");
    await page.getByRole("button", { name: "Fix line 3", exact: true }).click();
    const row = page.getByRole("dialog", { name: "Line 3" });
    await row.getByLabel("Phone number").fill("+12025550112");
    await row.getByRole("button", { name: "Use this row" }).click();
    await page.getByText("1 row fixed here.").waitFor();
    await page.getByRole("button", { name: "Undo all fixes" }).waitFor();
    // A picker that is closed without a choice changes nothing.
    const picker = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose another file" }).click();
    const chooser = await picker;
    await page.getByText("1 row fixed here.").waitFor();
    const second = { name: "second.csv", mimeType: "text/csv", buffer: Buffer.from("phone_number\n+12025550113\n") };
    await chooser.setFiles(second);
    const question = page.getByRole("alertdialog", { name: "Replace this file?" });
    await question.getByText("The fixes of 1 row are lost.", { exact: false }).waitFor();
    await expectFit(operator, "new-campaign-replace-file");
    await question.getByRole("button", { name: "Keep this file" }).click();
    await page.getByText("first.csv").waitFor();
    await page.getByText("1 row fixed here.").waitFor();
    await page.getByLabel("Choose another file").setInputFiles(second);
    await question.getByRole("button", { name: "Replace file" }).click();
    await page.getByText("second.csv").waitFor();
    expect(await page.getByText("1 row fixed here.").count()).toBe(0);
  });

  it("suggests the column for an agent's variable, and moves from one row to fix to the next", async () => {
    const operator = await atNewCampaign();
    const { page, account } = operator;
    await account.server("PATCH", `/api/v1/agents/${account.agent.id}`, {
      greeting_message: "Hello {{first_name}} of {{company}}, about {{order}}!",
    });
    await page.reload();
    await choose(
      page,
      "customers.csv",
      "Mobile;Vorname;Firma;Stadt\n+12025550111;Ada;Analytical;London\n12;Grace;Navy;Arlington\n13;Alan;NPL;London\n",
    );
    await page.getByLabel("Agent", { exact: true }).selectOption({ label: "Ada" });
    await page.getByText("Ada uses {{first_name}}, {{company}}, {{order}}").waitFor();
    await expectFit(operator, "new-campaign-proposals");
    await page.getByRole("button", { name: "Use Vorname as {{first_name}}" }).click();
    expect(await page.getByLabel("Variable for Vorname").inputValue()).toBe("first_name");
    await page.getByRole("button", { name: "Use Firma as {{company}}" }).click();
    await page.getByText("Ada uses {{order}}").waitFor();
    await expect.poll(() => page.getByRole("button", { name: /^Use .* as/ }).count()).toBe(0);

    const fix = async (line: number, number: string) => {
      const dialog = page.getByRole("dialog", { name: `Line ${line}` });
      await dialog.getByLabel("Phone number").fill(number);
      await dialog.getByRole("button", { name: "Use this row" }).click();
    };
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent);
    await page.getByRole("button", { name: "Fix line 3" }).click();
    await fix(3, "+12025550112");
    await expect.poll(focused).toBe("Fix line 4");
    await page.keyboard.press("Enter");
    await fix(4, "+12025550113");
    await expect.poll(focused).toBe("Upload 3 contacts");
  });
});
