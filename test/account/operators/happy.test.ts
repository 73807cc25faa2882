import { env } from "cloudflare:workers";
import { importJWK, jwtVerify } from "jose";
import { describe, expect, it } from "vitest";
import { Client, call, operator, tenant } from "../../support/client.ts";

const ADMIN = "/api/admin/v1/accounts";
const name = () => `acc-${crypto.randomUUID().slice(0, 8)}`;

interface Account {
  name: string;
  caps: Record<string, number>;
  caps_overrides: Record<string, number>;
}
interface Session {
  access_token: string;
  expires_in: number;
  token_type: string;
}

describe("the accounts endpoint", () => {
  it("creates an account that a user can sign in to and work in at once", async () => {
    const [admin, account] = [await operator(), name()];
    const created = await admin.post<Account>(ADMIN, {
      name: account,
      display_name: "New",
      plan: "growth",
      listed: true,
    });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      name: account,
      plan: "growth",
      listed: true,
      disabled: false,
      caps_overrides: {},
    });
    const person = { email: "Ann@New.example", password: "correct horse", name: "Ann" };
    const user = await admin.post<{ id: string }>(`${ADMIN}/${account}/users`, person);
    expect([user.status, user.body]).toMatchObject([201, { email: "ann@new.example", name: "Ann" }]);
    expect(user.body).not.toHaveProperty("password_hash");

    const login = await call<Session>("POST", "/api/login", {
      body: { account, email: "ANN@new.example", password: person.password },
    });
    expect([login.status, login.body]).toMatchObject([
      200,
      { token_type: "Bearer", expires_in: 3600, account, accounts: [{ name: account, display_name: "New" }] },
    ]);
    const ann = new Client({ authorization: `Bearer ${login.body.access_token}`, "x-account-id": account });
    const agent = await ann.post<{ created_by: string }>("/api/v1/agents", { name: "First" });
    expect([agent.status, agent.body.created_by]).toEqual([201, user.body.id]);

    const { keys } = (await call<{ keys: object[] }>("GET", "/.well-known/jwks.json")).body;
    const key = await importJWK({ ...keys[0] }, "ES256");
    const { payload } = await jwtVerify(login.body.access_token, key, { audience: "console" });
    expect(payload).toMatchObject({ sub: user.body.id, accounts: [account] });

    expect((await admin.get<{ users: object[] }>(`${ADMIN}/${account}/users`)).body).toMatchObject({ total: 1 });
    expect((await admin.delete(`${ADMIN}/${account}/users/${user.body.id}`)).status).toBe(204);
    expect((await call("POST", "/api/login", { body: { account, ...person } })).status).toBe(401);
  });

  it("creates users as owners, unless another role is named", async () => {
    const [admin, account] = [await operator(), name()];
    await admin.post(ADMIN, { name: account, plan: "growth" });
    const path = `${ADMIN}/${account}/users`;
    const add = (email: string, role?: string) =>
      admin.post<{ role: string }>(path, { email, password: "correct horse", ...(role !== undefined && { role }) });
    expect((await add("a@new.example")).body.role).toBe("owner");
    expect((await add("b@new.example", "analyst")).body.role).toBe("analyst");
    expect((await add("c@new.example", "root")).status).toBe(400);
    const { users } = (await admin.get<{ users: { email: string; role: string }[] }>(path)).body;
    expect(users.map(({ email, role }) => [email, role])).toEqual([
      ["a@new.example", "owner"],
      ["b@new.example", "analyst"],
    ]);
  });

  it("lists the plans, with the caps and quotas of an account without overrides", async () => {
    const [admin, account] = [await operator(), name()];
    const created = await admin.post<object>(ADMIN, { name: account, plan: "growth" });
    const { plans } = (await admin.get<{ plans: { name: string }[] }>("/api/admin/v1/plans")).body;
    expect(plans.map((plan) => plan.name)).toEqual(["starter", "growth", "scale"]);
    const { name: _, ...growth } = plans[1] ?? { name: "" };
    expect(created.body).toMatchObject({ caps: { calls_per_day: 5_000 }, quotas: { agents: 1_000 }, ...growth });
  });

  it("lists to the public only open accounts that are marked so", async () => {
    const admin = await operator();
    const [shown, hidden, closed] = [name(), name(), name()];
    await admin.post(ADMIN, { name: shown, display_name: "Shown", listed: true });
    await admin.post(ADMIN, { name: hidden });
    await admin.post(ADMIN, { name: closed, listed: true });
    await admin.patch(`${ADMIN}/${closed}`, { disabled: true });
    const { accounts, sign_in } = (await call<{ accounts: object[]; sign_in: object }>("GET", "/api/accounts")).body;
    expect(sign_in).toEqual({ password: true, identity_provider: false });
    expect(accounts).toContainEqual({ name: shown, display_name: "Shown" });
    expect(accounts.filter((a) => [hidden, closed].includes((a as Account).name))).toEqual([]);
  });

  it("shows whether an account exists", async () => {
    const { account } = await tenant();
    const validate = (what: string) => call("GET", `/api/accounts/validate/${what}`);
    expect((await validate(account)).body).toEqual({ account, valid: true });
    expect((await validate("nobody-here")).body).toEqual({ account: "nobody-here", valid: false });
  });

  it("overrides a plan's caps one by one, and restores them", async () => {
    const [admin, account] = [await operator(), name()];
    await admin.post(ADMIN, { name: account, plan: "starter", caps: { calls_per_day: 7 } });
    const caps = async (change: object) => {
      const { status, body } = await admin.patch<Account>(`${ADMIN}/${account}`, change);
      expect(status).toBe(200);
      return [body.caps, body.caps_overrides];
    };
    const starter = { concurrent_calls: 5, calls_per_minute: 30, calls_per_day: 7 };
    expect(await caps({})).toEqual([starter, { calls_per_day: 7 }]);
    expect(await caps({ caps: { concurrent_calls: 0 } })).toEqual([
      { ...starter, concurrent_calls: 0 },
      { calls_per_day: 7, concurrent_calls: 0 },
    ]);
    const back = { concurrent_calls: null, calls_per_day: null };
    expect(await caps({ plan: "scale", caps: back })).toEqual([
      { concurrent_calls: 200, calls_per_minute: 1_000, calls_per_day: 100_000 },
      {},
    ]);
    const meter = await env.ACCOUNT_METER.getByName(account).usage();
    expect(meter).toMatchObject({ plan: "scale", caps: { concurrent_calls: 200 } });
    await caps({ caps: { concurrent_calls: 3 } });
    expect((await env.ACCOUNT_METER.getByName(account).usage()).caps.concurrent_calls).toBe(3);
  });

  it("shows the public halves of the signing keys, and nothing of the private ones", async () => {
    const { body } = await call<{ keys: Record<string, unknown>[] }>("GET", "/.well-known/jwks.json");
    expect(body.keys.length).toBeGreaterThan(0);
    for (const key of body.keys) {
      expect(Object.keys(key).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
    }
  });
});
