import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { app } from "../../../src/app.ts";
import { DAY_MS } from "../../../src/kernel/time.ts";
import { BASE, call, operator } from "../../support/client.ts";
import { bearer, freshPassword, PASSWORD, type Person, type SignedIn } from "../../support/person.ts";
import {
  accept,
  emptyAccount,
  invited,
  memberAs,
  membersOf,
  outcome,
  rowsOf,
  type Sent,
  tokenIn,
} from "../members/support.ts";

const GONE = "404 not_found";
const look = (token: string) => call("POST", "/api/invitations/lookup", { body: { token } });
const invite = (by: Person, email: string, role = "viewer") =>
  by.client.post<Sent>("/api/v1/invitations", { email, role });
const resend = (by: Person, id: string) => by.client.post<Sent>(`/api/v1/invitations/${id}/resend`);
const listed = async (by: Person) =>
  (await by.client.get<{ invitations: { id: string; email: string }[]; total: number }>("/api/v1/invitations")).body;

afterEach(() => {
  vi.useRealTimers();
});

async function team() {
  const account = await emptyAccount();
  return { account, owner: await memberAs(account, "owner"), admin: await memberAs(account, "admin") };
}

describe("an invitation", () => {
  it("shows its link once, keeps only a hash of it, and is listed until it is accepted", async () => {
    const { account, owner } = await team();
    const { token, url, id, expires_at } = await invited(owner.client, "operator", "b@people.example");
    expect(url).toBe(`https://switchboard.test/console/accept#${token}`);
    expect(Math.abs(Date.parse(expires_at) - Date.now() - 7 * DAY_MS)).toBeLessThan(60_000);
    await invited(owner.client, "viewer", "a@people.example");
    const { invitations, total } = await listed(owner);
    expect([invitations.map(({ email }) => email), total]).toEqual([["a@people.example", "b@people.example"], 2]);
    expect(invitations[1]).toEqual({
      id,
      email: "b@people.example",
      role: "operator",
      invited_by: owner.id,
      created_at: expect.any(String),
      expires_at,
    });
    const { results } = await env.DB.prepare("SELECT * FROM invitations WHERE account = ?").bind(account).all();
    expect(JSON.stringify(results)).not.toContain(token.split(".")[1]);
    expect((await accept(token)).status).toBe(200);
    expect((await listed(owner)).total).toBe(1);
  });

  it("an invitation under an idempotency key is created once without showing its link again", async () => {
    const { owner } = await team();
    const send = () =>
      call<Sent>("POST", "/api/v1/invitations", {
        headers: { ...owner.client.headers, "idempotency-key": "one" },
        body: { email: "a@people.example", role: "viewer" },
      });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status, again.body.url, again.body.id]).toEqual([201, 201, null, first.body.id]);
    expect((await look(tokenIn(first.body.url))).status).toBe(200);
  });

  it("accepting an invitation signs in, under the account's rules", async () => {
    const { account, owner } = await team();
    await owner.client.patch("/api/v1/sign-in-policy", { require_second_factor: true });
    // The policy is relaxed directly, because it refuses the session that created it.
    await env.DB.prepare("UPDATE sign_in_policies SET require_second_factor = 0 WHERE account = ?").bind(account).run();
    await owner.client.patch("/api/v1/sign-in-policy", { idle_minutes: 10 });
    const { token, email } = await invited(owner.client, "viewer");
    const { body } = await accept(token, { name: "  Grace ", password: PASSWORD });
    expect(body).toMatchObject({ token_type: "Bearer", expires_in: 300, account, user: { email, name: "Grace" } });
    const again = await call<SignedIn>("POST", "/api/login", { body: { account, email, password: PASSWORD } });
    expect(again.body.user).toEqual(body.user);
    const { refresh_token } = body;
    expect((await call("POST", "/api/session/refresh", { body: { refresh_token } })).status).toBe(200);
  });

  it("accepting an invitation to an account that requires a second factor allows only enrolling", async () => {
    const { account, owner } = await team();
    const { token } = await invited(owner.client, "builder");
    await owner.client.patch("/api/v1/sign-in-policy", { require_second_factor: true });
    const { body } = await accept(token);
    const client = bearer(body.access_token, account);
    expect(outcome(await client.get("/api/v1/agents"))).toBe("403 second_factor_missing");
    expect((await client.post("/api/second-factor")).status).toBe(200);
  });

  it("an address has one invitation, whatever its case, and none if it belongs to a member", async () => {
    const { owner, admin } = await team();
    expect((await invite(owner, "A@people.example")).status).toBe(201);
    expect(outcome(await invite(admin, "a@PEOPLE.example", "builder"))).toBe("409 already_invited");
    expect(outcome(await invite(owner, admin.email.toUpperCase()))).toBe("409 already_member");
    expect((await listed(owner)).total).toBe(1);
    const answers = await Promise.all([1, 2, 3].map(() => invite(owner, "b@people.example")));
    expect(answers.map(outcome).sort()).toEqual(["201", "409 already_invited", "409 already_invited"]);
  });

  it("an account has at most a hundred invitations", async () => {
    const { account, owner } = await team();
    const statement = env.DB.prepare(
      "INSERT INTO invitations (account, id, email, role, hash, invited_by, created_at, expires_at) VALUES (?, ?, ?, 'viewer', ?, ?, '2026-01-01T00:00:00.000Z', ?)",
    );
    const rows = (count: number, until: number) =>
      Array.from({ length: count }, () => crypto.randomUUID()).map((id) =>
        statement.bind(account, id, id, id, owner.id, new Date(until).toISOString()),
      );
    const now = Date.now();
    await env.DB.batch([...rows(99, now + DAY_MS), ...rows(3, now - DAY_MS), ...rows(2, now - 31 * DAY_MS)]);
    const answers = await Promise.all([1, 2].map((n) => invite(owner, `${n}@people.example`)));
    expect(answers.map(outcome).sort()).toEqual(["201", "409 too_many_invitations"]);
    // Expired invitations don't count, and are kept for 30 days.
    expect((await listed(owner)).total).toBe(99 + 1 + 3);
  });

  it("an invitation beyond one's own role can be neither created, sent again nor withdrawn", async () => {
    const { owner, admin } = await team();
    expect(outcome(await invite(admin, "a@people.example", "owner"))).toBe("403 exceeds_own");
    const { id, token } = await invited(owner.client, "owner");
    expect(outcome(await resend(admin, id))).toBe("403 exceeds_own");
    expect(outcome(await admin.client.delete(`/api/v1/invitations/${id}`))).toBe("403 exceeds_own");
    expect((await look(token)).status).toBe(200);
    expect((await invite(admin, "a@people.example", "admin")).status).toBe(201);
  });

  it("requires a valid address, role and name", async () => {
    const { owner } = await team();
    for (const body of [
      { email: "a", role: "viewer" },
      { email: "a@b.example", role: "root" },
      { email: "a@b.example" },
    ])
      expect((await owner.client.post("/api/v1/invitations", body)).status).toBe(400);
    const { token } = await invited(owner.client, "viewer");
    expect(outcome(await accept(token, { name: "G", password: "password1234" }))).toBe("400 weak_password");
    expect((await accept(token, { name: "G" })).status).toBe(400);
    expect((await accept(token, { name: "x".repeat(201), password: freshPassword() })).status).toBe(400);
    expect((await accept(token)).status).toBe(200);
  });
});

