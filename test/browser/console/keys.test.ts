import { describe, expect, it } from "vitest";
import { expectFit, serveConsole, signedIn, signedInAs, visitAs, withSession } from "./operator.ts";

serveConsole();

describe("API keys", () => {
  it("an API key is created, shown once and disabled", async () => {
    const operator = await signedIn("/api-keys");
    const { page } = operator;
    await page.getByRole("link", { name: "New API key" }).click();
    await page.getByLabel("Name").fill("Booking system");
    await page.getByLabel("Expires after").selectOption({ label: "90 days" });
    await page.getByRole("button", { name: "Create key" }).click();
    const shown = page.getByText(/^sk_live_\w+$/);
    const key = (await shown.textContent()) ?? "";
    // The form was scrolled down to its button. A secret that is shown only once must be in view and read aloud.
    const isSeen = () =>
      page.getByText("Copy it now. It won't be shown again.").evaluate((words) => {
        const { top } = words.getBoundingClientRect();
        return document.elementsFromPoint(words.getBoundingClientRect().left + 4, top + 4).includes(words);
      });
    await expect.poll(isSeen).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(key);
    const inCode = page.getByRole("group", { name: "In TypeScript" });
    const inTerminal = page.getByRole("group", { name: "In a terminal" });
    const { origin } = new URL(page.url());
    expect(await inCode.innerText()).toContain(`baseUrl: "${origin}"`);
    expect(await inTerminal.innerText()).toContain(`switchboard login --url ${origin}\n`);
    // The examples don't contain the key, because files and terminals keep pasted text.
    for (const lines of [inCode, inTerminal]) expect(await lines.innerText()).not.toContain(key);
    for (const lines of [inCode, inTerminal]) expect(await lines.getByRole("button", { name: "Copy" }).count()).toBe(1);
    await expectFit(operator, "api-key-new");
    const answer = () =>
      page.request.get(new URL("/api/v1/agents", page.url()).href, { headers: { authorization: `Bearer ${key}` } });
    expect((await answer()).status()).toBe(200);

    await page.getByRole("link", { name: "Booking system" }).click();
    await shown.waitFor({ state: "detached" });
    const panel = page.getByRole("complementary", { name: "Booking system" });
    await panel.getByRole("button", { name: "Disable" }).waitFor();
    await expectFit(operator, "api-key");
    await panel.getByRole("button", { name: "Disable" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Disable" }).click();
    await panel.getByText("Disabled", { exact: true }).waitFor();
    expect((await answer()).status()).toBe(403);
  });

  it("an API key is given scopes, agents and addresses, which are changed in its panel", async () => {
    const operator = await signedIn("/api-keys/new");
    const { page } = operator;
    await page.getByLabel("Name").fill("Reports");
    const scope = (words: RegExp) => page.getByRole("checkbox", { name: words });
    const chosen = () =>
      page
        .getByRole("group", { name: "What the key may do" })
        .getByRole("checkbox", { checked: true })
        .evaluateAll((boxes) => boxes.length);
    // A new key can only read.
    expect([await chosen(), await scope(/^Read the account/).isChecked()]).toEqual([1, true]);
    await page.getByRole("button", { name: "Dialer" }).click();
    expect([await chosen(), await scope(/^Place calls/).isChecked()]).toEqual([2, true]);
    await page.getByRole("button", { name: "Everything" }).click();
    expect(await chosen()).toBe(7);
    expect(await page.getByRole("button", { name: "Everything", pressed: true }).count()).toBe(1);
    // Other scopes include it.
    expect(await scope(/^Read the account/).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "CRM sync" }).click();
    await scope(/^Read and hear/).uncheck();
    expect([await chosen(), await scope(/^Read the account/).isChecked()]).toEqual([1, true]);
    await page.getByLabel("Only for some agents").check();
    await page.getByLabel("Add an agent").selectOption({ label: "Ada" });
    await page.getByLabel("Allowed IP addresses").fill("127.0.0.0/8");
    await page.getByRole("button", { name: "Create key" }).click();
    const shown = page.getByText(/^sk_live_\w+$/);
    const authorization = `Bearer ${await shown.textContent()}`;
    const status = async (path: string) =>
      (await page.request.get(new URL(path, page.url()).href, { headers: { authorization } })).status();
    expect([await status("/api/v1/agents"), await status("/api/v1/calls/export")]).toEqual([200, 403]);

    await page.getByRole("link", { name: "Reports" }).click();
    const panel = page.getByRole("complementary", { name: "Reports" });
    expect(await panel.getByLabel("Allowed IP addresses").inputValue()).toBe("127.0.0.0/8");
    await panel.getByRole("list", { name: "Agents" }).getByText("Ada").waitFor();
    await panel.getByLabel(/^Read and hear/).check();
    await expectFit(operator, "api-key-limits");
    await panel.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(() => status("/api/v1/calls/export")).toBe(200);
    await panel.getByRole("button", { name: "Remove Ada" }).click();
    await panel.getByRole("button", { name: "Save", exact: true }).click();
    await panel.getByText(/name at least one agent/i).waitFor();
    await panel.getByLabel("Only for some agents").uncheck();
    await panel.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(() => status("/api/v1/do-not-call")).toBe(200);
  });

  it("can be allowed to act without approval, and ask to confirm default scopes", async () => {
    const operator = await signedIn("/api-keys");
    const { page } = operator;
    const created = await page.evaluate(async () => {
      const { access_token, account } = JSON.parse(sessionStorage.getItem("switchboard-session") ?? "{}");
      const headers = {
        authorization: `Bearer ${access_token}`,
        "x-account-id": account,
        "content-type": "application/json",
      };
      return (await fetch("/api/v1/api-keys", { method: "POST", headers, body: '{"name":"Old server"}' })).status;
    });
    expect(created).toBe(201);
    await operator.goTo("/api-keys");
    await page.getByRole("link", { name: "Old server" }).click();
    const panel = page.getByRole("complementary", { name: "Old server" });
    await panel.getByRole("button", { name: "Confirm these scopes" }).click();
    await panel.getByRole("button", { name: "Confirm these scopes" }).waitFor({ state: "detached" });
    await panel.getByLabel("Can act without approval").check();
    await panel.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(() => panel.locator("[aria-busy=true]").count()).toBe(0);
    await expectFit(operator, "api-key-unattended");
    await page.reload();
    await expect.poll(() => panel.getByLabel("Can act without approval").isChecked()).toBe(true);
  });

  it("an API key is not created if the service refuses", async () => {
    const { page } = await signedIn("/api-keys/new");
    await page.getByLabel("Name").fill("x".repeat(300));
    await page.getByRole("button", { name: "Create key" }).click();
    await expect.poll(() => page.getByLabel("Name").getAttribute("aria-invalid")).toBe("true");
  });
});

describe("widget keys", () => {
  it("a widget key is created with the snippet for the page, and reports invalid origins", async () => {
    const operator = await signedIn("/widget-keys");
    const { page } = operator;
    await page.getByRole("link", { name: "New widget key" }).click();
    await page.getByLabel("Name").fill("Shop");
    await page.getByLabel("Agent").selectOption({ label: "Ada" });
    const origins = page.getByLabel("Allowed origins");
    await origins.fill("https://*.co.uk");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByText(/use a wildcard below a domain of your own/).waitFor();
    await expectFit(operator, "widget-key-refused");
    await origins.fill("https://shop.example\nhttps://*.shop.example");
    await page.getByRole("button", { name: "Create key" }).click();
    const line = page.getByText(/data-client-key="pk_live_\w+"/);
    const created = await line.textContent();
    await expectFit(operator, "widget-key-new");

    await page.getByRole("link", { name: "Shop" }).click();
    const panel = page.getByRole("complementary", { name: "Shop" });
    await panel.getByRole("button", { name: "Show embed code" }).click();
    expect(await line.textContent()).toBe(created);
    expect(await panel.getByLabel("Allowed origins").inputValue()).toBe("https://shop.example\nhttps://*.shop.example");
    await panel.getByLabel("Allowed origins").fill("");
    await panel.getByRole("button", { name: "Save", exact: true }).click();
    await panel.getByText("No origins, so nobody can connect").waitFor();
    await expectFit(operator, "widget-key");
  });

  it("show a viewer no button that changes or reveals them", async () => {
    const builder = await signedInAs("builder");
    const path = `/widget-keys/${builder.account.widgetKey.id}`;
    await builder.goTo(path);
    const buttons = ({ page }: typeof builder) =>
      page
        .getByRole("complementary")
        .getByRole("button")
        .filter({ hasText: /Save|Disable|Delete|Show embed code/ });
    await expect.poll(() => buttons(builder).count()).toBe(5);
    await expectFit(builder, "widget-key-builder");

    const viewer = await visitAs(builder, path, "viewer");
    await viewer.page.getByText("doesn't include changing agents, tools and knowledge").first().waitFor();
    expect(await buttons(viewer).count()).toBe(0);
    expect(await viewer.page.getByLabel("Allowed origins").isDisabled()).toBe(true);
    expect(await viewer.page.getByRole("link", { name: "New widget key" }).count()).toBe(0);
    await expectFit(viewer, "widget-key-viewer");
    await viewer.goTo("/widget-keys/new");
    await viewer.page.getByRole("heading", { name: "Your role doesn't include this" }).waitFor();
  });

  it("a widget key names the API key that created it, however late the API keys arrive", async () => {
    const { page, account, goTo } = await withSession();
    const may = Promise.withResolvers<void>();
    await page.route("**/api/v1/api-keys", async (route) => {
      await may.promise;
      await route.continue();
    });
    await goTo(`/widget-keys/${account.widgetKey.id}`);
    const panel = page.getByRole("complementary");
    await panel.getByLabel("Name").waitFor();
    may.resolve();
    await panel.getByText("by the API key server").waitFor();
  });

  it("widget keys are disabled along with the API key that created them, if that is chosen", async () => {
    const operator = await signedIn("/api-keys");
    const { page, account } = operator;
    await account.server("POST", "/api/v1/widget-keys", { name: "Made by a server" });
    const isActive = async () => {
      const keys = await account.server<{ name: string; disabled_at: string | null }[]>("GET", "/api/v1/widget-keys");
      return keys.find(({ name }) => name === "Made by a server")?.disabled_at === null;
    };
    expect(await isActive()).toBe(true);
    const list = await account.server<{ id: string; last_used_at: string | null }[]>("GET", "/api/v1/api-keys");
    await operator.goTo(`/api-keys/${list.find(({ last_used_at }) => last_used_at !== null)?.id}`);
    await page.getByRole("button", { name: "Disable" }).click();
    await page.getByLabel("Also disable the widget keys it created").check();
    await expectFit(operator, "api-key-with-widget-keys");
    await page.getByRole("alertdialog").getByRole("button", { name: "Disable" }).click();
    await page.getByRole("button", { name: "Enable" }).waitFor();
    await operator.goTo("/widget-keys");
    const row = page.getByRole("row").filter({ hasText: "Made by a server" });
    await row.getByText("Disabled").waitFor();
  });

  it("ask who may chat with their agent, and store the answer with the agent", async () => {
    const operator = await signedIn("/widget-keys/new");
    const { page, account } = operator;
    await page.getByLabel("Name").fill("Members");
    const who = page.getByLabel("Who may chat?");
    await expect.poll(() => who.count()).toBe(0);
    await page.getByLabel("Agent").selectOption({ label: "Ada" });
    await expect.poll(() => who.inputValue()).toBe("anyone");
    await who.selectOption("Signed-in visitors only");
    await page.getByText("Guests see “Please sign in to chat.”").waitFor();
    await expectFit(operator, "widget-key-who");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByText(/data-client-key="pk_live_\w+"/).waitFor();
    const settings = () => account.server("GET", `/api/v1/agents/${account.agent.id}/widget-settings`);
    await expect.poll(settings).toMatchObject({ who: "signed_in", auth_mode: "authenticated" });
  });

  it("offer who may chat only to users who may change it", async () => {
    const { page, goTo } = await signedInAs("operator");
    const settings: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("widget-settings")) settings.push(request.method());
    });
    await goTo("/widget-keys/new");
    await page.getByLabel("Name").fill("Members");
    await page.getByLabel("Agent").selectOption({ label: "Ada" });
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByText(/data-client-key="pk_live_\w+"/).waitFor();
    expect(settings).toEqual([]);
  });

  it("have limits that are changed one by one, and removed by users who may", async () => {
    const operator = await withSession();
    const { account, goTo, page } = operator;
    const path = `/widget-keys/${account.widgetKey.id}`;
    const stored = async () =>
      (await account.server<{ id: string; limits: object }[]>("GET", "/api/v1/widget-keys")).find(
        ({ id }) => id === account.widgetKey.id,
      )?.limits;
    await goTo(path);
    await page.getByLabel("Turns per conversation").fill("");
    await page.getByRole("button", { name: "Save limits" }).click();
    const lifted = { turns_per_conversation: null, conversations_per_visitor_day: 20, tokens_per_day: 5_000_000 };
    await expect.poll(stored).toEqual(lifted);
    await expectFit(operator, "widget-key-limits");

    const builder = await visitAs(operator, path, "builder");
    await builder.page
      .getByText("Only an owner or admin of the account can raise a limit over its default, or lift it.")
      .waitFor();
    await builder.page.getByLabel("Tokens per day").fill("1000");
    await builder.page.getByRole("button", { name: "Save limits" }).click();
    await expect.poll(stored).toEqual(Object.assign(lifted, { tokens_per_day: 1_000 }));
    await builder.page.getByLabel("Tokens per day").fill("");
    await builder.page.getByRole("button", { name: "Save limits" }).click();
    await builder.page.getByText(/manage/).waitFor();
    expect(await stored()).toEqual(lifted);
  });

  it("say that a new key is needed if the service cannot show one", async () => {
    const { page, account, goTo } = await withSession();
    const refusal = { status: 409, headers: { "x-error-code": "key_not_stored" }, json: "no copy of it" };
    await page.route("**/api/v1/widget-keys/*/key", (route) => route.fulfill(refusal));
    await goTo(`/widget-keys/${account.widgetKey.id}`);
    await page.getByRole("button", { name: "Show embed code" }).click();
    await page.getByText("Create a new key to get an embed code.").waitFor();
    await expect.poll(() => page.getByText("pk_live_").count()).toBe(0);
  });
});
