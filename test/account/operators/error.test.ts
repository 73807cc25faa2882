import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { Client, call, operator, tenant } from "../../support/client.ts";

const ADMIN = "/api/admin/v1/accounts";
const nobody = crypto.randomUUID();

describe("the accounts endpoint", () => {
  it.each([
    ["a name outside the pattern", { name: "Not A Name" }],
    ["a name of 64 characters", { name: "a".repeat(64) }],
    ["no name", {}],
    ["an unknown plan", { name: "x1", plan: "gold" }],
    ["a negative cap", { name: "x1", caps: { concurrent_calls: -1 } }],
    ["half a call", { name: "x1", caps: { calls_per_day: 0.5 } }],
    ["no days", { name: "x1", max_key_expiry_days: 0 }],
  ])("an account is not created with %s", async (_, body) => {
    const answer = await (await operator()).post(ADMIN, body);
    expect([answer.status, answer.code]).toEqual([400, "invalid_request"]);
  });

  it("does not create an existing account, even in concurrent requests, nor the operators' own", async () => {
    const [admin, { account }] = [await operator(), await tenant()];
    expect((await admin.post(ADMIN, { name: account })).code).toBe("duplicate");
    expect((await admin.post(ADMIN, { name: "service-admin" })).code).toBe("duplicate");
    const name = `twin-${crypto.randomUUID().slice(0, 8)}`;
    const twins = await Promise.all([1, 2, 3].map(() => admin.post(ADMIN, { name })));
    expect(twins.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  });

  it("leaves nothing of an account that could not be seeded", async () => {
    const admin = await operator();
    const name = `half-${crypto.randomUUID().slice(0, 8)}`;
    await env.DB.prepare(
      "CREATE TRIGGER no_faqs BEFORE INSERT ON faqs BEGIN SELECT RAISE(ABORT, 'no FAQs today'); END",
    ).run();
    expect((await admin.post(ADMIN, { name })).status).toBe(500);
    await env.DB.prepare("DROP TRIGGER no_faqs").run();
    expect((await admin.get(`${ADMIN}/${name}`)).status).toBe(404);
    expect((await admin.post(ADMIN, { name })).status).toBe(201);
  });

  it("returns 404 for unknown accounts and users", async () => {
    const [admin, { account }] = [await operator(), await tenant()];
    const person = { email: "a@b.example", password: "correct horse" };
    for (const answer of [
      await admin.get(`${ADMIN}/nobody-here`),
      await admin.patch(`${ADMIN}/nobody-here`, { listed: true }),
      await admin.get(`${ADMIN}/nobody-here/users`),
      await admin.post(`${ADMIN}/nobody-here/users`, person),
      await admin.delete(`${ADMIN}/${account}/users/${nobody}`),
      await admin.delete(`${ADMIN}/${account}/users/not-an-id`),
      await admin.get(`${ADMIN}/service-admin`),
      await admin.patch(`${ADMIN}/service-admin`, { disabled: true }),
      await admin.get(`${ADMIN}/Not%20A%20Name`),
    ]) {
      expect([answer.status, answer.code]).toEqual([404, "not_found"]);
    }
  });

  it.each([
    ["no address", { email: "nobody", password: "correct horse" }],
    ["a short password", { email: "a@b.example", password: "correct hor" }],
    ["no password", { email: "a@b.example" }],
  ])("a user is not created with %s", async (_, body) => {
    const [admin, { account }] = [await operator(), await tenant()];
    expect((await admin.post(`${ADMIN}/${account}/users`, body)).status).toBe(400);
  });

  it("does not create an existing user, even in concurrent requests", async () => {
    const [admin, { account }] = [await operator(), await tenant()];
    const person = { email: "a@b.example", password: "correct horse" };
    const created = await Promise.all([1, 2].map(() => admin.post(`${ADMIN}/${account}/users`, person)));
    expect(created.map(({ status }) => status).sort()).toEqual([201, 400]);
    expect((await admin.post(`${ADMIN}/${account}/users`, { ...person, email: "A@B.EXAMPLE" })).code).toBe("duplicate");
  });

  it("names the invalid field if a problem document is requested", async () => {
    const [{ headers }, { account }] = [await operator(), await tenant()];
    const admin = new Client({ ...headers, accept: "application/problem+json" });
    const users = `${ADMIN}/${account}/users`;
    const person = { email: "a@b.example", password: "correct horse" };
    await admin.post(users, person);
    const wrong = async (path: string, body: object) =>
      (await admin.post<{ errors: { field: string; code: string; message: string }[] }>(path, body)).body.errors;
    expect(await wrong(ADMIN, { name: account })).toEqual([
      { field: "name", code: "duplicate", message: "an account with this name already exists" },
    ]);
    expect(await wrong(users, person)).toEqual([
      { field: "email", code: "duplicate", message: "a user with this email already exists" },
    ]);
    expect(await wrong(users, { ...person, password: "password1234" })).toEqual([
      { field: "password", code: "weak_password", message: "is among the most common passwords" },
    ]);
  });

  it("refuses the wrong account, address or password in the same words", async () => {
    const [admin, { account }] = [await operator(), await tenant()];
    const person = { email: "a@b.example", password: "correct horse" };
    await admin.post(`${ADMIN}/${account}/users`, person);
    const answers = [];
    for (const change of [{ account: "nobody-here" }, { email: "c@d.example" }, { password: "correct mule" }]) {
      answers.push(await call("POST", "/api/login", { body: { account, ...person, ...change } }));
    }
    for (const { status, code, body } of answers) {
      expect([status, code, body]).toEqual([401, "login_failed", "account, email or password is wrong"]);
    }
  });

  it("refuses an incomplete login, and an unknown provider", async () => {
    expect((await call("POST", "/api/login", { body: { account: "acme" } })).status).toBe(400);
    expect((await call("GET", "/api/login?account=acme")).status).toBe(404);
    expect((await call("GET", "/api/accounts/validate/Not%20A%20Name")).status).toBe(400);
  });
});
