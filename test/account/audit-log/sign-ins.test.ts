import { describe, expect, it } from "vitest";
import { hidden } from "../../../src/account/attempts/session-log.ts";
import { call, operator, tenant } from "../../support/client.ts";
import { PASSWORD, person } from "../../support/person.ts";

interface Log {
  entries: { actor: string; action: string; resource: string; resource_id: string; request_id: string }[];
}

describe("the audit log of sign-ins", () => {
  it("lists who signed in and out, changed their password, and was signed out", async () => {
    const { account, user } = await tenant();
    const who = await person(account);
    const admin = await operator();
    const other = await who.session();
    await other.post("/api/logout");
    await who.client.post("/api/password", { current_password: "no", new_password: "battery staple" });
    await who.client.post("/api/password", { current_password: PASSWORD, new_password: "battery staple" });
    await who.signIn("not the one");
    await admin.post(`/api/admin/v1/accounts/${account}/users/${who.id}/sign-out`);
    const { entries } = (await user.get<Log>("/api/v1/audit-log?limit=100")).body;
    const about = entries.filter(({ resource, resource_id }) => resource === "user" && resource_id === who.id);
    const own = `console:${who.id}`;
    expect(about.map(({ action, actor }) => [action, actor === own ? "the user" : "an operator"]).reverse()).toEqual([
      ["create", "an operator"],
      ["sign_in", "the user"],
      ["sign_in", "the user"],
      ["sign_out", "the user"],
      ["sign_in_failed", "the user"],
      ["change_password", "the user"],
      ["sign_in_failed", "the user"],
      ["sign_out_user", "an operator"],
    ]);
    expect(about.every(({ request_id }) => request_id !== "")).toBe(true);
    for (const secret of [PASSWORD, "battery", "not the one", "pbkdf2"]) {
      expect(JSON.stringify(entries)).not.toContain(secret);
    }
  });

  it("hides half of an email without a user, and all of a malformed one", async () => {
    const { account, user } = await tenant();
    const typed = ["somebody@people.example", "correct horse", "p@ssword-of-mine"];
    for (const email of typed) await call("POST", "/api/login", { body: { account, email, password: "no password" } });
    const { entries } = (await user.get<Log>("/api/v1/audit-log")).body;
    expect(entries.slice(0, 3).map(({ action, actor, resource_id }) => [action, actor, resource_id])).toEqual([
      ["sign_in_failed", "console:***", "***"],
      ["sign_in_failed", "console:***", "***"],
      ["sign_in_failed", "console:s***@people.example", "s***@people.example"],
    ]);
    expect(hidden("a@b.example")).toBe("a***@b.example");
  });

  it("lists a correct password at a closed account, and nothing for accounts that do not exist", async () => {
    const { account, user } = await tenant();
    const who = await person(account);
    const admin = await operator();
    await admin.patch(`/api/admin/v1/accounts/${account}`, { disabled: true });
    expect((await who.signIn()).code).toBe("account_closed");
    await admin.patch(`/api/admin/v1/accounts/${account}`, { disabled: false });
    const [, latest] = (await user.get<Log>("/api/v1/audit-log")).body.entries;
    expect([latest?.action, latest?.actor]).toEqual(["sign_in_failed", `console:${who.id}`]);
    const body = { account: "nobody-here", email: who.email, password: PASSWORD };
    expect((await call("POST", "/api/login", { body })).code).toBe("login_failed");
  });
});
