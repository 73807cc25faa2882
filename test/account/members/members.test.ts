import { env, exports } from "cloudflare:workers";
import { Secret, TOTP } from "otpauth";
import { describe, expect, it } from "vitest";
import { BASE, type Client, call, operator } from "../../support/client.ts";
import type { Person } from "../../support/person.ts";
import { emptyAccount, invited, memberAs, membersOf, outcome, rowsOf, tokenIn } from "./support.ts";

const NEW = "battery staple";
const entriesOf = async (client: Client, action: string) =>
  (await client.get<{ entries: Record<string, unknown>[] }>(`/api/v1/audit-log?action=${action}`)).body.entries;
const resetLink = (by: Client, { id }: Pick<Person, "id">) =>
  by.post<{ url: string; expires_at: string; mailed: boolean }>(`/api/v1/members/${id}/reset-link`);
const reset = (token: string) => call("POST", "/api/password/reset", { body: { token, new_password: NEW } });

/** Creates an account with an owner and an admin. */
async function team() {
  const account = await emptyAccount();
  return { account, owner: await memberAs(account, "owner"), admin: await memberAs(account, "admin") };
}

/** Reads a live stream of the account's events until the service closes it. */
async function stream({ headers }: Client) {
  const { body, status } = await exports.default.fetch(new Request(`${BASE}/api/v1/events/stream`, { headers }));
  expect(status).toBe(200);
  const reader = body?.getReader() ?? expect.fail("there is no stream");
  return async () => {
    while (!(await reader.read()).done);
    return true;
  };
}

describe("the list of members", () => {
  it("contains all members by address, with role, second factor and when they were last seen", async () => {
    const { account, owner, admin } = await team();
    const created = await (await operator()).post<{ id: string }>(`/api/admin/v1/accounts/${account}/users`, {
      email: "a@people.example",
      password: "correct horse",
      name: "Ann",
    });
    const { secret } = (await admin.client.post<{ secret: string }>("/api/second-factor")).body;
    expect((await membersOf(owner.client)).map(({ second_factor }) => second_factor)).toEqual([false, false, false]);
    await admin.client.post("/api/second-factor/confirm", {
      code: new TOTP({ secret: Secret.fromBase32(secret) }).generate(),
    });
    // A failed sign-in of someone else does not count as the member's activity.
    await call("POST", "/api/login", { body: { account, email: "a@people.example", password: "wrong horse" } });
    const { members, total } = (await owner.client.get<{ members: object[]; total: number }>("/api/v1/members")).body;
    expect(total).toBe(3);
    const seen = expect.stringMatching(/^2\d{3}-/);
    expect(members).toEqual([
      member({ id: created.body.id, email: "a@people.example", name: "Ann" }),
      member({ id: admin.id, email: admin.email, role: "admin", second_factor: true, last_seen_at: seen }),
      member({ id: owner.id, email: owner.email, last_seen_at: seen }),
    ]);
  });

  it("the list of members requires a console session with manage", async () => {
    const { account, owner, admin } = await team();
    const { key } = (await owner.client.post<{ key: string }>("/api/v1/api-keys", { name: "k", scopes: ["manage"] }))
      .body;
    const server = { authorization: `Bearer ${key}` };
    const paths = [
      ["GET", "/api/v1/members"],
      ["PATCH", `/api/v1/members/${admin.id}`],
      ["DELETE", `/api/v1/members/${admin.id}`],
      ["POST", `/api/v1/members/${admin.id}/reset-link`],
      ["GET", "/api/v1/invitations"],
      ["POST", "/api/v1/invitations"],
    ] as const;
    const builder = await memberAs(account, "builder");
    for (const [method, path] of paths) {
      expect.soft(outcome(await call(method, path, { headers: server }))).toBe("403 console_required");
      expect.soft(outcome(await call(method, path, { headers: builder.client.headers }))).toBe("403 missing_scope");
    }
  });
});

