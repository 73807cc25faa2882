import { describe, expect, it } from "vitest";
import { call, operator, tenant } from "../../support/client.ts";

const ADMIN = "/api/admin/v1/accounts";

describe("the accounts endpoint", () => {
  it("closes a disabled account to its keys and users on the very next request, and opens it again", async () => {
    const [admin, { account, server, user }] = [await operator(), await tenant()];
    const password = "correct horse";
    await admin.post(`${ADMIN}/${account}/users`, { email: "a@b.example", password });
    const login = () => call("POST", "/api/login", { body: { account, email: "a@b.example", password } });
    const knock = async () => {
      const answers = [
        await server.get("/api/v1/agents"),
        await user.get("/api/v1/agents"),
        await server.post("/api/v1/agents", { name: "a" }),
        await user.post("/api/v1/agents", { name: "a" }),
        await user.post("/api/v1/api-keys", { name: "k" }),
      ];
      return answers.map(({ status, code }) => `${status} ${code}`);
    };
    expect(await knock()).toEqual(["200 null", "200 null", "201 null", "201 null", "201 null"]);
    await admin.patch(`${ADMIN}/${account}`, { disabled: true });
    expect(await knock()).toEqual(Array(5).fill("403 account_closed"));
    expect((await login()).status).toBe(403);
    expect((await call("GET", `/api/accounts/validate/${account}`)).body).toMatchObject({ valid: false });
    await admin.patch(`${ADMIN}/${account}`, { disabled: false });
    expect(await knock()).toEqual(["200 null", "200 null", "201 null", "201 null", "201 null"]);
    expect((await login()).status).toBe(200);
  });

  it("admits only operators to operator routes", async () => {
    const { account, server, user } = await tenant();
    for (const client of [server, user]) {
      for (const answer of [
        await client.get(ADMIN),
        await client.post(ADMIN, { name: "mine" }),
        await client.get(`${ADMIN}/${account}`),
        await client.patch(`${ADMIN}/${account}`, { plan: "scale" }),
        await client.get(`${ADMIN}/${account}/users`),
        await client.post(`${ADMIN}/${account}/users`, { email: "a@b.example", password: "correct horse" }),
        await client.delete(`${ADMIN}/${account}/users/${crypto.randomUUID()}`),
      ]) {
        expect(answer.status).toBe(403);
      }
    }
  });

  it("does not delete a user through another account", async () => {
    const [admin, one, two] = [await operator(), await tenant(), await tenant()];
    const person = { email: "a@b.example", password: "correct horse" };
    const { body } = await admin.post<{ id: string }>(`${ADMIN}/${one.account}/users`, person);
    expect((await admin.delete(`${ADMIN}/${two.account}/users/${body.id}`)).status).toBe(404);
    const { users } = (await admin.get<{ users: { id: string }[] }>(`${ADMIN}/${one.account}/users`)).body;
    expect(users.map(({ id }) => id)).toContain(body.id);
  });

  it("shows neither the operators' account in the list, nor a password's hash anywhere", async () => {
    const [admin, { account }] = [await operator(), await tenant()];
    await admin.post(`${ADMIN}/${account}/users`, { email: "a@b.example", password: "correct horse" });
    const all = JSON.stringify((await admin.get(ADMIN)).body);
    expect(all).not.toContain('"service-admin"');
    expect(JSON.stringify((await admin.get(`${ADMIN}/${account}/users`)).body)).not.toContain("pbkdf2");
  });
});
