import { describe, expect, it } from "vitest";
import { serveConsole, signedIn } from "./operator.ts";

serveConsole();

describe("the frame of the screens", () => {
  it("has the keyboard begin at the screen that was gone to", async () => {
    const { page } = await signedIn();
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("heading", { name: "API keys", exact: true }).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent);
    await expect.poll(focused).toBe("content");
    // A row that is opened beside its list leaves it there; what is gone with a panel has it no longer.
    await page.getByRole("link", { name: "FAQs" }).click();
    await page.getByRole("link", { name: "How can I pay?" }).click();
    const panel = page.getByRole("complementary", { name: "How can I pay?" });
    await panel.getByLabel("Answer").waitFor();
    expect(await focused()).toBe("How can I pay?");
    await panel.getByRole("button", { name: "Close" }).click();
    await panel.waitFor({ state: "detached" });
    await expect.poll(focused).toBe("content");
  });

  it("says so where a screen was replaced by a newer release", async () => {
    const { page } = await signedIn();
    await page.route(/\/console\/assets\/api-keys/, (route) => route.fulfill({ status: 404 }));
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("heading", { name: "There is a newer version of this page" }).waitFor();
    await page.unroute(/\/console\/assets\/api-keys/);
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("heading", { name: "API keys", exact: true }).waitFor();
  });

  it("says so where an address leads nowhere", async () => {
    const { page, goTo } = await signedIn();
    await goTo("/nothing/such");
    await page.getByRole("heading", { name: "There is nothing at this address" }).first().waitFor();
    await page.getByRole("link", { name: "Back" }).click();
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/console\/?$/);
  });
});