describe("a role", () => {
  it("a changed role applies from the next request and ends what was opened under the old one", async () => {
    const { account, owner } = await team();
    const someone = await memberAs(account, "builder");
    const ended = await stream(someone.client);
    const answer = await owner.client.patch(`/api/v1/members/${someone.id}`, { role: "viewer" });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id: someone.id, role: "viewer", last_seen_at: expect.any(String) });
    expect(outcome(await someone.client.post("/api/v1/agents", { name: "a" }))).toBe("403 missing_scope");
    expect(await ended()).toBe(true);
    // Repeating the change does nothing and leaves no entry.
    expect((await owner.client.patch(`/api/v1/members/${someone.id}`, { role: "viewer" })).status).toBe(200);
    expect(await entriesOf(owner.client, "update")).toMatchObject([
      { actor_name: owner.email, resource_name: someone.email, changes: { role: { from: "builder", to: "viewer" } } },
    ]);
  });

  it("a member can neither give nor change a role beyond their own", async () => {
    const { account, owner, admin } = await team();
    const viewer = await memberAs(account, "viewer");
    const change = ({ id }: Person, body: object) => admin.client.patch(`/api/v1/members/${id}`, body);
    expect(outcome(await change(viewer, { role: "owner" }))).toBe("403 exceeds_own");
    expect(outcome(await change(admin, { role: "owner" }))).toBe("403 exceeds_own");
    expect(outcome(await change(owner, { role: "viewer" }))).toBe("403 exceeds_own");
    expect(outcome(await change(owner, { role: "owner" }))).toBe("403 exceeds_own");
    expect(outcome(await admin.client.delete(`/api/v1/members/${owner.id}`))).toBe("403 exceeds_own");
    expect(outcome(await resetLink(admin.client, owner))).toBe("403 exceeds_own");
    expect((await change(viewer, { role: "admin" })).status).toBe(200);
    expect((await membersOf(owner.client)).map(({ role }) => role).sort()).toEqual(["admin", "admin", "owner"]);
  });

  it("must exist, and be given to an existing member", async () => {
    const { owner, admin } = await team();
    expect((await owner.client.patch(`/api/v1/members/${admin.id}`, { role: "god" })).status).toBe(400);
    expect((await owner.client.patch(`/api/v1/members/${admin.id}`, {})).status).toBe(400);
    for (const id of [crypto.randomUUID(), "nobody"]) {
      expect(outcome(await owner.client.patch(`/api/v1/members/${id}`, { role: "viewer" }))).toBe("404 not_found");
      expect(outcome(await owner.client.delete(`/api/v1/members/${id}`))).toBe("404 not_found");
      expect(outcome(await resetLink(owner.client, { id }))).toBe("404 not_found");
    }
  });

  it("taking a role away ends the invitations and reset links created with it, even if it is given back", async () => {
    const { account, owner, admin } = await team();
    const viewer = await memberAs(account, "viewer");
    const { token } = await invited(admin.client, "viewer");
    const link = tokenIn((await resetLink(admin.client, viewer)).body.url);
    for (const role of ["operator", "admin"])
      expect((await owner.client.patch(`/api/v1/members/${admin.id}`, { role })).status).toBe(200);
    expect((await call("POST", "/api/invitations/lookup", { body: { token } })).status).toBe(404);
    expect(outcome(await reset(link))).toBe("400 token_invalid");
  });

  it("setting the same role again ends nothing", async () => {
    const { account, owner, admin } = await team();
    const viewer = await memberAs(account, "viewer");
    const { token } = await invited(owner.client, "owner");
    await owner.client.post("/api/v1/api-keys", { name: "k" });
    const link = tokenIn((await resetLink(admin.client, viewer)).body.url);
    expect((await admin.client.patch(`/api/v1/members/${viewer.id}`, { role: "viewer" })).status).toBe(200);
    expect((await owner.client.patch(`/api/v1/members/${owner.id}`, { role: "viewer" })).status).toBe(409);
    expect((await owner.client.delete(`/api/v1/members/${owner.id}?keys=disable`)).status).toBe(409);
    expect((await call("POST", "/api/invitations/lookup", { body: { token } })).status).toBe(200);
    expect((await reset(link)).status).toBe(204);
    const { body } = await owner.client.get<{ disabled_at: unknown }[]>("/api/v1/api-keys");
    expect(body.map(({ disabled_at }) => disabled_at)).toEqual([null]);
  });

  it("raising a role ends a reset link by a member who may no longer create it", async () => {
    const { account, owner, admin } = await team();
    const viewer = await memberAs(account, "viewer");
    const link = tokenIn((await resetLink(admin.client, viewer)).body.url);
    await owner.client.patch(`/api/v1/members/${viewer.id}`, { role: "owner" });
    expect(outcome(await reset(link))).toBe("400 token_invalid");
  });
});

