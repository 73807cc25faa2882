import { describe, expect, it } from "vitest";
import { expectFit, serveConsole, signedIn, signIn, visitConsole } from "./operator.ts";

serveConsole();

const ID = "019aa5c4-0c41-7d38-92f5-b6e01a7d3119";
const REQUEST = {
  id: ID,
  tool: "place_call",
  scope: "dial",
  summary: "Call +13035550110 with the agent Reception",
  effect: { to_numbers: ["+13035550110"], count: 1, details: { agent: "Reception", from_number: "+12025550100" } },
  key: { id: "019aa5c0-2b10-7c9e-9a04-5d1f77c2e102", name: "Office assistant" },
  status: "pending",
  expires_at: "2099-01-01T00:00:00.000Z",
};

describe("confirmations", () => {
  it("show whom they reach after signing in, and can be approved or declined", async () => {
    const operator = await visitConsole(undefined, `/console/confirmations/${ID}`);
    const { page } = operator;
    let status = "pending";
    const decided: string[] = [];
    await page.route(`**/api/v1/confirmations/${ID}**`, async (route) => {
      const [, verb] = /\/(approve|decline)$/.exec(route.request().url()) ?? [];
      if (verb) {
        decided.push(verb);
        status = verb === "approve" ? "approved" : "declined";
      }
      await route.fulfill({ json: { ...REQUEST, status } });
    });
    await signIn(operator);
    await page.getByRole("heading", { name: REQUEST.summary }).waitFor();
    for (const words of ["Office assistant", "Reception", "Waiting for you"])
      await page.getByText(words, { exact: true }).waitFor();
    await expectFit(operator, "confirmation");
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText(/Return to the assistant/).waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Approve" }).count()).toBe(0);
    await expectFit(operator, "confirmation-approved");
    await page.getByRole("button", { name: "Decline" }).click();
    await page.getByText("Declined", { exact: true }).waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Decline" }).count()).toBe(0);
    expect(decided).toEqual(["approve", "decline"]);
  });

  it("a confirmation of another account is not found", async () => {
    const { page } = await signedIn(`/confirmations/${ID}`);
    await page.getByText(/Check which account you are signed in to/).waitFor();
  });
});
