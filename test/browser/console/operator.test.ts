import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectFit, PASSWORD, serveConsole, signedIn, signedInToOperate, signIn, visitConsole } from "./operator.ts";

serveConsole();

/** Confirms the page's question with the button of this label. */
const sayYes = (page: Page, verb: string) =>
  page.getByRole("alertdialog").getByRole("button", { name: verb, exact: true }).click();

describe("an account", () => {
  it("an account is created, gets a user and other limits, and is disabled", async () => {
    const operator = await signedInToOperate();
    const { page } = operator;
    const name = `t${crypto.randomUUID().slice(0, 8)}`;
    await page.getByRole("link", { name: "New account" }).click();
    const making = page.getByRole("complementary", { name: "New account" });
    await making.getByLabel("Name", { exact: true }).fill(name);
    await making.getByLabel("Display name").fill("Blue Dental");
    await making.getByLabel("Plan").selectOption({ label: "Growth" });
    await making.getByText("25 concurrent calls, 120 per minute, 5,000 per day.").waitFor();
    await making.getByRole("button", { name: "Create account" }).click();

    const panel = page.getByRole("complementary", { name: "Blue Dental" });
    await panel.getByText("Nobody can sign in with a password yet.").waitFor();
    const email = `ada@${name}.example`;
    await panel.getByRole("button", { name: "Add user" }).click();
    const adding = page.getByRole("dialog", { name: `Add a user to ${name}` });
    await adding.getByLabel("Email").fill(email);
    await adding.getByLabel("Name", { exact: true }).fill("Ada Byron");
    await adding.getByRole("button", { name: "Suggest a password" }).click();
    await adding.getByRole("button", { name: "Add user" }).click();
    const added = page.getByRole("dialog", { name: `${email} can now sign in` });
    const password = (await added.getByRole("code").textContent()) ?? "";
    await added.getByRole("button", { name: "Close" }).last().click();
    await panel.getByText("Ada Byron").waitFor();

    // The added user signs in with another browser.
    const visitor = await visitConsole();
    const ada = { ...visitor, email, account: { ...visitor.account, name } };
    await signIn(ada, password);
    await ada.page.getByRole("link", { name: "Limits and quotas" }).click();
    await ada.page.getByText("0 of 25").waitFor();

    await panel.getByLabel("Plan", { exact: true }).selectOption({ label: "Scale" });
    await panel.getByLabel("Concurrent calls: override").fill("7");
    await panel.getByLabel("Agents: override").fill("9");
    await panel.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    await ada.page.reload();
    await ada.page.getByText("0 of 7").waitFor();
    await ada.page.getByText("0 of 100,000").waitFor();
    await expectFit(operator, "operator-account");
    await panel.getByRole("button", { name: "Concurrent calls: reset to plan" }).click();
    const stored = page.waitForResponse((answer) => answer.request().method() === "PATCH" && answer.ok());
    await panel.getByRole("button", { name: "Save changes" }).click();
    await stored;
    await ada.page.reload();
    // The quotas of carriers and budgets have the same limit as concurrent calls.
    await expect.poll(() => ada.page.getByText("0 of 200", { exact: true }).count()).toBe(3);

    await panel.getByRole("button", { name: `Sign out ${email}` }).click();
    await sayYes(page, "Sign out");
    await page.getByText(`${email} was signed out everywhere`).waitFor();
    await ada.page.reload();
    const ended = ada.page.getByRole("alertdialog", { name: "Your session has ended" });
    await ended.getByLabel("Password").fill(password);
    await ended.getByRole("button", { name: "Sign in", exact: true }).click();
    await ada.page.getByText("0 of 100,000").waitFor();

    await panel.getByRole("button", { name: "Disable" }).click();
    await page.getByText("API keys are rejected").waitFor();
    await sayYes(page, "Disable");
    await panel.getByText("Disabled", { exact: true }).waitFor();
    await ada.page.reload();
    await ada.page.getByText("Account is disabled").first().waitFor();
    await panel.getByRole("button", { name: "Enable" }).click();
    await panel.getByText("Active", { exact: true }).waitFor();
    await ada.page.reload();
    await ada.page.getByText("0 of 100,000").waitFor();
  });

  it("an account is deleted once its name is typed, and kept if that is cancelled", async () => {
    const operator = await signedInToOperate();
    const { page, account, goTo } = operator;
    await goTo(`/accounts/${account.name}?view=full`);
    await page.getByText("Only a disabled account can be deleted.").waitFor();
    await page.getByRole("button", { name: "Disable" }).click();
    await sayYes(page, "Disable");
    await page.getByRole("button", { name: "Delete account" }).click();
    const asking = page.getByRole("alertdialog");
    const sure = asking.getByRole("button", { name: "Delete account" });
    expect(await sure.isDisabled()).toBe(true);
    await asking.getByLabel(`Type ${account.name} to confirm`).fill(account.name);
    await expectFit(operator, "operator-account-deletion");
    await sure.click();
    await page.getByText("Everything in this account will be deleted, beginning").waitFor();
    await page.getByRole("button", { name: "Cancel deletion" }).click();
    await sayYes(page, "Cancel deletion");
    await page.getByRole("button", { name: "Delete account" }).waitFor();
    await page.getByRole("button", { name: "Enable" }).click();
    await page.getByText("Only a disabled account can be deleted.").waitFor();
  });

  it("an account that is being deleted shows what delays its deletion", async () => {
    const operator = await signedInToOperate();
    const { page, account, goTo } = operator;
    const since = new Date().toISOString();
    const times = { requested_at: since, begins_at: since, begun_at: since, completed_at: null };
    const held_by = [
      { step: "objects", object: `CAMPAIGN ${account.name}/01`, since },
      { step: "files", object: null, since },
    ];
    const deleted = { objects: 31, files: 5_120, rows: 0 };
    const json = Object.assign({ account: account.name, status: "running", step: "objects", held_by, deleted }, times);
    await page.route("**/deletion", (route) => route.fulfill({ json }));
    await goTo(`/accounts/${account.name}?view=full`);
    await page.getByRole("button", { name: "Disable" }).click();
    await sayYes(page, "Disable");
    await page.getByText("The deletion is delayed").waitFor();
    await page
      .getByRole("listitem")
      .filter({ hasText: `Emptying objects: CAMPAIGN ${account.name}/01` })
      .waitFor();
    await page.getByRole("listitem").filter({ hasText: "Deleting files, failing since" }).waitFor();
    await expectFit(operator, "operator-account-held-up");
  });

  it("an operator finds an account by name, ends its sessions and removes a user", async () => {
    // The other operator creates an account too, so that there are at least two.
    const elsewhere = await visitConsole();
    const operator = await signedInToOperate();
    const { page, account, goTo } = operator;
    const ada = { ...elsewhere, account, email: operator.email };
    await signIn(ada);
    await ada.page.getByRole("navigation", { name: "Main" }).waitFor();

    await page.getByLabel("Search", { exact: true }).fill("nothing such");
    await page.getByText("No account matches “nothing such”.").waitFor();
    await page.getByRole("button", { name: "Clear search" }).click();
    await page.getByLabel("Search", { exact: true }).fill(account.name);
    await page.getByText(/^1 of \d+ accounts$/).waitFor();
    await expectFit(operator, "operator-accounts");
    await page.getByRole("link", { name: account.name }).click();
    const panel = page.getByRole("complementary", { name: account.name });
    await panel.waitFor();
    expect(new URL(page.url()).search).toBe(`?search=${account.name}`);

    await panel.getByRole("button", { name: "End all sessions" }).click();
    await sayYes(page, "End all sessions");
    await page.getByText("All sessions ended").waitFor();
    await ada.page.getByRole("link", { name: "API keys" }).click();
    await ada.page.getByRole("alertdialog", { name: "Your session has ended" }).waitFor();

    await panel.getByRole("button", { name: `Remove ${ada.email}` }).click();
    await sayYes(page, "Remove");
    await panel.getByText(ada.email).waitFor({ state: "detached" });
    await ada.page.getByLabel("Password").fill(PASSWORD);
    await ada.page.getByRole("button", { name: "Sign in", exact: true }).click();
    await ada.page.getByText("Incorrect password.").waitFor();

    await goTo("/accounts/nobody-here");
    await page.getByText("Page not found").waitFor();
  });

  it("shows the service's errors at their fields", async () => {
    const operator = await signedInToOperate();
    const { page, account, goTo } = operator;
    const wrong = (label: string) => page.getByLabel(label, { exact: true }).getAttribute("aria-invalid");
    await goTo("/accounts/new");
    await page.getByLabel("Name", { exact: true }).fill("Blue Dental");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("starting with a letter or digit").waitFor();
    await page.getByLabel("Name", { exact: true }).fill(account.name);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("an account with this name already exists").waitFor();
    expect(await wrong("Name")).toBe("true");
    await expectFit(operator, "operator-account-refused");

    await goTo(`/accounts/${account.name}?view=full`);
    await page.getByLabel("Calls per day: override").fill("10000000");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect.poll(() => wrong("Calls per day: override")).toBe("true");
    await expectFit(operator, "operator-account-full");
    await page.getByRole("button", { name: "Discard" }).click();

    await page.getByRole("button", { name: "Add user" }).click();
    const adding = page.getByRole("dialog");
    await adding.getByLabel("Email").fill(operator.email);
    await adding.getByLabel("Password").fill("password1234");
    await adding.getByRole("button", { name: "Add user" }).click();
    await adding.getByText("is among the most common passwords").waitFor();
    await adding.getByLabel("Password").fill(PASSWORD);
    await adding.getByRole("button", { name: "Add user" }).click();
    await adding.getByText("a user with this email already exists").waitFor();
    expect(await wrong("Email")).toBe("true");
    await expectFit(operator, "operator-user-refused");
  });
});

