import { describe, expect, it } from "vitest";
import { expectFit, serveConsole, signedIn } from "./operator.ts";

serveConsole();

describe("FAQs", () => {
  it("FAQs are created, changed and deleted beside their list", async () => {
    const operator = await signedIn("/faqs");
    const { page, account } = operator;
    await page.getByRole("link", { name: "New FAQ" }).first().click();
    await page.getByLabel("Title").fill("Night desk");
    expect(await page.getByLabel("Name").inputValue()).toBe("night_desk");
    await page.getByLabel("Name").fill("Night desk");
    await page.getByLabel("Answer").fill("From **9** to 18.");
    await page.getByRole("button", { name: "Save" }).click();
    // The service's message about a field appears at the field.
    await expect.poll(() => page.getByLabel("Name").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Name").fill("night_desk");
    await page.getByRole("button", { name: "Save" }).click();
    const panel = page.getByRole("complementary", { name: "Night desk" });
    await panel.getByLabel("Answer").fill("From 9 to 18, and to 20 on Fridays.");
    await panel.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    await expectFit(operator, "faq");
    const { faqs } = await account.server<{ faqs: { name: string; content: string }[] }>("GET", "/api/v1/faqs");
    expect(faqs).toContainEqual(
      expect.objectContaining({ name: "night_desk", content: "From 9 to 18, and to 20 on Fridays." }),
    );
    await panel.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await panel.waitFor({ state: "detached" });
    await expect.poll(() => page.getByRole("link", { name: "Night desk" }).count()).toBe(0);
    await expectFit(operator, "faqs");
  });

  it("warns before unsaved changes are lost", async () => {
    const { page } = await signedIn("/faqs");
    await page.getByRole("link", { name: "New FAQ" }).first().click();
    await page.getByLabel("Title").fill("Half an answer");
    await page.getByRole("link", { name: "Agents", exact: true }).click();
    const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
    await question.getByRole("button", { name: "Stay" }).click();
    expect(await page.getByLabel("Title").inputValue()).toBe("Half an answer");
  });

  it("FAQs are found by words and category, which the URL keeps", async () => {
    const { page } = await signedIn("/faqs?category=orders");
    const rows = page.getByRole("table").getByRole("row");
    await page.getByRole("link", { name: "How long does delivery take?" }).waitFor();
    const orders = await rows.count();
    await page.getByLabel("Category").selectOption("");
    await expect.poll(() => rows.count()).toBeGreaterThan(orders);
    // The answer is searched too.
    await page.getByLabel("Search", { exact: true }).fill("tracking LINK");
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole("link", { name: "How long does delivery take?" }).click();
    const panel = page.getByRole("complementary", { name: "How long does delivery take?" });
    expect(await panel.getByLabel("Category").inputValue()).toBe("orders");
    await panel.getByRole("button", { name: "Remove tracking" }).click();
    await panel.getByRole("button", { name: "Save" }).click();
    await panel.getByText("edited here").waitFor();
    await page.reload();
    await panel.getByText("shipping", { exact: true }).waitFor();
    await expect.poll(() => panel.getByText("tracking", { exact: true }).count()).toBe(0);
    await expect.poll(() => rows.count()).toBe(2);
  });
});
