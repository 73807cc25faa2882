import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectFit, type Operator, PASSWORD, serveConsole, signedIn, visitAs } from "./operator.ts";

serveConsole();

/** Invites a person and returns the link, which is shown once. */
async function invite({ page }: Operator, email: string, role: string): Promise<string> {
  await page.getByRole("link", { name: "Invite someone" }).first().click();
  const panel = page.getByRole("complementary", { name: "Invite someone" });
  await panel.getByLabel("Email").fill(email);
  await panel.getByLabel("Role").selectOption({ label: role });
  await panel.getByRole("button", { name: "Create invitation" }).click();
  const sent = page.getByRole("complementary", { name: `${email} is invited` });
  await sent.getByText("It won't be shown again.").waitFor();
  const url = (await sent.locator("code").textContent()) ?? "";
  await page.getByRole("region", { name: "Invitations" }).getByText(email).waitFor();
  return url;
}

const members = (page: Page) => page.getByRole("region", { name: "Members" });

describe("members", () => {
  it("a member is invited, accepts, works within a role, and is removed", async () => {
    const owner = await signedIn("/members");
    await owner.page.getByRole("heading", { name: "Members" }).waitFor();
    await owner.page.getByText("No open invitations.").waitFor();
    const email = `grace@${owner.account.name}.example`;
    await owner.page.getByRole("link", { name: "Invite someone" }).first().click();
    await owner.page.getByText("Can place calls, run campaigns").first().waitFor();
    await expectFit(owner, "invite");
    await owner.page.getByRole("button", { name: "Close", exact: true }).click();
    const url = await invite(owner, email, "Builder");
    await expectFit(owner, "invited");
    expect(url).toMatch(/\/console\/accept#/);

    // Inviting the same address twice is explained in a sentence.
    await owner.goTo("/members/invite");
    await owner.page.getByLabel("Email").fill(email);
    await owner.page.getByRole("button", { name: "Create invitation" }).click();
    await owner.page.getByText("This address is already invited.").waitFor();

    const grace = await visitAs(owner, new URL(url).pathname + new URL(url).hash);
    await grace.page.getByText(`Ada Byron invites you to join ${owner.account.name} as Builder.`).waitFor();
    expect(await grace.page.getByLabel("Email").inputValue()).toBe(email);
    await grace.page.getByLabel("Your name").fill("Grace Hopper");
    await grace.page.getByLabel("Password", { exact: true }).fill("password1234");
    await grace.page.getByLabel("Confirm password").fill("password1234");
    await grace.page.getByRole("button", { name: "Accept and sign in" }).click();
    await expect
      .poll(() => grace.page.getByLabel("Password", { exact: true }).getAttribute("aria-invalid"))
      .toBe("true");
    await expectFit(grace, "accept");
    await grace.page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await grace.page.getByLabel("Confirm password").fill(PASSWORD);
    await grace.page.getByRole("button", { name: "Accept and sign in" }).click();
    const rail = grace.page.getByRole("navigation", { name: "Main" });
    await rail.getByRole("link", { name: "Agents", exact: true }).click();
    await grace.page.getByRole("link", { name: "New agent" }).first().waitFor();
    expect(grace.page.url()).not.toContain("#");
    for (const name of ["Members", "Audit log"]) expect(await rail.getByRole("link", { name }).count()).toBe(0);
    await grace.goTo("/members");
    await grace.page.getByRole("heading", { name: "Your role doesn't include this" }).waitFor();

    // The link is used up.
    const late = await visitAs(owner, new URL(url).pathname + new URL(url).hash);
    await late.page.getByText("This invitation is no longer valid.").waitFor();
    await expectFit(late, "accept-ended");

    // The changed role applies to the next request.
    await owner.goTo("/members");
    await owner.page.getByText("No open invitations.").waitFor();
    await members(owner.page).getByRole("link", { name: "Grace Hopper" }).click();
    const panel = owner.page.getByRole("complementary", { name: "Grace Hopper" });
    await panel.getByLabel("Role").selectOption({ label: "Viewer" });
    await expectFit(owner, "member");
    await panel.getByRole("button", { name: "Change role" }).click();
    await owner.page.getByText("Saved", { exact: true }).waitFor();
    await grace.goTo("/agents");
    await grace.page.getByRole("heading", { name: "Agents", exact: true }).waitFor();
    await expect.poll(() => grace.page.getByRole("link", { name: "New agent" }).count()).toBe(0);

    await panel.getByRole("button", { name: "Create password link" }).click();
    await owner.page.getByRole("alertdialog").getByRole("button", { name: "Create link" }).click();
    const link = owner.page.getByRole("dialog", { name: "New password for Grace Hopper" });
    expect(await link.locator("code").textContent()).toMatch(/\/console\/reset-password#/);
    await expectFit(owner, "password-link");
    await link.getByRole("button", { name: "Close" }).click();

    await panel.getByRole("button", { name: "Remove" }).click();
    const question = owner.page.getByRole("alertdialog", { name: "Remove Grace Hopper?" });
    await question.getByLabel("Also disable the API keys they created").check();
    await expectFit(owner, "remove-member");
    await question.getByRole("button", { name: "Remove" }).click();
    await owner.page.getByText("Grace Hopper was removed").waitFor();
    await expect.poll(() => members(owner.page).getByText("Grace Hopper").count()).toBe(0);
    await expectFit(owner, "members");

    await rail.getByRole("link", { name: "FAQs" }).click();
    const ended = grace.page.getByRole("alertdialog", { name: "Your session has ended" });
    await ended.getByText("you may no longer be a member").waitFor();
    await expectFit(grace, "removed");
  });

  it("show a changed role at once, and name in the password link whom the list names now", async () => {
    const owner = await signedIn("/members");
    const { page } = owner;
    await visitAs(owner, "/agents", "builder");
    let name = "Grace Hopper";
    await page.route("**/api/v1/members", async (route) => {
      const response = await route.fetch();
      const found: { members: { email: string }[] } = await response.json();
      const grace = found.members.find(({ email }) => email.startsWith("builder@"));
      if (grace) Object.assign(grace, { name });
      await route.fulfill({ response, json: found });
    });
    await owner.goTo("/members");
    await members(page).getByRole("link", { name }).click();
    const panel = page.getByRole("complementary");
    const role = panel.locator("header").getByText(/^(Builder|Viewer)$/);
    await panel.getByRole("button", { name: "Create password link" }).waitFor();
    expect(await role.textContent()).toBe("Builder");
    name = "Grace Murray";
    await panel.getByLabel("Role").selectOption({ label: "Viewer" });
    await panel.getByRole("button", { name: "Change role" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    await expect.poll(() => role.textContent()).toBe("Viewer");
    await page.getByRole("complementary", { name }).getByRole("button", { name: "Create password link" }).click();
    const asked = page.getByRole("alertdialog").getByRole("heading");
    expect(await asked.textContent()).toContain(name);
  });

  it("always include an owner, and can't be granted more than the granting user has", async () => {
    const owner = await signedIn("/members");
    await members(owner.page).getByRole("link", { name: "Ada Byron" }).click();
    const panel = owner.page.getByRole("complementary", { name: "Ada Byron" });
    await panel.getByLabel("Role").selectOption({ label: "Viewer" });
    await panel.getByRole("button", { name: "Change role" }).click();
    await panel.getByText("This is the last owner who can sign in.").waitFor();
    await panel.getByRole("button", { name: "Remove" }).click();
    const question = owner.page.getByRole("alertdialog", { name: "Remove Ada Byron?" });
    await question.getByRole("button", { name: "Remove" }).click();
    await question.getByText("so they can't be removed").waitFor();

    const admin = await visitAs(owner, "/members", "admin");
    await admin.page.getByRole("link", { name: "Invite someone" }).first().click();
    const roles = admin.page.getByLabel("Role").locator("option");
    await expect.poll(() => roles.allTextContents()).toEqual(["Admin", "Builder", "Operator", "Analyst", "Viewer"]);
    await admin.goTo("/members");
    await members(admin.page).getByRole("link", { name: "Ada Byron" }).first().click();
    await admin.page.getByText("Only an owner can change or remove an owner.").waitFor();
    await expect.poll(() => admin.page.getByRole("button", { name: "Remove" }).count()).toBe(0);
  });

  it("can be invited again with a new link, or have their invitation withdrawn", async () => {
    const owner = await signedIn("/members");
    const email = `grace@${owner.account.name}.example`;
    const first = await invite(owner, email, "Viewer");
    const table = owner.page.getByRole("region", { name: "Invitations" });
    await table.getByRole("button", { name: `Resend the invitation of ${email}` }).click();
    await owner.page.getByRole("alertdialog").getByRole("button", { name: "Resend" }).click();
    const dialog = owner.page.getByRole("dialog", { name: `New link for ${email}` });
    const second = (await dialog.locator("code").textContent()) ?? "";
    expect(second).not.toBe(first);
    await dialog.getByRole("button", { name: "Close" }).click();
    await table.getByRole("button", { name: `Withdraw the invitation of ${email}` }).click();
    await owner.page.getByRole("alertdialog").getByRole("button", { name: "Withdraw" }).click();
    await owner.page.getByText("No open invitations.").waitFor();
    for (const url of [first, second, `${new URL(first).origin}/console/accept`]) {
      const { page } = await visitAs(owner, new URL(url).pathname + new URL(url).hash);
      await page.getByText("This invitation is no longer valid.").waitFor();
    }
  });
});
