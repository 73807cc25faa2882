import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { serveConsole, signedIn, signedInToOperate, visitAs, withSession } from "./operator.ts";

serveConsole();

/** Sends a request as the user of this page, and so as someone else in the eyes of the shown form. */
const send = (page: Page, method: string, path: string, body?: object) =>
  page.evaluate(
    async ([method, path, body]) => {
      const { access_token, account } = JSON.parse(sessionStorage.getItem("switchboard-session") ?? "{}");
      const headers = {
        authorization: `Bearer ${access_token}`,
        "x-account-id": account,
        "content-type": "application/json",
      };
      const response = await fetch(path, { method, headers, ...(body !== "" && { body }) });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text === "" ? undefined : JSON.parse(text);
    },
    [method, path, body ? JSON.stringify(body) : ""] as const,
  );

/** Lets the page read again what it shows, as if the user returned to its tab. */
const comeBack = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));

/** A form that edits a stored resource. */
interface Edited {
  page: Page;
  /** The form's path in the console, and the button that opens it there. */
  at: string;
  opener?: string;
  field: (within: Page) => Locator;
  save: string;
  /** Stores a value as someone else. */
  theirs: (value: string) => Promise<unknown>;
  /** The value at the beginning, then one to type, and two by someone else. */
  values: [stored: string, mine: string, theirs: string, next: string];
}

const NAMES: Edited["values"] = ["page", "Mine", "Theirs", "Theirs again"];
const inPanel = (label: string) => (page: Page) =>
  page.getByRole("complementary").getByLabel(label, { exact: true }).first();

async function campaignContact(): Promise<Edited> {
  const { page, account } = await withSession();
  const from_number = "+12025550142";
  await account.server("POST", "/api/v1/telephony/numbers", { e164: from_number, provider: "sandbox" });
  const form = new FormData();
  for (const [name, value] of Object.entries({ name: "Spring", agent_id: account.agent.id, from_number }))
    form.set(name, value);
  form.set(
    "contacts",
    new File(["phone_number,first_name\n+13035551210,page\n"], "contacts.csv", { type: "text/csv" }),
  );
  const { id } = await account.upload<{ id: string }>("/api/v1/campaigns", form);
  const contacts = `/api/v1/campaigns/${id}/contacts`;
  const { contacts: found } = await account.server<{ contacts: { id: string }[] }>("GET", contacts);
  const contact = found[0]?.id;
  const path = `${contacts}/${contact}`;
  const theirs = (first_name: string) => account.server("PATCH", path, { variables: { first_name } });
  const at = `/campaigns/${id}/contacts/${contact}`;
  return { page, at, field: inPanel("first_name"), save: "Save changes", theirs, values: NAMES };
}

async function apiKey(): Promise<Edited> {
  const { page } = await signedIn();
  const { id } = await send(page, "POST", "/api/v1/api-keys", { name: "page" });
  const theirs = (name: string) => send(page, "PATCH", `/api/v1/api-keys/${id}`, { name });
  return { page, at: `/api-keys/${id}`, field: inPanel("Name"), save: "Save", theirs, values: NAMES };
}

async function member(): Promise<Edited> {
  const owner = await signedIn();
  const { page } = owner;
  await visitAs(owner, "/agents", "builder");
  const { members } = await send(page, "GET", "/api/v1/members");
  const { id } = members.find(({ role }: { role: string }) => role === "builder");
  const theirs = (role: string) => send(page, "PATCH", `/api/v1/members/${id}`, { role });
  const values: Edited["values"] = ["builder", "admin", "viewer", "builder"];
  return { page, at: `/members/${id}`, field: inPanel("Role"), save: "Change role", theirs, values };
}

async function price(): Promise<Edited> {
  const { page } = await signedIn();
  const what = "speech/elevenlabs";
  const theirs = (dollars: string) =>
    send(page, "PATCH", "/api/v1/prices", { prices: [{ what, unit_micros: Number(dollars) * 1_000_000 }] });
  await theirs("1");
  const field = (within: Page) => within.getByRole("complementary").getByRole("spinbutton");
  return { page, at: "/prices/speech:elevenlabs", field, save: "Save", theirs, values: ["1", "2", "3", "4"] };
}

async function signInPolicy(): Promise<Edited> {
  const { page } = await signedIn();
  const theirs = (hours: string) => send(page, "PATCH", "/api/v1/sign-in-policy", { session_hours: Number(hours) });
  await theirs("8");
  const field = (within: Page) => within.getByRole("spinbutton").first();
  return { page, at: "/sign-in-policy", field, save: "Save changes", theirs, values: ["8", "9", "10", "11"] };
}

