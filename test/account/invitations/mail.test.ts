import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { invitationMail } from "../../../src/account/mail/texts.ts";
import { app } from "../../../src/app.ts";
import { BASE, operator } from "../../support/client.ts";
import type { Person } from "../../support/person.ts";
import { emptyAccount, memberAs, type Sent } from "../members/support.ts";

interface Message {
  from: { name: string; email: string };
  to: string;
  subject: string;
  text: string;
}

/** Creates a deployment that sends mail, and records the messages. */
function mailing(settings: Record<string, unknown> = {}) {
  const sent: Message[] = [];
  const send = async (message: Message) => {
    sent.push(message);
    return { messageId: "1" };
  };
  const bindings = Object.assign({}, env, { EMAIL: { send }, EMAIL_FROM: "team@switchboard.test" }, settings);
  const post = async ({ client }: Person, path: string, body?: object) => {
    const headers = { "content-type": "application/json", ...client.headers };
    const request = new Request(BASE + path, { method: "POST", headers, body: JSON.stringify(body ?? {}) });
    return (await app.fetch(request, bindings, createExecutionContext())).json<Sent>();
  };
  return { sent, post };
}

describe("mail", () => {
  it("contains the link of an invitation, of one that is sent again, or of a reset", async () => {
    const account = await emptyAccount();
    const [owner, admin] = [await memberAs(account, "owner"), await memberAs(account, "admin")];
    await (await operator()).patch(`/api/admin/v1/accounts/${account}`, { display_name: "Acme Dental" });
    const { sent, post } = mailing();
    const first = await post(owner, "/api/v1/invitations", { email: "Grace@people.example", role: "operator" });
    const again = await post(owner, `/api/v1/invitations/${first.id}/resend`);
    const link = await post(owner, `/api/v1/members/${admin.id}/reset-link`);
    expect([first.mailed, again.mailed, link.mailed]).toEqual([true, true, true]);
    expect(sent.map(({ to, from }) => [to, from.email])).toEqual([
      ["grace@people.example", "team@switchboard.test"],
      ["grace@people.example", "team@switchboard.test"],
      [admin.email, "team@switchboard.test"],
    ]);
    expect(sent.map(({ text }, n) => text.includes([first, again, link][n]?.url ?? "?"))).toEqual([true, true, true]);
    // Any account can use this display name, so the mail also contains the account's own name.
    const name = `Acme Dental (${account})`;
    expect(sent[0]?.subject).toBe(`Join ${name} on Switchboard`);
    expect(sent[0]?.text).toContain(`${owner.email} invites you to join ${name} on Switchboard as an operator.`);
    expect(sent[2]?.text).toContain(`manages the members of ${name} sent you`);
  });

  it("a link is returned even if mail fails or is not configured", async () => {
    const account = await emptyAccount();
    const owner = await memberAs(account, "owner");
    const failing = { send: () => Promise.reject(new Error("the destination is not verified")) };
    for (const [n, settings] of [{ EMAIL: undefined }, { EMAIL_FROM: "" }, { EMAIL: failing }].entries()) {
      const { sent, post } = mailing(settings);
      const answer = await post(owner, "/api/v1/invitations", { email: `${n}@people.example`, role: "viewer" });
      expect([answer.mailed, answer.url.includes("#"), sent.length]).toEqual([false, true, 0]);
    }
  });

  it("mail is limited for each account", async () => {
    const account = await emptyAccount();
    const owner = await memberAs(account, "owner");
    const limited = { RATE_LIMITS: "on", MAIL_RATE: { limit: async () => ({ success: false }) } };
    const { sent, post } = mailing(limited);
    const answer = await post(owner, "/api/v1/invitations", { email: "a@people.example", role: "viewer" });
    expect([answer.mailed, sent.length]).toEqual([false, 0]);
  });

  it("names the sender, the account, the role and the expiry", () => {
    const link = { url: "https://s.example/console/accept#t", expires_at: "2026-11-30T09:30:00.000Z" };
    const mail = invitationMail("g@x.example", "Acme Dental", "ada@acme.example", "builder", link);
    expect(mail).toEqual({
      to: "g@x.example",
      subject: "Join Acme Dental on Switchboard",
      text: "ada@acme.example invites you to join Acme Dental on Switchboard as a builder. Open this link to accept:\n\nhttps://s.example/console/accept#t\n\nThe link works once, until 2026-11-30 09:30 UTC. If you did not expect this invitation, ignore this message.\n",
    });
  });
});
