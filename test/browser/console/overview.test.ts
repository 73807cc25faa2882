import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { expectFit, follow, serveConsole, signedIn, withSession } from "./operator.ts";

serveConsole();

const FROM = "+12025550100";

/** Finds a section by its heading. */
const part = (page: Page, name: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name, exact: true, level: 2 }) });

describe("the overview", () => {
  it("leads a new account to its first campaign, and ticks off finished steps", async () => {
    const operator = await signedIn();
    const { page, account, goTo } = operator;
    const steps = part(page, "Get started");
    await steps.getByRole("listitem").filter({ hasText: "Create an agent" }).getByLabel("Done").waitFor();
    await expect.poll(() => steps.getByLabel("Done").count()).toBe(1);
    expect(await steps.getByRole("link", { name: "Talk to agent" }).getAttribute("href")).toBe(
      `/console/agents/${account.agent.id}/talk`,
    );
    await page.getByText("No calls in the last 24 hours.").waitFor();
    await page.getByText("Nothing needs attention.").waitFor();
    await expectFit(operator, "overview-new");
    await account.server("POST", "/api/v1/telephony/numbers", { e164: FROM, provider: "sandbox" });
    await goTo("/");
    await expect.poll(() => steps.getByLabel("Done").count()).toBe(2);
    await steps.getByRole("button", { name: "Hide" }).click();
    await steps.waitFor({ state: "detached" });
    await page.reload();
    await page.getByText("Nothing needs attention.").waitFor();
    await expect.poll(() => steps.count()).toBe(0);
  });

  it("draws its charts if the browser has a language that Intl refuses", async () => {
    const operator = await withSession();
    const { page, account, goTo } = operator;
    const order = { agent_id: account.agent.id, from_number: FROM, to_number: "+13035550101" };
    await account.server("POST", "/api/v1/telephony/numbers", { e164: FROM, provider: "sandbox" });
    await account.server("POST", "/api/v1/calls/originate", order);
    // The value that Chromium reports in the POSIX locale.
    const posix = await page.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, "language", { get: () => "en-US@posix", configurable: true }),
    );
    onTestFinished(() => posix.dispose());
    await goTo("/");
    await page.locator(".uplot canvas").first().waitFor();
  });

  it("says that the scripted agent answers until a language model is connected", async () => {
    const operator = await withSession();
    const { page, account, goTo } = operator;
    const notice = page.getByText("No language model is connected.");
    const agent = `/agents/${account.agent.id}`;
    for (const path of ["/", `${agent}/talk`, `${agent}/widget`]) {
      await goTo(path);
      await notice.waitFor();
      await expectFit(operator, `no-model-${path.split("/").at(-1) || "overview"}`);
    }
    const secrets = { api_key: "sk-test" };
    for (const maker of ["openai", "anthropic"])
      await account.server("POST", `/api/v1/integrations/${maker}/install`, { secrets });
    await goTo("/");
    // The overview is shown once the models are known, which Talk then has from the cache.
    await page.getByRole("heading", { name: "Recent conversations" }).waitFor();
    expect(await notice.count()).toBe(0);
    await follow(page, `${agent}/talk`);
    await page.getByRole("button", { name: "Start talking" }).waitFor();
    expect(await notice.count()).toBe(0);
  });

  it("shows what is running, the outcomes of calls, and what needs attention, with links", async () => {
    const operator = await withSession();
    const { page, account, goTo } = operator;
    const agent_id = account.agent.id;
    await account.server("POST", "/api/v1/telephony/numbers", { e164: FROM, provider: "sandbox" });
    await account.server("POST", "/api/v1/integrations/shopify/install", {});
    const campaign = async (name: string) => {
      const form = new FormData();
      const settings = { name, agent_id, from_number: FROM, scheduled_at: "2099-01-01T00:00:00Z" };
      for (const [field, value] of Object.entries(settings)) form.set(field, value);
      form.set("contacts", new Blob(["phone_number\n+12025550111\n+12025550112\n"]), "contacts.csv");
      const { id } = await account.upload<{ id: string }>("/api/v1/campaigns", form);
      await account.server("POST", `/api/v1/campaigns/${id}/start`);
      return id;
    };
    const paused = await campaign("Autumn check");
    await account.server("POST", `/api/v1/campaigns/${paused}/pause`);
    await campaign("Winter check");
    const { call_id } = await account.server<{ call_id: string }>("POST", "/api/v1/calls/originate", {
      agent_id,
      from_number: FROM,
      to_number: "+12025550101",
    });
    const ended = () => account.server<{ ended_at: string | null }>("GET", `/api/v1/calls/${call_id}`);
    await expect.poll(async () => (await ended()).ended_at).not.toBeNull();

    await goTo("/");
    const attention = part(page, "Needs attention");
    await attention.getByText("Autumn check Paused manually. 2 contacts waiting.").waitFor();
    await attention.getByText(/Shopify Setup incomplete. Missing: \w+/).waitFor();
    const running = part(page, "Running campaigns");
    await running.getByRole("link", { name: "Winter check" }).waitFor();
    await running.getByText("0 of 2").waitFor();
    await page.getByText("1 of 100,000").waitFor();

    const calls = part(page, "Calls");
    await calls.getByText("1 call, 0% answered").waitFor();
    const plot = calls.getByRole("img", { name: "Calls by outcome, last 24 hours" });
    await plot.locator("canvas").waitFor();
    // The tooltip of the newest bar lists its segments.
    const { width } = (await plot.boundingBox()) ?? expect.fail("no plot");
    await plot.hover({ position: { x: width - 30, y: 100 } });
    await expect.poll(() => calls.getByText("Busy", { exact: true }).count()).toBe(2);
    await calls.getByText("Show as a table").first().click();
    const table = calls.getByRole("region", { name: "Calls by outcome, last 24 hours" });
    await table.getByRole("columnheader", { name: "Busy" }).waitFor();
    await table.getByRole("cell", { name: "1", exact: true }).waitFor();
    await expectFit(operator, "overview");
    await calls.getByText("7 days").click();
    await calls.getByRole("img", { name: "Calls by outcome, last 7 days" }).waitFor();
    expect(new URL(page.url()).search).toBe("?window=7d");
    await page.reload();
    await calls.getByRole("img", { name: "Calls by outcome, last 7 days" }).waitFor();

    await attention.getByRole("link", { name: "Open campaign" }).click();
    await page.getByRole("heading", { name: "Autumn check" }).waitFor();
  });

  it("shows the other parts if one cannot be loaded", async () => {
    const { page } = await signedIn();
    const refused = { status: 403, headers: { "x-error-code": "forbidden" }, json: "not today" };
    await page.route("**/api/v1/call-limits", (route) => route.fulfill(refused));
    await page.reload();
    await part(page, "Calls now").getByText("Not today").waitFor();
    await page.getByRole("heading", { name: "Recent conversations" }).waitFor();
    await page.unroute("**/api/v1/call-limits");
    await part(page, "Calls now").getByRole("button", { name: "Try again" }).click();
    await page.getByText("0 of 100,000").waitFor();
  });
});
