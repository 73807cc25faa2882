import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { type Operator, serveConsole, signedIn, withSession } from "./operator.ts";

serveConsole();

const ROOT = join(import.meta.dirname, "../../..");
/** With PICTURES=write, the pictures of the guides are replaced. */
const PICTURES = join(ROOT, process.env.PICTURES === "write" ? "docs/pictures" : "dist/screenshots");

/** The labels that this test has used, in order. */
let used: string[] = [];
afterEach(() => {
  used = [];
});

const exactly = (role: "link" | "button" | "tab") => (page: Page, name: string) =>
  page.getByRole(role, { name, exact: true }).first();
const link = exactly("link");
const button = exactly("button");

/** Records a label that the guide shows in bold. */
function shown(label: string): string {
  used.push(label);
  return label;
}

/** Waits for a screen or panel, because the previous one may have fields with the same names. */
const at = (page: Page, heading: string) => page.getByRole("heading", { name: heading, exact: true }).first().waitFor();
const tab = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Agent", exact: true }).getByRole("link", { name });

const press = (find: (page: Page, name: string) => Locator, page: Page, label: string) =>
  find(page, shown(label)).click();
const field = (page: Page, label: string) => page.getByLabel(shown(label), { exact: true });

async function picture({ page }: Operator, name: string, shows?: Locator): Promise<void> {
  await (shows ? shows.scrollIntoViewIfNeeded() : page.evaluate(() => scrollTo(0, 0)));
  await page.screenshot({ path: join(PICTURES, `console-${name}.png`) });
}

/** Checks that the labels that the guide shows in bold are those that were used, in this order. */
async function expectGuide(name: string): Promise<void> {
  const text = await readFile(join(ROOT, `docs/guides/${name}.md`), "utf8");
  expect([...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, label]) => label)).toEqual(used);
}

const CSV = "phone_number,name\n+12025550111,Ada\n+12025550112,Grace\n+12025550218,Hedy\n";

describe("a guide to the console", () => {
  it("leads to an agent that answers from a fact", async () => {
    const operator = await signedIn();
    const { page } = operator;
    await press(link, page, "Agents");
    await press(link, page, "New agent");
    await at(page, "New agent");
    await field(page, "Name").fill("Front desk");
    await field(page, "Greeting").fill("Harbour Bikes, hello. What can I do for you?");
    await field(page, "System prompt").fill("You are the front desk of Harbour Bikes, a bicycle workshop. Be brief.");
    await picture(operator, "agent-new");
    await press(button, page, "Create agent");
    await page.getByRole("heading", { name: "Front desk", level: 1 }).waitFor();

    await press(link, page, "FAQs");
    await press(link, page, "New FAQ");
    await at(page, "New FAQ");
    await field(page, "Title").fill("How long does a repair take?");
    await field(page, "Answer").fill("Most repairs take two working days.");
    await press(button, page, "Save");
    await at(page, "How long does a repair take?");

    await link(page, "Agents").click();
    await link(page, "Front desk").click();
    await press(tab, page, "Knowledge");
    await press(button, page, "Attach an FAQ");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Attach How long does a repair take?" }).click();
    await press(button, page, "Done");
    await dialog.waitFor({ state: "detached" });
    await picture(operator, "agent-faqs", page.getByRole("button", { name: "Detach How long does a repair take?" }));

    await press(tab, page, "Talk");
    await press(button, page, "Start talking");
    await page.getByLabel("Message to Front desk").fill("How long does a repair take?");
    await page.getByLabel("Message to Front desk").press("Enter");
    await page.getByRole("log").getByText("Most repairs take two working days.").waitFor();
    await picture(operator, "agent-talk");
    await link(page, shown("Integrations")).waitFor();
    await expectGuide("console-agent");
  });

  it("leads to a widget on a page", async () => {
    const operator = await withSession();
    const { page, account } = operator;
    const path = `/agents/${account.agent.id}`;
    // The default of a new agent.
    await account.server("PATCH", `/api/v1${path}`, { auth_mode: "authenticated" });
    await operator.goTo(path);
    await press(button, page, "Put into service");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Put into service" }).click();
    await dialog.waitFor({ state: "detached" });
    await press(tab, page, "Widget");
    await field(page, "Who may chat?").selectOption("Anyone");
    await press(button, page, "Save for this agent");
    await page.getByText("Saved", { exact: true }).waitFor();
    await button(page, shown("Save for all agents")).waitFor();
    await picture(operator, "widget");

    await press(link, page, "Widget keys");
    await press(link, page, "New widget key");
    await at(page, "New widget key");
    await field(page, "Name").fill("Shop");
    await field(page, "Agent").selectOption("Ada");
    await field(page, "Allowed origins").fill("https://shop.example");
    await press(button, page, "Create key");
    await page.getByText("data-client-key").waitFor();
    await picture(operator, "widget-key");
    await page.getByText(shown("Embed code"), { exact: true }).waitFor();
    await expectGuide("console-widget");
  });

  it("leads to a campaign that has called everyone on a list", async () => {
    const operator = await signedIn();
    const { page, account } = operator;
    await account.server("PATCH", `/api/v1/agents/${account.agent.id}`, { status: "active" });
    await press(link, page, "Phone numbers");
    await press(link, page, "Register a number");
    await at(page, "Register a number");
    await field(page, "Number").fill("+1 202 555 0142");
    await press(button, page, "Register");
    await at(page, "+1 202 555 0142");

    await press(link, page, "Campaigns");
    await press(link, page, "New campaign");
    await at(page, "New campaign");
    await field(page, "Choose a file").setInputFiles({
      name: "contacts.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(CSV),
    });
    await field(page, "Name").fill("Spring check");
    await field(page, "Agent").selectOption("Ada");
    await field(page, "Call from").selectOption({ index: 1 });
    await field(page, "When to call").selectOption("Any time");
    await picture(operator, "campaign-new");
    await press(button, page, "Upload 3 contacts");

    await press(link, page, "Plan");
    await at(page, "Ready to start");
    await picture(operator, "campaign-plan");
    await press(button, page, "Start calling");
    await page.getByRole("alertdialog").getByRole("button", { name: "Start calling" }).click();
    await press(link, page, "Board");
    await page.getByText("No one left to call.").waitFor();
    await picture(operator, "campaign-board");
    await expectGuide("console-campaign");
  });
});
