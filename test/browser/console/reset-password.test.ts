import { describe, expect, it } from "vitest";
import { expectFit, type Operator, PASSWORD, serveConsole, signedIn, signIn, visitConsole } from "./operator.ts";

serveConsole();

const NEW_PASSWORD = "plum harbour violin 42";

/** Creates a member of the account who has lost their password, and the link that the owner created for them. */
async function memberWithLink({ page, account }: Operator) {
  const headers = { authorization: `Bearer ${account.session.access_token}`, "x-account-id": account.name };
  const post = async <T>(path: string, data: object): Promise<T> => {
    const answer = await page.request.post(new URL(path, page.url()).href, { headers, data });
    expect(answer.ok()).toBe(true);
    return answer.json();
  };
  const email = `grace@${account.name}.example`;
  const { url } = await post<{ url: string }>("/api/v1/invitations", { email, role: "viewer" });
  const token = new URL(url).hash.slice(1);
  const accepted = { name: "Grace Hopper", password: PASSWORD };
  const { user } = await post<{ user: { id: string } }>("/api/invitations/accept", Object.assign({ token }, accepted));
  return { email, link: (await post<{ url: string }>(`/api/v1/members/${user.id}/reset-link`, {})).url };
}

describe("the page of a reset link", () => {
  it("sets a new password, once, and ends the sessions of the user", async () => {
    const owner = await signedIn();
    const { email, link } = await memberWithLink(owner);
    const member = await visitConsole();
    Object.assign(member, { email, account: owner.account });
    const { page } = member;
    await signIn(member);
    await page.getByRole("navigation", { name: "Main" }).waitFor();

    const tab = await page.context().newPage();
    const requested: string[] = [];
    tab.on("request", (request) => requested.push(request.url()));
    await tab.goto(link);
    await tab.getByText(`For your account ${owner.account.name}.`).waitFor();
    const fill = async (password: string, again = password) => {
      await tab.getByLabel("New password", { exact: true }).fill(password);
      await tab.getByLabel("Confirm new password").fill(again);
    };
    await fill(NEW_PASSWORD, "another");
    await tab.getByText("The passwords don't match.").waitFor();
    await fill("password1234");
    await tab.getByRole("button", { name: "Set password" }).click();
    await expect.poll(() => tab.getByLabel("New password", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    await expectFit(Object.assign({}, member, { page: tab }), "reset-password");
    await fill(NEW_PASSWORD);
    await tab.getByRole("button", { name: "Set password" }).click();
    await tab.getByText("Your password was changed").waitFor();
    expect(new URL(tab.url()).hash).toBe("");
    // No requested URL contains the token.
    expect(requested.filter((url) => url.split("#")[0]?.includes(new URL(link).hash.slice(1)))).toEqual([]);

    await page.reload();
    await page.getByRole("alertdialog", { name: "Your session has ended" }).waitFor();
    await tab.getByRole("link", { name: "Go to sign-in" }).click();
    await signIn({ ...member, page: tab }, NEW_PASSWORD);
    await tab.getByRole("navigation", { name: "Main" }).waitFor();

    await tab.goto("about:blank");
    await tab.goto(link);
    await fill("copper lantern reef 17");
    await tab.getByRole("button", { name: "Set password" }).click();
    await tab.getByText("This link has expired or was already used.").waitFor();
    await expectFit(Object.assign({}, member, { page: tab }), "reset-password-spent");
  });

  it("reports an incomplete link", async () => {
    const { page, goTo } = await visitConsole();
    await goTo("/reset-password");
    await page.getByText("This link is incomplete.").waitFor();
    await expect.poll(() => page.getByRole("textbox").count()).toBe(0);
  });
});
