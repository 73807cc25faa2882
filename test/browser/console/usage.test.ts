import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Account } from "../service.ts";
import { expectFit, go, serveConsole, signedIn, withSession } from "./operator.ts";

serveConsole();

const FROM = "+12025550100";
/** A sandbox caller with these digits asks for the opening hours, then for an order and its delivery time. */
const CURIOUS = "+13035550112";
const SPOKEN = "speech/cartesia";

interface Conversation {
  id: string;
  cost: { amount_micros: number; complete: boolean; items: { what: string }[] } | null;
}

/** Lets an agent hold a phone conversation with a cost, and returns it. */
async function held({ server, agent }: Account): Promise<Conversation> {
  await server("POST", "/api/v1/telephony/numbers", { e164: FROM, provider: "sandbox" });
  await server("POST", "/api/v1/calls/originate", { agent_id: agent.id, from_number: FROM, to_number: CURIOUS });
  const latest = async () =>
    (await server<{ conversations: Conversation[] }>("GET", "/api/v1/conversations")).conversations[0];
  await expect.poll(async () => (await latest())?.cost ?? null).not.toBeNull();
  return (await latest()) ?? expect.fail("no conversation");
}

/** Returns how many plots have no line in the current theme's color, that is, were drawn in the previous theme. */
const plotsOfBefore = (page: Page) =>
  page.locator(".uplot canvas").evaluateAll((plots) => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = "var(--line)";
    const line = getComputedStyle(probe).color.match(/\d+/g)?.map(Number).join();
    probe.remove();
    return plots.filter((plot) => {
      if (!(plot instanceof HTMLCanvasElement)) return true;
      const { data } = plot.getContext("2d")?.getImageData(0, 0, plot.width, plot.height) ?? { data: [] };
      for (let at = 0; at < data.length; at += 4) if (data.slice(at, at + 3).join() === line) return false;
      return true;
    }).length;
  });

describe("Usage", () => {
  it("explains an empty and an invalid period", async () => {
    const operator = await signedIn();
    const { page } = operator;
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await go(operator, "h");
    await page.getByText("Nothing used in this period").waitFor();
    await expectFit(operator, "usage-empty");
    await page.getByLabel("Period").selectOption("Choose days");
    await page.getByLabel("From").fill("2026-11-02");
    await page.getByLabel("Until").fill("2026-11-01");
    await page.getByText("The first day must not be after the last").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Export CSV" }).count()).toBe(0);
  });

  it("usage is shown by day, agent, campaign, key and channel, and downloaded", async () => {
    const operator = await withSession();
    const { page, account, goTo } = operator;
    await account.server("PATCH", "/api/v1/prices", {
      prices: [{ what: "carrier/sandbox/outbound/+1", unit_micros: 14_000_000 }],
    });
    await held(account);
    await goTo("/usage");
    const plot = page.getByRole("img", { name: "Cost by day" });
    await plot.locator("canvas").waitFor();
    for (const name of ["Conversations", "Call minutes", "Tokens"])
      await page
        .getByRole("img", { name: `${name} by day` })
        .locator("canvas")
        .waitFor();
    // Each plot uses the theme's colors, even after the theme changes.
    for (const colorScheme of ["light", "dark", "light", "dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
      await expect.poll(() => plotsOfBefore(page), { message: colorScheme }).toBe(0);
    }
    const table = page.getByRole("region", { name: "Usage by agent" });
    await table.getByRole("link", { name: "Ada" }).waitFor();
    await expectFit(operator, "usage");
    const by = page.getByLabel("Usage by", { exact: true });
    await by.selectOption("API key");
    await page.getByRole("region", { name: "Usage by api key" }).getByRole("link", { name: "server" }).waitFor();
    await by.selectOption("Campaign");
    await page.getByRole("region", { name: "Usage by campaign" }).getByText("No campaign").waitFor();
    await by.selectOption("Channel");
    await page.getByRole("region", { name: "Usage by channel" }).getByRole("cell", { name: "Phone" }).waitFor();
    expect(new URL(page.url()).searchParams.get("by")).toBe("kind");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV: Usage by channel" }).click();
    const file = await (await download).path();
    const [header = "", line = ""] = (await readFile(file, "utf8")).split("\r\n");
    expect(header).toMatch(/^\W?kind,calls,/);
    expect(line).toMatch(/^call,1,1,1,/);
    await page.getByLabel("Period").selectOption("Last month");
    await page.getByText("Nothing used in this period").waitFor();
  });

  it("says that a period without a cost was free", async () => {
    const { page, account, goTo } = await withSession();
    await held(account);
    await goTo("/usage");
    await page.getByText("Everything in this period was free.").waitFor();
  });

  it("reports an incomplete cost, and links to the missing price", async () => {
    const operator = await withSession();
    const { page, account, goTo } = operator;
    const { id } = await held(account);
    // The service's response if a voice has no price. The sandbox has a price for everything.
    const unpriced = {
      what: SPOKEN,
      unit: "thousand_characters",
      quantity: 0.412,
      unit_micros: null,
      amount_micros: null,
    };
    await page.route(/\/api\/v1\/conversations(\?|\/[^/?]+$)/, async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { conversations?: Conversation[] } & Partial<Conversation>;
      for (const each of body.conversations ?? [body])
        if (each.cost) Object.assign(each.cost, { complete: false, items: [...each.cost.items, unpriced] });
      await route.fulfill({ response, json: body });
    });
    await page.route(/\/api\/v1\/usage\?/, async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { usage: object[] };
      for (const row of body.usage) Object.assign(row, { cost_incomplete: 1 });
      await route.fulfill({ response, json: body });
    });
    onTestFinished(() => page.unrouteAll({ behavior: "ignoreErrors" }));
    await goTo("/usage");
    await page.getByText("1 of 1 conversation used something whose price is unknown").waitFor();
    await page.getByRole("link", { name: "Cartesia, speech" }).waitFor();
    await page
      .getByText(/\$[\d.]+ or more/)
      .first()
      .waitFor();
    await expectFit(operator, "usage-incomplete");
    await goTo(`/conversations/${id}?view=full`);
    await page.getByText("The conversation cost more than this. Without a price:").waitFor();
    await page.getByText("Total of known prices").waitFor();
    await expectFit(operator, "conversation-cost");
    await page.getByRole("link", { name: "Cartesia, speech" }).first().click();
    await page.getByText("Conversations that use this cost more than is shown until you set a price.").waitFor();
  });

  it("shows an error, with a button to retry", async () => {
    const { page, goTo } = await withSession();
    const refused = { status: 403, headers: { "x-error-code": "forbidden" }, json: "not today" };
    await page.route(/\/api\/v1\/usage\?/, (route) => route.fulfill(refused));
    await goTo("/usage");
    await page.getByText("Not today").first().waitFor();
    await page.unroute(/\/api\/v1\/usage\?/);
    await page.getByRole("button", { name: "Try again" }).first().click();
    await page.getByText("Nothing used in this period").waitFor();
  });
});

