import { describe, expect, it } from "vitest";
import { expectFit, go, serveConsole, signedIn, signedInToOperate } from "./operator.ts";

serveConsole();

const at = (page: { url(): string }) => new URL(page.url()).pathname;

describe("the command palette", () => {
  it("finds resources by name, screens and commands, and lists recent choices first", async () => {
    const operator = await signedIn();
    const { page, account } = operator;
    await account.server("POST", "/api/v1/telephony/numbers", { e164: "+12025550142", provider: "sandbox" });
    await page.keyboard.press("Control+k");
    const search = page.getByRole("combobox", { name: "Search and commands" });
    await search.fill("ad");
    await page.getByRole("option", { name: "Ada Agent" }).waitFor();
    await search.press("Enter");
    await expect.poll(() => at(page)).toBe(`/console/agents/${account.agent.id}`);

    await page.getByRole("heading", { name: "Ada", exact: true }).waitFor();
    await page.getByRole("button", { name: "Search and commands" }).click();
    await page.getByRole("group", { name: "Recent" }).getByRole("option", { name: "Ada Agent" }).waitFor();
    await expectFit(operator, "palette");
    await search.fill("2025550142");
    await page.getByRole("option", { name: /0142 Phone number/ }).waitFor();
    await search.fill("nothing such");
    await page.getByText("No results.").waitFor();
    await search.fill("new api");
    await page.getByRole("option", { name: "New API key Action" }).waitFor();
    await search.press("Enter");
    await expect.poll(() => at(page)).toBe("/console/api-keys/new");
  });

  it("offers only operators' screens to operators", async () => {
    const operator = await signedInToOperate();
    const { page } = operator;
    await page.keyboard.press("/");
    await page.getByRole("option", { name: "New account Action" }).waitFor();
    const names = await page.getByRole("option").allTextContents();
    expect(names.filter((name) => /campaign|agent|recording/i.test(name))).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("option").first().waitFor({ state: "detached" });
    await go(operator, "u");
    await expect.poll(() => at(page)).toBe("/console/operator-audit-log");
  });
});

describe("shortcuts", () => {
  it("open screens, create something new, and are listed", async () => {
    const operator = await signedIn();
    const { page } = operator;
    await go(operator, "f");
    await page.getByRole("heading", { name: "FAQs", exact: true }).waitFor();
    await page.keyboard.press("n");
    await page.getByLabel("Title").fill("gf");
    // Typed text triggers no shortcuts.
    await page.getByLabel("Title").pressSequentially("c?n/");
    expect(await page.getByLabel("Title").inputValue()).toBe("gfc?n/");
    expect(at(page)).toBe("/console/faqs/new");
    await page.getByLabel("Title").fill("");
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.keyboard.press("?");
    const shortcuts = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await shortcuts.getByText("Search and commands").waitFor();
    await expectFit(operator, "shortcuts");
    // Keys behind an open dialog do nothing.
    await go(operator, "c");
    expect(at(page)).toMatch(/^\/console\/?$/);
    await page.keyboard.press("Escape");
    await shortcuts.waitFor({ state: "detached" });
  });

  it("shortcuts are listed beside links to the guides and the reference", async () => {
    const { page } = await signedIn();
    await page.getByRole("button", { name: "Help" }).click();
    const guides = page.getByRole("menuitem", { name: "Guides" });
    expect(await guides.getAttribute("href")).toBe("/docs/guides");
    expect(await page.getByRole("menuitem", { name: "API reference" }).getAttribute("href")).toBe("/docs");
    await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  });
});