describe("the service", () => {
  it("shows the state of each of its parts", async () => {
    const operator = await signedInToOperate();
    const { page } = operator;
    await page.getByRole("link", { name: "Service" }).click();
    await page.getByText("All systems operational.").waitFor();
    for (const part of [
      "Database",
      "Migrations",
      "Storage",
      "Admission",
      "Ledger",
      "Events",
      "Encryption",
      "Signing",
      "Media runtime",
    ]) {
      await page.getByRole("row", { name: new RegExp(`^${part} Operational .* \\d+ ms$`) }).waitFor();
    }
    const [good, bad] = [
      { ok: true, ms: 2 },
      { ok: false, ms: 3000 },
    ];
    const parts = ["d1", "migrations", "storage", "gate", "ledger", "events", "encryption", "signing"];
    const json = Object.fromEntries([...parts.map((part) => [part, good] as const), ["runtime", bad] as const]);
    const headers = { "x-error-code": "public_url_missing" };
    await page.route("**/readyz", (route) => route.fulfill({ status: 503, headers, json }));
    await page.reload();
    await page.getByText("1 component is failing.").waitFor();
    await page.getByText("Set PUBLIC_URL.").waitFor();
    await page.getByRole("row", { name: /^Media runtime Failing .* 3,000 ms$/ }).waitFor();
    await page.unroute("**/readyz");
    await page.route("**/readyz", (route) => route.abort());
    await page.reload();
    await page.getByText("Health is unknown").waitFor();
  });

  it("re-encrypts secrets until all are done, and lists those that can't be", async () => {
    const operator = await signedInToOperate();
    const { page, goTo } = operator;
    await goTo("/service");
    const run = page.getByRole("button", { name: "Re-encrypt secrets" });
    // The result depends on changes by other tests, because they share the service.
    const [answer] = await Promise.all([page.waitForResponse("**/api/admin/v1/rekey"), run.click()]);
    expect(answer.status()).toBe(200);
    await page.getByRole("button", { name: "Re-encrypt secrets" }).and(page.locator(":enabled")).waitFor();

    const rounds = [
      { resealed: 0, failed: 0, left: 0 },
      { resealed: 5000, failed: 2, left: 1200 },
      { resealed: 1200, failed: 2, left: 0 },
    ];
    const { promise: isSeen, resolve: seen } = Promise.withResolvers<void>();
    let rekeyed = 0;
    await page.route("**/api/admin/v1/rekey", async (route) => {
      if (rekeyed === 2) await isSeen;
      await route.fulfill({ json: rounds[rekeyed++] });
    });
    await run.click();
    await page.getByText("Every secret already uses the current key.").waitFor();
    await run.click();
    await page.getByText("5,000 of 6,200 secrets re-encrypted").waitFor();
    seen();
    await page.getByText("6,200 of 6,200 secrets re-encrypted").waitFor();
    await page.getByText(/^2 secrets couldn't be decrypted/).waitFor();
    expect(rekeyed).toBe(3);
    await expectFit(operator, "operator-service");
  });
});

describe("operators' screens", () => {
  it("operators' screens are not available to an account's users", async () => {
    const { page, goTo } = await signedIn();
    await page.getByRole("link", { name: "API keys" }).waitFor();
    for (const name of ["Accounts", "Service"]) expect(await page.getByRole("link", { name }).count()).toBe(0);
    const requested: string[] = [];
    page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    for (const path of ["/accounts", "/accounts/new", "/accounts/acme", "/service", "/operator-audit-log"]) {
      await goTo(path);
      await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
    }
    expect(requested.filter((path) => path.startsWith("/api/admin"))).toEqual([]);
  });

  it("do not include an account's screens", async () => {
    const { page, goTo } = await signedInToOperate();
    await goTo("/agents");
    await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
    await page.getByRole("link", { name: "Back" }).click();
    await page.getByRole("heading", { name: "Accounts", exact: true }).waitFor();
  });
});