describe("an invitation's link", () => {
  it("an invitation's link works once", async () => {
    const { account, owner } = await team();
    const { token, email } = await invited(owner.client, "viewer");
    expect((await accept(token)).status).toBe(200);
    expect([outcome(await accept(token)), outcome(await look(token))]).toEqual([GONE, GONE]);
    expect((await membersOf(owner.client)).filter((one) => one.email === email).length).toBe(1);
    expect(await rowsOf("users", account)).toBe(3);
  });

  it("creates one member if two people use it at once", async () => {
    const { account, owner } = await team();
    for (let round = 0; round < 3; round++) {
      const { token, email } = await invited(owner.client, "viewer");
      const people = [1, 2, 3, 4].map((n) => ({ name: `${n}`, password: freshPassword() }));
      const answers = await Promise.all(people.map((body) => accept(token, body)));
      expect(answers.filter(({ status }) => status === 200).length).toBe(1);
      expect(answers.filter(({ status }) => status === 404 || status === 409).length).toBe(3);
      const winner = people[answers.findIndex(({ status }) => status === 200)] ?? expect.fail("nobody won");
      expect((await membersOf(owner.client)).find((one) => one.email === email)?.name).toBe(winner.name);
      const logins = await Promise.all(
        people.map(({ password }) => call("POST", "/api/login", { body: { account, email, password } })),
      );
      expect(logins.map(({ status }) => status === 200)).toEqual(people.map((one) => one === winner));
    }
  });

  it("an invitation's link works for 7 days, after which the address can be invited again", async () => {
    const { owner } = await team();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const begun = Date.now();
    const [first, second] = [await invited(owner.client, "viewer"), await invited(owner.client, "viewer")];
    vi.setSystemTime(begun + 7 * DAY_MS - 1_000);
    expect((await look(first.token)).status).toBe(200);
    vi.setSystemTime(begun + 7 * DAY_MS + 1_000);
    expect([outcome(await look(first.token)), outcome(await accept(first.token))]).toEqual([GONE, GONE]);
    const later = (await owner.signIn()).body;
    const again = { ...owner, client: bearer(later.access_token, owner.account) };
    expect((await listed(again)).total).toBe(2);
    expect((await invite(again, first.email)).status).toBe(201);
    const sent = await resend(again, second.id);
    expect((await accept(tokenIn(sent.body.url))).status).toBe(200);
  });

  it("sending an invitation again ends the earlier link", async () => {
    const { owner, admin } = await team();
    const { id, token, email } = await invited(admin.client, "viewer");
    const sent = await resend(owner, id);
    expect([sent.status, sent.body.id, sent.body.email]).toEqual([200, id, email]);
    expect([outcome(await look(token)), outcome(await accept(token))]).toEqual([GONE, GONE]);
    await owner.client.delete(`/api/v1/members/${admin.id}`);
    expect((await accept(tokenIn(sent.body.url))).status).toBe(200);
    expect(outcome(await resend(owner, id))).toBe(GONE);
  });

  it("a withdrawn invitation's link is refused", async () => {
    const { owner } = await team();
    const { id, token } = await invited(owner.client, "viewer");
    expect((await owner.client.delete(`/api/v1/invitations/${id}`)).status).toBe(204);
    expect(outcome(await accept(token))).toBe(GONE);
    expect(outcome(await owner.client.delete(`/api/v1/invitations/${id}`))).toBe(GONE);
  });

  it("ends if its sender may not assign the role any more, however they lost that", async () => {
    const { account, owner, admin } = await team();
    const [one, two] = [await invited(admin.client, "builder"), await invited(owner.client, "owner")];
    // As a release would do that changes the role without ending what the role permitted.
    const set = (role: string, id: string) =>
      env.DB.prepare("UPDATE users SET role = ? WHERE account = ? AND id = ?").bind(role, account, id).run();
    await set("operator", admin.id);
    expect([outcome(await look(one.token)), outcome(await accept(one.token))]).toEqual([GONE, GONE]);
    await set("admin", owner.id);
    expect([outcome(await look(two.token)), outcome(await accept(two.token))]).toEqual([GONE, GONE]);
    expect(await rowsOf("users", account)).toBe(2);
  });

  it("an invitation's link creates a user with the invited address, whatever else is sent", async () => {
    const { owner } = await team();
    const { token, email } = await invited(owner.client, "viewer");
    const body = { name: "M", password: freshPassword(), email: "mallory@people.example", role: "owner" };
    const answer = await accept(token, body);
    if (answer.status === 200) expect(answer.body.user.email).toBe(email);
    const roles = (await membersOf(owner.client)).filter((one) => one.role === "owner").map((one) => one.email);
    expect(roles).toEqual([owner.email]);
    expect((await membersOf(owner.client)).map((one) => one.email)).not.toContain("mallory@people.example");
  });

  it("does not change people who became members meanwhile, here or elsewhere", async () => {
    const [here, there] = [await team(), await team()];
    const { token, email } = await invited(here.owner.client, "admin");
    const add = async (account: string) => {
      const path = `/api/admin/v1/accounts/${account}/users`;
      return (await operator()).post(path, { email, password: PASSWORD, role: "viewer" });
    };
    expect((await add(there.account)).status).toBe(201);
    expect((await add(here.account)).status).toBe(201);
    expect(outcome(await accept(token))).toBe("409 already_member");
    const member = (await membersOf(here.owner.client)).find((one) => one.email === email);
    expect(member?.role).toBe("viewer");
    const signIn = (account: string) => call("POST", "/api/login", { body: { account, email, password: PASSWORD } });
    expect([(await signIn(here.account)).status, (await signIn(there.account)).status]).toEqual([200, 200]);
  });

  it("an invitation's link of one account does not open another, even for the same address", async () => {
    const [here, there] = [await team(), await team()];
    const { token, email } = await invited(here.owner.client, "viewer", "same@people.example");
    const other = await invited(there.owner.client, "viewer", "same@people.example");
    expect(outcome(await look(`${there.account}.${token.split(".")[1]}`))).toBe(GONE);
    const { body } = await accept(token, { name: "G", password: "plum-harbour-violin-42" });
    const headers = { authorization: `Bearer ${body.access_token}`, "x-account-id": there.account };
    expect(outcome(await call("GET", "/api/v1/agents", { headers }))).toBe("403 account_mismatch");
    const elsewhere = { account: there.account, email, password: "plum-harbour-violin-42" };
    expect((await call("POST", "/api/login", { body: elsewhere })).status).toBe(401);
    expect((await look(other.token)).status).toBe(200);
  });

  it("answers alike whether it is unknown, used, expired, withdrawn, sent again or another invitation's", async () => {
    const { account, owner, admin } = await team();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const expired = await invited(owner.client, "viewer");
    vi.setSystemTime(Date.now() + 7 * DAY_MS + 1_000);
    const client = bearer((await owner.signIn()).body.access_token, account);
    const [used, withdrawn, again, lost] = [
      await invited(client, "viewer"),
      await invited(client, "viewer"),
      await invited(client, "viewer"),
      await invited(bearer((await admin.signIn()).body.access_token, account), "viewer"),
    ];
    await accept(used.token);
    await client.delete(`/api/v1/invitations/${withdrawn.id}`);
    await client.post(`/api/v1/invitations/${again.id}/resend`);
    await client.delete(`/api/v1/members/${admin.id}`);
    const secret = "mZ0bqXJ3v1s8Yw5TgK2uNc7RfA4dLeHpV9oIxQyBtUk";
    const unknown = [`${account}.${secret}`, `nobody-here.${secret}`, `${account}.`, "x"];
    const tokens = [expired, used, withdrawn, again, lost].map(({ token }) => token).concat(unknown);
    const answers = await Promise.all(tokens.flatMap((token) => [look(token), accept(token)]));
    expect(new Set(answers.map(({ status, code, body }) => `${status} ${code} ${body}`))).toEqual(
      new Set([`404 not_found invitation not found`]),
    );
  });

  it("cannot be guessed, because an address that fails too often is refused even with a valid link", async () => {
    const { owner } = await team();
    const { token } = await invited(owner.client, "viewer");
    let failures = 0;
    const FAILED_RATE = { limit: async () => ({ success: ++failures <= 5 }) };
    const bindings = Object.assign({}, env, { RATE_LIMITS: "on", FAILED_RATE });
    const from = async (address: string, guess: string) => {
      const request = new Request(`${BASE}/api/invitations/lookup`, {
        method: "POST",
        headers: { "cf-connecting-ip": address, "content-type": "application/json" },
        body: JSON.stringify({ token: guess }),
      });
      return (await app.fetch(request, bindings, createExecutionContext())).status;
    };
    const guesses = [];
    for (let n = 0; n < 7; n++) guesses.push(await from("203.0.113.77", `${owner.account}.${n}`));
    expect(guesses).toEqual([404, 404, 404, 404, 404, 429, 429]);
    expect(await from("203.0.113.77", token)).toBe(429);
    expect(await from("203.0.113.78", token)).toBe(200);
  });

  it("an invitation's link is refused while its account is disabled", async () => {
    const { account, owner } = await team();
    const { token } = await invited(owner.client, "viewer");
    const admin = await operator();
    await admin.patch(`/api/admin/v1/accounts/${account}`, { disabled: true });
    expect([outcome(await look(token)), outcome(await accept(token))]).toEqual(Array(2).fill("403 account_closed"));
    await admin.patch(`/api/admin/v1/accounts/${account}`, { disabled: false });
    expect((await accept(token)).status).toBe(200);
  });
});