async function widgetKey(): Promise<Edited> {
  const { page, account } = await signedIn();
  const { id } = account.widgetKey;
  const theirs = (name: string) => send(page, "PATCH", `/api/v1/widget-keys/${id}`, { name });
  return { page, at: `/widget-keys/${id}`, field: inPanel("Name"), save: "Save", theirs, values: NAMES };
}

async function widgetKeyLimits(): Promise<Edited> {
  const { page, account } = await signedIn();
  const { id } = account.widgetKey;
  const theirs = (limit: string) =>
    send(page, "PATCH", `/api/v1/widget-keys/${id}`, { limits: { turns_per_conversation: Number(limit) } });
  await theirs("8");
  const field = inPanel("Turns per conversation");
  return { page, at: `/widget-keys/${id}`, field, save: "Save limits", theirs, values: ["8", "9", "10", "11"] };
}

async function operatedAccount(): Promise<Edited> {
  const { page, account } = await signedInToOperate();
  const path = `/api/admin/v1/accounts/${account.name}`;
  const theirs = (display_name: string) => send(page, "PATCH", path, { display_name });
  await theirs("page");
  const field = inPanel("Display name");
  return { page, at: `/accounts/${account.name}`, field, save: "Save changes", theirs, values: NAMES };
}

async function agentTool(): Promise<Edited> {
  const { page, account } = await signedIn();
  const { id } = account.agent;
  const tool = await account.server<{ name: string }>("POST", "/api/v1/tools", { name: "find_parcel" });
  const theirs = (config: string) =>
    send(page, "PUT", `/api/v1/agents/${id}/tools`, { tool_name: tool.name, config: JSON.parse(config) });
  const values = ["page", "mine", "theirs", "next"].map((desk) => JSON.stringify({ desk }, null, 2));
  const [stored = "", mine = "", other = "", next = ""] = values;
  await theirs(stored);
  const field = (within: Page) => within.getByRole("dialog").getByLabel("Settings for this agent");
  const opener = "Find parcel settings";
  return {
    page,
    at: `/agents/${id}/knowledge`,
    opener,
    field,
    save: "Save",
    theirs,
    values: [stored, mine, other, next],
  };
}

