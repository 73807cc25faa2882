import { describe, expect, it } from "vitest";
import { timeless } from "../stand-still.ts";
import { atAgent, button, GREETING, stored } from "./at-agent.ts";
import { expectFit, serveConsole, withSession } from "./operator.ts";

serveConsole();

describe("the widget of an agent", () => {
  it("an agent's widget is previewed while it is changed, before saving", async () => {
    const operator = await atAgent("/widget");
    const { page, account } = operator;
    const preview = page.getByRole("img", { name: "Preview" });
    await preview.getByText(GREETING).waitFor();
    await page.getByLabel("Button label").fill("Ask us");
    await preview.getByText("Ask us").waitFor();
    const color = page.getByLabel("Primary color", { exact: true });
    await color.fill("#7");
    await page.getByText("Enter a hex color such as #134e4a.").waitFor();
    await color.fill("#7a1f5c");
    const head = () =>
      preview
        .getByText("Ask us")
        .evaluate((label) => getComputedStyle(label.closest("button") ?? label).backgroundColor);
    await expect.poll(head).toBe("rgb(122, 31, 92)");
    const raised = () =>
      preview
        .getByText(GREETING)
        .evaluate((words) => getComputedStyle(words.closest(".line") ?? words).backgroundColor);
    expect(await raised()).toBe("rgb(242, 244, 246)");
    await page.getByLabel("Visitor's theme").selectOption("Dark");
    await expect.poll(raised).toBe("rgb(35, 40, 47)");
    await expectFit(operator, "agent-widget");
    expect(await account.server("GET", "/api/v1/widget-settings")).toMatchObject({ launcher_label: "Talk to us" });
    await button(page, "Save for all agents").click();
    await page.getByText("Saved for all agents").waitFor();
    expect(await account.server("GET", "/api/v1/widget-settings")).toMatchObject({
      launcher_label: "Ask us",
      primary_color: "#7a1f5c",
    });
    await page.getByLabel("Available in widgets").uncheck();
    await button(page, "Save for this agent").click();
    await page.getByText("Saved", { exact: true }).waitFor();
    const path = `/api/v1/agents/${account.agent.id}/widget-settings`;
    expect(await account.server("GET", path)).toMatchObject({ widget_enabled: false });
  });
});

describe("who may chat", () => {
  const REFUSAL = "Please sign in to chat.";

  it("who may chat is one setting, previewed before saving, that applies to the widget and the agent", async () => {
    const operator = await withSession();
    const { page, account, goTo } = operator;
    const agent = `/api/v1/agents/${account.agent.id}`;
    // The default of a new agent.
    await account.server("PATCH", agent, { auth_mode: "authenticated" });
    await goTo(`/agents/${account.agent.id}/settings`);
    const where = page.getByText("Choose who may chat").getByRole("link", { name: "Widget" });
    await where.waitFor();
    const who = page.getByLabel("Who may chat?");
    expect(await who.count()).toBe(0);
    await where.click();
    await expect.poll(() => who.inputValue()).toBe("signed_in");
    const preview = page.getByRole("img", { name: "Preview" });
    await preview.getByText(REFUSAL).waitFor();
    await expectFit(operator, "agent-widget-signed-in");
    await who.selectOption("Anyone");
    await preview.getByText(REFUSAL).waitFor({ state: "detached" });
    expect(await stored(operator)).toMatchObject({ auth_mode: "authenticated" });
    await button(page, "Save for this agent").click();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await stored(operator)).toMatchObject({ auth_mode: "public" });
    expect(await account.server("GET", `${agent}/widget-settings`)).toMatchObject({ who: "anyone", auth_mode: "both" });
    await page.getByLabel("Available in widgets").uncheck();
    await button(page, "Save for this agent").click();
    await expect
      .poll(() => account.server("GET", `${agent}/widget-settings`))
      .toMatchObject({ who: "anyone", widget_enabled: false });
  });

  it("who may chat is shown beside the snippets for pages, which can be copied", async () => {
    const operator = await atAgent("/widget");
    const { page, account } = operator;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await button(page, "Show embed code").click();
    const code = page.getByRole("group", { name: "Embed code" });
    await code.waitFor();
    await expectFit(operator, "agent-widget-embed");
    await timeless(page, async () => {
      await code.getByRole("button", { name: "Copy" }).click();
      await page.getByText("Copied").first().waitFor();
    });
    const { origin } = new URL(page.url());
    const line = `<script src="${origin}/widget.js" data-client-key="${account.widgetKey.key}" async></script>`;
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(line);
  });
});
