import { describe, expect, it } from "vitest";
import { expectFit, serveConsole, signedIn, withSession } from "./operator.ts";

serveConsole();

interface Playbook {
  id: string;
  display_name: string;
  content: string;
  tool_names: string[];
  triggers: string[];
}

describe("playbooks", () => {
  it("a playbook is edited beside its preview", async () => {
    const operator = await signedIn("/playbooks");
    const { page, account } = operator;
    await page.getByRole("link", { name: "New playbook" }).click();
    const panel = page.getByRole("complementary", { name: "New playbook" });
    await panel.getByLabel("Name").fill("lost and found");
    await panel.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(() => panel.getByLabel("Name").getAttribute("aria-invalid")).toBe("true");
    await panel.getByLabel("Name").fill("lost_and_found");
    await panel.getByLabel("Description").fill("Take down what was lost.");
    const phrases = panel.getByLabel("Trigger phrases");
    await phrases.fill("I lost my umbrella, again");
    await phrases.press("Enter");
    await panel.getByLabel("Tools").fill("create_ticket");
    await panel.getByLabel("Tools").press("Enter");
    await panel.getByRole("button", { name: "Save", exact: true }).click();

    // Without its own steps it is generated from the fields.
    const stored = page.getByRole("complementary", { name: "Lost and found" });
    await expect.poll(() => stored.getByLabel("Steps").inputValue()).toContain("- I lost my umbrella, again");
    const hostile = '<img src=x onerror="document.title=1"> [look](javascript:alert(1)) [site](https://shop.example/)';
    await stored
      .getByLabel("Steps")
      .fill(`# Lost and found\n\n1. Ask **where**.\n2. Use \`create_ticket\`.\n\n${hostile}`);
    await stored.getByRole("button", { name: "Preview" }).click();
    const preview = stored.getByRole("region", { name: "Preview" });
    await preview.getByRole("heading", { name: "Lost and found" }).waitFor();
    expect(await preview.getByRole("listitem").allTextContents()).toEqual(["Ask where.", "Use create_ticket."]);
    // No part of the text becomes HTML, and only links to pages, mail and phones work.
    await expect.poll(() => preview.getByRole("img").count()).toBe(0);
    expect(await preview.getByRole("link").allTextContents()).toEqual(["site"]);
    await preview.getByText('<img src=x onerror="document.title=1">').waitFor();
    await expectFit(operator, "playbook");
    await stored.getByRole("button", { name: "Save", exact: true }).click();
    const saved = () => account.server<Playbook>("GET", "/api/v1/playbooks/lost_and_found");
    await expect.poll(async () => (await saved()).content).toContain("1. Ask **where**.");
    const { triggers, tool_names } = await saved();
    expect({ triggers, tool_names }).toEqual({
      triggers: ["I lost my umbrella, again"],
      tool_names: ["create_ticket"],
    });
  });

  it("a playbook is rendered from its fields until its steps are edited", async () => {
    const { page, account, goTo } = await withSession();
    const body = { name: "opening_hours", display_name: "Opening hours" };
    const { id } = await account.server<Playbook>("POST", "/api/v1/playbooks", body);
    await goTo(`/playbooks/${id}`);
    await page.getByLabel("Title").fill("Opening times");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(() => page.getByLabel("Steps").inputValue()).toBe("# Opening times");
    // The returned steps were stored as well.
    const stored = await account.server<Playbook>("GET", `/api/v1/playbooks/${id}`);
    expect(stored).toMatchObject({ display_name: "Opening times", content: "# Opening times" });
    await expect.poll(() => page.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);
  });

  it("playbooks are found by name and category, and mark changed defaults", async () => {
    const operator = await signedIn("/playbooks?category=sales");
    const { page } = operator;
    const rows = page.getByRole("table").getByRole("row");
    await page.getByRole("link", { name: "Handle objections" }).waitFor();
    await expect.poll(() => rows.count()).toBe(4);
    await page.getByLabel("Name starts with").fill("qual");
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole("link", { name: "Qualify a lead" }).click();
    const panel = page.getByRole("complementary", { name: "Qualify a lead" });
    await panel.getByText("edit it but not delete it").waitFor();
    await expect.poll(() => panel.getByRole("button", { name: "Delete" }).count()).toBe(0);
    await panel.getByLabel("Description").fill("Find out what is needed.");
    await panel.getByRole("button", { name: "Save", exact: true }).click();
    await panel.getByText("edited here").waitFor();
    await panel.getByRole("button", { name: "Close" }).click();
    await page.getByText("Default, modified").waitFor();
    // Closing the panel keeps the filters of the list.
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByLabel("Name starts with").fill("");
    await page.getByLabel("Category").selectOption("");
    await page.getByRole("link", { name: "Verify the caller" }).waitFor();
    await expectFit(operator, "playbooks");
  });

  it("playbooks are paged", async () => {
    const { page, account, goTo } = await withSession();
    await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        account.server("POST", "/api/v1/playbooks", { name: `step_${String(nth).padStart(2, "0")}` }),
      ),
    );
    await goTo("/playbooks?category=custom");
    await expect.poll(() => page.getByRole("link", { name: /^Step/ }).count()).toBe(20);
    await page.getByLabel("Category").selectOption("");
    const pages = page.getByRole("navigation", { name: "Pages" });
    await pages.getByText("1–25 of 32").waitFor();
    await pages.getByRole("button", { name: "Next" }).click();
    await pages.getByText("26–32 of 32").waitFor();
    await page.goBack();
    await pages.getByText("1–25 of 32").waitFor();
    await pages.getByRole("button", { name: "Next" }).click();
    await pages.getByText("26–32 of 32").waitFor();
    // Changing a filter returns to the first page.
    await page.getByLabel("Category").selectOption("sales");
    await page.getByRole("link", { name: "Handle objections" }).waitFor();
  });
});
