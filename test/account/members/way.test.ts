import { describe, expect, it } from "vitest";
import { call } from "../../support/client.ts";
import { bearer } from "../../support/person.ts";
import { accept, emptyAccount, invited, memberAs, membersOf, outcome } from "./support.ts";

describe("a person's way through an account", () => {
  it("a person is invited, works within a role, gets another, and is removed", async () => {
    const account = await emptyAccount();
    const owner = await memberAs(account, "owner");
    const { token, email, ...sent } = await invited(owner.client, "analyst", "Grace@People.example");
    expect(sent).toMatchObject({ role: "analyst", mailed: false });
    expect(email).toBe("grace@people.example");

    const shown = await call<object>("POST", "/api/invitations/lookup", { body: { token } });
    expect(shown.body).toMatchObject({
      account,
      account_name: account,
      email,
      role: "analyst",
      invited_by: owner.email,
    });

    const answer = await accept(token, { name: "Grace Hopper", password: "plum-harbour-violin-42" });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ account, user: { email, name: "Grace Hopper" } });
    const { id } = answer.body.user;
    const grace = bearer(answer.body.access_token, account);
    const renewed = await call<{ access_token: string }>("POST", "/api/session/refresh", {
      body: { refresh_token: answer.body.refresh_token },
    });
    expect(renewed.status).toBe(200);

    expect((await grace.get("/api/v1/agents")).status).toBe(200);
    expect(outcome(await grace.post("/api/v1/agents", { name: "a" }))).toBe("403 missing_scope");
    expect(outcome(await grace.get("/api/v1/members"))).toBe("403 missing_scope");

    const changed = await owner.client.patch(`/api/v1/members/${id}`, { role: "builder" });
    expect(changed.body).toMatchObject({ id, email, name: "Grace Hopper", role: "builder", source: "password" });
    expect((await grace.post("/api/v1/agents", { name: "a" })).status).toBe(201);
    expect(outcome(await grace.post("/api/v1/invitations", { email: "x@y.example", role: "viewer" }))).toBe(
      "403 missing_scope",
    );
    expect((await membersOf(owner.client)).find((one) => one.id === id)).toMatchObject({ second_factor: false });

    expect((await owner.client.delete(`/api/v1/members/${id}`)).status).toBe(204);
    expect(outcome(await grace.get("/api/v1/agents"))).toBe("401 token_invalid");
    const again = { account, email, password: "plum-harbour-violin-42" };
    expect(outcome(await call("POST", "/api/login", { body: again }))).toBe("401 login_failed");
    expect((await membersOf(owner.client)).map((one) => one.email)).toEqual([owner.email]);

    const { entries } = (await owner.client.get<{ entries: Record<string, unknown>[] }>("/api/v1/audit-log?limit=100"))
      .body;
    const about = entries.filter(({ resource_name }) => ["Grace Hopper", email].includes(String(resource_name)));
    expect(
      about.map(({ action, actor_name, resource, changes }) => ({ action, actor_name, resource, changes })),
    ).toEqual([
      { action: "delete", actor_name: owner.email, resource: "user", changes: null },
      {
        action: "update",
        actor_name: owner.email,
        resource: "user",
        changes: { role: { from: "analyst", to: "builder" } },
      },
      { action: "sign_in", actor_name: "Grace Hopper", resource: "user", changes: null },
      { action: "accept_invitation", actor_name: "Grace Hopper", resource: "user", changes: null },
      { action: "create", actor_name: owner.email, resource: "invitation", changes: null },
    ]);
  });
});
