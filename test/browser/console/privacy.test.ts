import { describe, expect, it } from "vitest";
import { expectFit, serveConsole, withSession } from "./operator.ts";

serveConsole();

interface Agent {
  storage: string;
  redact: string[];
}

describe("an agent's storage settings", () => {
  it("an agent's storage settings are on its page, with the kinds that are redacted", async () => {
    const operator = await withSession();
    const { page, account, goTo } = operator;
    const stored = async () => {
      const { storage, redact } = await account.server<Agent>("GET", `/api/v1/agents/${account.agent.id}`);
      return { storage, redact };
    };
    await goTo(`/agents/${account.agent.id}/settings`);
    const privacy = page.getByRole("group", { name: "Privacy" });
    await privacy.getByLabel("What is stored").selectOption("redacted");
    await privacy.getByLabel("Phone numbers").uncheck();
    await expectFit(operator, "agent-storage");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect.poll(stored).toEqual({ storage: "redacted", redact: ["card", "iban", "email", "ssn"] });
  });
});

describe("an account's retention", () => {
  it("the retention of records is set on its own page, which asks before older records are deleted", async () => {
    const operator = await withSession();
    const { page, account, goTo } = operator;
    const stored = () => account.server<Record<string, number | null>>("GET", "/api/v1/privacy");
    await goTo("/privacy");
    // An empty field shows its meaning.
    expect(await page.getByLabel("Calls").getAttribute("placeholder")).toBe("Forever");
    expect(await page.getByLabel("Events").getAttribute("placeholder")).toBe("30");
    await page.getByLabel("Calls").fill("365");
    await expectFit(operator, "privacy");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Older records will be permanently deleted: Calls.").waitFor();
    await page.getByRole("button", { name: "Save and delete" }).click();
    await page.getByText("Privacy settings saved").waitFor();
    expect(await stored()).toMatchObject({ calls_days: 365, recordings_days: 90 });
    await page.getByLabel("Calls").fill("");
    await page.getByLabel("Events").fill("31");
    // A longer retention deletes nothing, so nothing is asked.
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText(/at most 30|<=30|30 or less|less than or equal/i).waitFor();
    expect(await stored()).toMatchObject({ calls_days: 365, events_days: null });
  });
});

describe("an erasure of a person", () => {
  it("an erasure is requested on the privacy page, confirmed, and leaves a receipt without personal data", async () => {
    const operator = await withSession();
    const { page, goTo } = operator;
    await goTo("/privacy");
    await page.getByRole("heading", { name: "Erase a person" }).waitFor();
    await page.getByRole("link", { name: "Erase a person" }).click();
    await page.getByLabel("Phone number").fill("+13035550143");
    await expectFit(operator, "forget-person");
    await page.getByRole("button", { name: "Erase this person…" }).click();
    await page.getByText("Everything about +13035550143 will be erased for good.").waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "Erase this person" }).click();
    const receipt = page.getByRole("complementary", { name: "Number …43" });
    await receipt.getByText("Complete", { exact: true }).waitFor();
    await receipt.getByText("Nothing was found.").waitFor();
    await expectFit(operator, "erasure-receipt");
    expect(page.url()).not.toContain("5550143");
    await page.getByRole("row", { name: /Number …43/ }).waitFor();
  });
});