describe("a form whose resource someone else changes meanwhile", () => {
  it.each([
    ["a campaign's contact", campaignContact],
    ["an API key", apiKey],
    ["a member's role", member],
    ["a price", price],
    ["the sign-in policy", signInPolicy],
    ["a widget key", widgetKey],
    ["the limits of a widget key", widgetKeyLimits],
    ["an account, for the service's operator", operatedAccount],
    ["the settings of an agent's tool", agentTool],
  ])("shows their value of %s until something is typed, and then asks whose to keep", async (_, prepare) => {
    const { page, at, opener, field: fieldIn, save, theirs, values } = await prepare();
    const [stored, mine, other, next] = values;
    await page.goto(new URL(`/console${at}`, page.url()).href);
    if (opener) await page.getByRole("button", { name: opener }).click();
    const field = fieldIn(page);
    const shown = () => field.inputValue();
    await expect.poll(shown).toBe(stored);
    await theirs(other);
    await comeBack(page);
    await expect.poll(shown).toBe(other);

    const isChoice = (await field.evaluate(({ tagName }) => tagName)) === "SELECT";
    await (isChoice ? field.selectOption(mine) : field.fill(mine));
    await theirs(next);
    await field.locator("xpath=ancestor::form").getByRole("button", { name: save, exact: true }).click();
    const conflict = page.getByRole("alert", { name: "Someone else saved changes" });
    await expect.poll(() => conflict.locator("pre").allTextContents()).toEqual([next, mine]);
    await conflict.getByRole("button", { name: "Take theirs" }).click();
    await expect.poll(shown).toBe(next);
  });

  it("saves a field that only the user changed, and shows the others as they were saved", async () => {
    const { page } = await signedIn("/sign-in-policy");
    const [hours, idle] = [page.getByRole("spinbutton").first(), page.getByRole("spinbutton").last()];
    await hours.fill("9");
    await send(page, "PATCH", "/api/v1/sign-in-policy", { idle_minutes: 45 });
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect.poll(() => idle.inputValue()).toBe("45");
    await expect
      .poll(() => send(page, "GET", "/api/v1/sign-in-policy"))
      .toMatchObject({ session_hours: 9, idle_minutes: 45 });
    expect(await hours.inputValue()).toBe("9");
  });

  it("saves the user's value over theirs once that is chosen, and begins with it again", async () => {
    const { page, at, field, save, theirs } = await widgetKey();
    await page.goto(new URL(`/console${at}`, page.url()).href);
    const name = field(page);
    await name.fill("Mine ");
    await theirs("Theirs");
    await page.getByRole("button", { name: save, exact: true }).click();
    await page.getByRole("button", { name: "Keep mine" }).click();
    const title = page.getByRole("complementary", { name: "Mine", exact: true });
    await title.waitFor();
    // The service stored the name without the space. That isn't a change by someone else.
    await name.fill("Mine again");
    await page.getByRole("button", { name: save, exact: true }).click();
    await page.getByRole("complementary", { name: "Mine again" }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });
});

describe("a tool of an agent that someone else has set up meanwhile", () => {
  it("keeps their settings when it is turned off", async () => {
    const { page, account, goTo } = await withSession();
    const path = `/api/v1/agents/${account.agent.id}/tools`;
    const { name: tool_name } = await account.server<{ name: string }>("POST", "/api/v1/tools", {
      name: "find_parcel",
    });
    await account.server("PUT", path, { tool_name, config: { desk: "mine" } });
    await goTo(`/agents/${account.agent.id}/knowledge`);
    const enabled = page.getByLabel("Find parcel", { exact: true });
    await enabled.waitFor();
    await account.server("PUT", path, { tool_name, config: { desk: "theirs" } });
    await enabled.uncheck();
    await expect
      .poll(() => account.server("GET", path))
      .toMatchObject({ tools: [{ enabled: false, config: { desk: "theirs" } }] });
  });
});

describe("a read that began before a change", () => {
  it("is repeated, even if it was the first of a list", async () => {
    const { page, account, goTo } = await withSession();
    const read = await holdNextRead(page, "**/api/v1/invitations");
    await goTo("/members/invite");
    const email = `grace@${account.name}.example`;
    const panel = page.getByRole("complementary");
    await panel.getByLabel("Email").fill(email);
    await read.begun;
    await panel.getByRole("button", { name: "Create invitation" }).click();
    await panel.getByText("It won't be shown again.").waitFor();
    await read.release();
    await page.getByRole("region", { name: "Invitations" }).getByText(email).waitFor();
  });

  it("does not replace what was saved since", async () => {
    const { page, goTo } = await withSession();
    await goTo("/account");
    const name = page.getByLabel("Display name");
    await name.waitFor();
    const read = await holdNextRead(page, "**/api/v1/account");
    await comeBack(page);
    await read.begun;
    await name.fill("Acme Dental");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Account saved").waitFor();
    await read.release();
    expect(await name.inputValue()).toBe("Acme Dental");
  });
});

interface HeldRead {
  /** Resolves once the service has answered the read. */
  begun: Promise<void>;
  /** Delivers the answer, and waits until the page has processed it, if it still wants it. */
  release(): Promise<void>;
}

/** Holds the answer to the page's next read of this address. */
async function holdNextRead(page: Page, address: string): Promise<HeldRead> {
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const delivered = Promise.withResolvers<void>();
  let isNext = true;
  await page.route(address, async (route) => {
    if (route.request().method() !== "GET" || !isNext) return route.fallback();
    isNext = false;
    const response = await route.fetch();
    begun.resolve();
    await released.promise;
    // The page may have given the read up.
    await route.fulfill({ response }).catch(() => undefined);
    delivered.resolve();
  });
  return {
    begun: begun.promise,
    release: async () => {
      released.resolve();
      await delivered.promise;
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    },
  };
}

describe("a question about what a query tells", () => {
  it("does not say that no tool uses an integration before that is known", async () => {
    const { page, account, goTo } = await withSession();
    const params = { api_host: "api.segment.io" };
    await account.server("POST", "/api/v1/integrations/segment/install", { params, secrets: { write_key: "wk" } });
    await page.route("**/api/v1/tools?*", (route) => route.fulfill({ status: 503, json: {} }));
    await goTo("/integrations/segment");
    await page.getByRole("button", { name: "Uninstall" }).click();
    const question = page.getByRole("alertdialog", { name: "Uninstall Segment?" });
    await question.getByText("Any tools that use it will fail.").waitFor();
    expect(await question.getByText("None of your tools").count()).toBe(0);
  });

  it("offers to disable the widget keys of an API key even if they can't be loaded", async () => {
    const { page, account, goTo } = await withSession();
    const [key] = await account.server<{ id: string }[]>("GET", "/api/v1/api-keys");
    await page.route("**/api/v1/widget-keys", (route) => route.fulfill({ status: 503, json: {} }));
    await goTo(`/api-keys/${key?.id}`);
    await page.getByRole("complementary").getByRole("button", { name: "Delete" }).click();
    const question = page.getByRole("alertdialog");
    await question.getByLabel("Also disable the widget keys it created").waitFor();
    expect(await question.getByText("widget keys are in use").count()).toBe(0);
  });
});