describe("a conversation's cost", () => {
  it("a conversation's cost is shown item by item", async () => {
    const { page, account, goTo } = await withSession();
    await account.server("PATCH", "/api/v1/prices", {
      prices: [{ what: "carrier/sandbox/outbound/+1", unit_micros: 14_000 }],
    });
    const { id } = await held(account);
    await goTo(`/conversations/${id}`);
    const row = page.getByRole("row").filter({ hasText: "Sandbox, outbound calls to +1" });
    await row.getByText("$0.014 per minute").waitFor();
    await row.getByText(/^0:\d\d min/).waitFor();
    // The total equals the item exactly.
    const amount = await row.getByRole("cell").innerText();
    await page.getByRole("row").filter({ hasText: "Total" }).getByRole("cell", { name: amount }).waitFor();
  });
});

describe("Prices", () => {
  it("a price is shown with its source, and can be set to your own, to free, and back to the default", async () => {
    const operator = await signedIn("/prices");
    const { page, account } = operator;
    interface Price {
      what: string;
      unit_micros: number | null;
      source: string | null;
    }
    const stored = async () => {
      const { prices } = await account.server<{ prices: Price[] }>("GET", "/api/v1/prices");
      return prices.find(({ what }) => what === "speech/elevenlabs");
    };
    await page.getByRole("link", { name: "gpt-4o, input tokens" }).waitFor();
    await expectFit(operator, "prices");
    await page.getByLabel("Search", { exact: true }).last().fill("elevenlabs");
    await page.getByRole("link", { name: "gpt-4o, input tokens" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "ElevenLabs, speech" }).click();
    const panel = page.getByRole("complementary", { name: "ElevenLabs, speech" });
    await panel.getByText("$0.05 per 1,000 characters").waitFor();
    expect(await panel.getByRole("link", { name: "ElevenLabs, Flash models" }).getAttribute("href")).toBe(
      "https://elevenlabs.io/pricing/api",
    );
    await panel.getByLabel("Price", { exact: true }).selectOption("Your own");
    await panel.getByLabel("US dollars per 1,000 characters").fill("0.0467");
    await expectFit(operator, "price");
    await panel.getByRole("button", { name: "Save" }).click();
    await panel.getByText("$0.0467 per 1,000 characters").waitFor();
    expect(await stored()).toMatchObject({ unit_micros: 46_700, source: "account" });
    await panel.getByLabel("Price", { exact: true }).selectOption("Free");
    await panel.getByRole("button", { name: "Save" }).click();
    await expect.poll(stored).toMatchObject({ unit_micros: 0, source: "account" });
    await panel.getByLabel("Price", { exact: true }).selectOption("Default");
    await panel.getByRole("button", { name: "Save" }).click();
    await expect.poll(stored).toMatchObject({ unit_micros: 50_000, source: expect.stringContaining("ElevenLabs") });
  });

  it("show errors at their fields, and an empty search", async () => {
    const { page, account, goTo } = await signedIn("/prices/speech:cartesia");
    await page.getByText("Conversations that use this cost more than is shown until you set a price.").waitFor();
    const panel = page.getByRole("complementary", { name: "Cartesia, speech" });
    await panel.getByLabel("Price", { exact: true }).selectOption("Your own");
    await panel.getByRole("button", { name: "Save" }).click();
    await panel.getByText("US dollars per 1,000 characters is required.").waitFor();
    const { prices } = await account.server<{ prices: { what: string; unit_micros: number | null }[] }>(
      "GET",
      "/api/v1/prices",
    );
    expect(prices.find(({ what }) => what === SPOKEN)?.unit_micros).toBeNull();
    await panel.getByLabel("Price", { exact: true }).selectOption("Default");
    await goTo("/prices?search=nothing-such");
    await page.getByText("No matching prices").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByRole("link", { name: "gpt-4o, input tokens" }).waitFor();
    await page.getByLabel("Source", { exact: true }).selectOption("Unknown");
    await page.getByRole("link", { name: "Cartesia, speech" }).waitFor();
    await expect.poll(() => page.getByRole("link", { name: "gpt-4o, input tokens" }).count()).toBe(0);
  });
});