describe("a member who is removed", () => {
  it("loses sessions and streams at once, and their keys stay or are disabled on request", async () => {
    const { account, owner, admin } = await team();
    const other = await memberAs(account, "admin");
    const keyOf = async (by: Client, name: string) =>
      (await by.post<{ key: string }>("/api/v1/api-keys", { name })).body.key;
    const [mine, theirs] = [await keyOf(owner.client, "mine"), await keyOf(admin.client, "theirs")];
    const staying = await keyOf(other.client, "staying");
    const ended = await stream(admin.client);
    const { refresh_token } = (await admin.signIn()).body;
    expect((await owner.client.delete(`/api/v1/members/${admin.id}?keys=disable`)).status).toBe(204);
    expect((await owner.client.delete(`/api/v1/members/${other.id}`)).status).toBe(204);
    expect(await ended()).toBe(true);
    expect(outcome(await admin.client.get("/api/v1/agents"))).toBe("401 token_invalid");
    expect((await call("POST", "/api/session/refresh", { body: { refresh_token } })).status).toBe(401);
    expect((await admin.signIn()).status).toBe(401);
    const outcomeWith = async (key: string) =>
      outcome(await call("GET", "/api/v1/agents", { headers: { authorization: `Bearer ${key}` } }));
    expect([await outcomeWith(mine), await outcomeWith(theirs), await outcomeWith(staying)]).toEqual([
      "200",
      "403 key_revoked",
      "200",
    ]);
    const [second, first] = await entriesOf(owner.client, "delete");
    expect(first).toMatchObject({ actor_name: owner.email, resource: "user", resource_name: admin.email });
    expect(first?.changes).toEqual({ disabled_api_keys: { from: null, to: ["theirs"] } });
    expect(second).toMatchObject({ resource_name: other.email, changes: null });
  });

  it("leaves no invitation and no reset link behind", async () => {
    const { account, owner, admin } = await team();
    const other = await memberAs(account, "admin");
    const viewer = await memberAs(account, "viewer");
    const tokens = [(await invited(admin.client, "viewer")).token, (await invited(other.client, "viewer")).token];
    const link = tokenIn((await resetLink(other.client, viewer)).body.url);
    expect((await owner.client.delete(`/api/v1/members/${admin.id}`)).status).toBe(204);
    const gone = await (await operator()).delete(`/api/admin/v1/accounts/${account}/users/${other.id}`);
    expect(gone.status).toBe(204);
    for (const token of tokens)
      expect((await call("POST", "/api/invitations/lookup", { body: { token } })).status).toBe(404);
    expect(outcome(await reset(link))).toBe("400 token_invalid");
    expect([await rowsOf("invitations", account), await rowsOf("password_resets", account)]).toEqual([0, 0]);
  });

  it("may be the caller", async () => {
    const { owner, admin } = await team();
    expect((await admin.client.delete(`/api/v1/members/${admin.id}`)).status).toBe(204);
    expect((await admin.client.get("/api/v1/agents")).status).toBe(401);
    expect((await membersOf(owner.client)).length).toBe(1);
  });

  it("a removal accepts only keys=keep or keys=disable", async () => {
    const { owner, admin } = await team();
    expect((await owner.client.delete(`/api/v1/members/${admin.id}?keys=delete`)).status).toBe(400);
    expect((await owner.client.delete(`/api/v1/members/${admin.id}?keys=keep`)).status).toBe(204);
  });
});

describe("a reset link", () => {
  it("sets a member's password once, and is audited", async () => {
    const { owner, admin } = await team();
    const answer = await resetLink(owner.client, admin);
    expect([answer.status, answer.body.mailed]).toEqual([201, false]);
    expect(answer.body.url).toContain("/console/reset-password#");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect((await admin.client.get("/api/v1/agents")).status).toBe(200);
    expect((await reset(tokenIn(answer.body.url))).status).toBe(204);
    expect((await admin.signIn(NEW)).status).toBe(200);
    expect(outcome(await reset(tokenIn(answer.body.url)))).toBe("400 token_invalid");
    expect(await entriesOf(owner.client, "create_reset_link")).toMatchObject([
      { actor_name: owner.email, resource: "user", resource_name: admin.email },
    ]);
  });

  it("cannot be created for one's own password, or for a user of another provider", async () => {
    const { account, owner, admin } = await team();
    expect(outcome(await resetLink(owner.client, owner))).toBe("403 own_password");
    await env.DB.prepare("UPDATE users SET source = 'oidc', password_hash = '' WHERE account = ? AND id = ?")
      .bind(account, admin.id)
      .run();
    expect(outcome(await resetLink(owner.client, admin))).toBe("403 external_identity");
    expect(await rowsOf("password_resets", account)).toBe(0);
  });
});

const member = (fields: object) =>
  Object.assign({ name: "", role: "owner", source: "password", second_factor: false, last_seen_at: null }, fields);
