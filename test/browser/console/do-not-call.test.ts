import { describe, expect, it } from "vitest";
import { expectFit, serveConsole, signedIn, withSession } from "./operator.ts";

serveConsole();

describe("Do not call", () => {
  it("accepts pasted numbers, reports invalid ones, and removes a number after a confirmation", async () => {
    const operator = await signedIn("/do-not-call");
    const { page, account } = operator;
    await page.getByText("No numbers yet").waitFor();
    await page.getByRole("link", { name: "Add numbers" }).first().click();
    const panel = page.getByRole("complementary", { name: "Add numbers" });
    await panel.getByLabel("Phone numbers").fill("+1 202 555 0143\n0202 555 0144\n+44 20 7946 0018\n+12025550143");
    await panel.getByText("2 numbers to add, 1 duplicated").waitFor();
    await panel.getByText("Line 2: 0202 555 0144").waitFor();
    await panel.getByLabel("Reason").fill("Asked by email");
    await expectFit(operator, "do-not-call-add");
    await panel.getByRole("button", { name: "Add 2 numbers" }).click();
    // Invalid lines stay in the field, so that they can be fixed.
    await expect.poll(() => panel.getByLabel("Phone numbers").inputValue()).toBe("0202 555 0144");
    await panel.getByLabel("Phone numbers").fill("+1 202 555 0144");
    await panel.getByRole("button", { name: "Add 1 number" }).click();
    await panel.waitFor({ state: "detached" });
    interface List {
      numbers: { phone_number: string; reason: string }[];
    }
    const { numbers } = await account.server<List>("GET", "/api/v1/do-not-call");
    expect(new Set(numbers.map(({ phone_number }) => phone_number))).toEqual(
      new Set(["+12025550143", "+12025550144", "+442079460018"]),
    );
    expect(new Set(numbers.map(({ reason }) => reason))).toEqual(new Set(["Asked by email"]));
    await expectFit(operator, "do-not-call");
    await page.getByRole("button", { name: "Remove +44 207 946 0018" }).click();
    const question = page.getByRole("alertdialog", { name: "Remove +44 207 946 0018 from the list?" });
    await question.getByRole("button", { name: "Remove" }).click();
    await expect.poll(() => page.getByText("+44 207 946 0018").count()).toBe(1);
    await page.getByText("2 of 2").waitFor();
  });

  it("pages a long list", async () => {
    const { page, account, goTo } = await withSession();
    const numbers = Array.from({ length: 60 }, (_, n) => `+1202555${String(1_000 + n)}`);
    await account.server("POST", "/api/v1/do-not-call", { numbers });
    await goTo("/do-not-call");
    await page.getByText("50 of 60").waitFor();
    await page.getByRole("button", { name: "Show more" }).click();
    await page.getByText("60 of 60").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Remove" }).count()).toBe(60);
  });
});

describe("Call settings", () => {
  it("call settings are changed with errors at their fields, and link to the retention settings", async () => {
    const operator = await signedIn("/call-settings");
    const { page, account } = operator;
    await page.getByLabel("Ring time").fill("5");
    await page.getByLabel("Announcement").fill("This call is recorded.");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect.poll(() => page.getByLabel("Ring time").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Ring time").fill("30");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Call settings saved").waitFor();
    await expectFit(operator, "call-settings");
    expect(await account.server("GET", "/api/v1/call-settings")).toMatchObject({
      ring_timeout_s: 30,
      retention_days: null,
      recording_announcement: "This call is recorded.",
      inbound_reserve: null,
    });
    await page.getByRole("link", { name: /set under Privacy/ }).click();
    await page.getByRole("heading", { name: "Privacy", level: 1 }).waitFor();
    await page.getByLabel("Conversations").fill("90");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByRole("button", { name: "Save and delete" }).click();
    await page.getByText("Privacy settings saved").waitFor();
    expect(await account.server("GET", "/api/v1/call-settings")).toMatchObject({ retention_days: 90 });
  });
});