describe("a budget", () => {
  it("can be for an agent, a campaign or an API key, chosen and shown by name", async () => {
    const operator = await signedIn("/budgets/new");
    const { page, account, goTo } = operator;
    const form = new FormData();
    for (const [field, value] of Object.entries({
      name: "Spring check",
      agent_id: account.agent.id,
      from_number: FROM,
    }))
      form.set(field, value);
    form.set("contacts", new Blob(["phone_number\n+12025550111\n"]), "contacts.csv");
    await account.server("POST", "/api/v1/telephony/numbers", { e164: FROM, provider: "sandbox" });
    await account.upload("/api/v1/campaigns", form);
    const names = { Agent: "Ada", Campaign: "Spring check", "API key": "server" };
    for (const [scope, name] of Object.entries(names)) {
      await goTo("/budgets/new");
      const panel = page.getByRole("complementary", { name: "New budget" });
      await panel.getByLabel("Applies to", { exact: true }).selectOption(scope);
      await panel.getByLabel(scope, { exact: true }).selectOption(name);
      await expectFit(operator, `budget-new-${scope}`);
      await panel.getByRole("button", { name: "Create budget" }).click();
      await page
        .getByRole("complementary", { name: /Tokens/ })
        .getByRole("link", { name })
        .waitFor();
    }
    await goTo("/budgets");
    for (const [scope, name] of Object.entries(names))
      await page.getByRole("link", { name: `${scope} ${name}` }).waitFor();
    await expectFit(operator, "budgets");
  });
});

describe("a budget of costs", () => {
  it("a budget of costs is entered and shown in dollars, and can only warn", async () => {
    const { page, account } = await signedIn("/budgets/new");
    const panel = page.getByRole("complementary", { name: "New budget" });
    // All prices that apply to the account's agents are known.
    const prices = ["speech/cartesia"].map((what) => ({ what, unit_micros: 0 }));
    await account.server("PATCH", "/api/v1/prices", { prices });
    await panel.getByLabel("Unit").selectOption("Costs (US dollars)");
    await panel.getByLabel("Limit", { exact: true }).fill("12.5");
    expect(await panel.getByLabel("When the limit is reached").getByRole("option").allInnerTexts()).toEqual([
      "Warn only",
    ]);
    await panel.getByRole("button", { name: "Create budget" }).click();
    await page.getByText("$0.00 of $12.50").first().waitFor();
    const { budgets } = await account.server<{ budgets: object[] }>("GET", "/api/v1/budgets");
    expect(budgets).toMatchObject([{ unit: "usd_micros", limit: 12_500_000, action: "warn" }]);
  });
});
