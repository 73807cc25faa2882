import { afterEach, describe, expect, it, vi } from "vitest";
import type { Role } from "../../../src/kernel/scopes.ts";
import { call, operator, type Tenant, tenant } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";
import { freshPassword, PASSWORD, person } from "../../support/person.ts";
import { provider } from "../../support/provider.ts";

interface User {
  id: string;
  email: string;
  name: string;
  role: Role;
  source: string;
}

const ADMIN = "/api/admin/v1/accounts";
const VERIFIED = { email_verified: true };

afterEach(() => {
  vi.restoreAllMocks();
});

const usersOf = async (account: string) =>
  (await (await operator()).get<{ users: User[] }>(`${ADMIN}/${account}/users`)).body.users;
const peopleOf = async (account: string) => (await usersOf(account)).filter(({ source }) => source === "oidc");
const removeAsOperator = async (account: string, id: string) =>
  (await operator()).delete(`${ADMIN}/${account}/users/${id}`);
const seen = async (response: Response) => {
  const code = response.headers.get("x-error-code");
  return code === null ? response.status : `${response.status} ${code}`;
};

async function world(sub = "ada") {
  const [one, idp] = [await tenant(), await provider()];
  const { account } = one;
  const as = async (of: string, path?: string, init?: { method: string; body: string }, settings?: Partial<Env>) =>
    seen(await idp.as(await idp.token({ sub: of, accounts: [account] }), account, path, init, settings));
  const signIn = (claims: Record<string, unknown> = {}, settings?: Partial<Env>) =>
    idp.signIn({ sub, accounts: [account], ...claims }, account, settings);
  return { one, account, idp, as, signIn };
}

const NEW_TAG = { method: "POST", body: JSON.stringify({ name: "a key", scopes: ["read"] }) };

describe("an identity provider's users", () => {
  it("become members at their first sign-in, with the name from the provider", async () => {
    const { account, signIn } = await world();
    const { status, body } = await signIn({ email: "Ada@Acme.example", name: "Ada Byron", ...VERIFIED });
    expect([status, body.user]).toEqual([
      200,
      { id: expect.any(String), email: "ada@acme.example", name: "Ada Byron" },
    ]);
    const [ada, ...others] = await peopleOf(account);
    expect([ada, others]).toMatchObject([{ ...body.user, source: "oidc" }, []]);
    const again = await signIn({ email: "ada@acme.example", name: "Ada Lovelace", ...VERIFIED });
    expect(again.body.user.id).toBe(body.user.id);
    expect(await peopleOf(account)).toMatchObject([{ id: body.user.id, name: "Ada Lovelace" }]);
  });

  it("return with a code once, even if their provider redeems it again", async () => {
    const { account, signIn } = await world();
    const { status, again } = await signIn(VERIFIED);
    expect([status, (await peopleOf(account)).length]).toEqual([200, 1]);
    expect(await seen(await again())).toBe("400 login_state");
  });

  it("become members by the first request with a token from elsewhere", async () => {
    const { account, as } = await world();
    expect([await as("ada"), await as("ada")]).toEqual([200, 200]);
    expect(await peopleOf(account)).toMatchObject([{ email: "", name: "", role: "owner" }]);
  });

  it("become owner if no owner can sign in, otherwise get OIDC_DEFAULT_ROLE", async () => {
    const { account, as } = await world();
    await as("ada");
    await as("bob");
    await as("cyd", undefined, undefined, { OIDC_DEFAULT_ROLE: "builder" });
    const roles = (await peopleOf(account)).map(({ role }) => role).sort();
    expect(roles).toEqual(["builder", "owner", "viewer"]);
    expect([await as("ada", "/api/v1/api-keys", NEW_TAG), await as("bob", "/api/v1/api-keys", NEW_TAG)]).toEqual([
      201,
      "403 missing_scope",
    ]);
  });

  it("do not become owners if an owner signs in with a password", async () => {
    const { account, as } = await world();
    await person(account);
    await as("ada", undefined, undefined, { EMBEDDED_LOGIN: "on" });
    expect(await peopleOf(account)).toMatchObject([{ role: "viewer" }]);
  });

  it("become one owner if the first ones arrive at once", async () => {
    const { account, as } = await world();
    const all = ["ada", "bob", "cyd", "dan"];
    expect(new Set(await Promise.all(all.flatMap((sub) => [as(sub), as(sub)])))).toEqual(new Set([200]));
    const roles = (await peopleOf(account)).map(({ role }) => role).sort();
    expect(roles).toEqual(["owner", "viewer", "viewer", "viewer"]);
  });

  it("an identity provider's users are never all owners, whatever the configuration", async () => {
    const { as } = await world();
    for (const OIDC_DEFAULT_ROLE of ["owner", "", "king"])
      expect(await as("ada", undefined, undefined, { OIDC_DEFAULT_ROLE: OIDC_DEFAULT_ROLE as never })).toBe(
        "503 identity_misconfigured",
      );
  });

  it("may do what their current role allows, whatever their token says", async () => {
    const { one, account, idp, as } = await world();
    await as("first");
    const token = await idp.token({ sub: "ada", accounts: [account] });
    const create = async () => seen(await idp.as(token, account, "/api/v1/api-keys", NEW_TAG));
    expect(await create()).toBe("403 missing_scope");
    const id = (await peopleOf(account)).find(({ role }) => role === "viewer")?.id ?? "";
    await one.user.patch(`/api/v1/members/${id}`, { role: "admin" });
    expect(await create()).toBe(201);
    await one.user.patch(`/api/v1/members/${id}`, { role: "viewer" });
    expect(await create()).toBe("403 missing_scope");
    await idp.signIn({ sub: "ada", accounts: [account] }, account);
    expect(await create()).toBe("403 missing_scope");
  });

  it.each(["an owner", "an operator"])(
    "an identity provider's users stay removed after %s removed them, with a valid token and at a sign-in",
    async (who) => {
      const { one, account, idp, as } = await world();
      const other = await tenant();
      await as("first");
      const claims = { sub: "ada", accounts: [account, other.account], email: "ada@acme.example", ...VERIFIED };
      const { body } = await idp.signIn(claims, account);
      const see = async (name: string) => seen(await idp.as(body.access_token, name));
      expect([await see(account), await see(other.account)]).toEqual([200, 200]);
      const { id } = body.user;
      const removal =
        who === "an owner" ? await one.user.delete(`/api/v1/members/${id}`) : await removeAsOperator(account, id);
      expect(removal.status).toBe(204);
      expect([await see(account), await see(other.account)]).toEqual(["403 account_mismatch", 200]);
      expect(await idp.signIn(claims, account)).toMatchObject({ status: 403, code: "account_mismatch" });
      expect(await see(account)).toBe("403 account_mismatch");
      expect(await peopleOf(account)).toHaveLength(1);
      // Without an account in the request, they sign in to one of their own.
      const elsewhere = await idp.signIn(claims);
      expect([elsewhere.body.account, elsewhere.body.accounts.map(({ name }) => name)]).toEqual([
        other.account,
        [other.account],
      ]);
      const { entries } = (await one.user.get<{ entries: { action: string; actor: string }[] }>("/api/v1/audit-log"))
        .body;
      expect(entries[0]).toMatchObject({ action: "sign_in_failed", actor: `console:${body.user.id}` });
    },
  );

  it("an identity provider's users are not merged by email address or by name at another provider", async () => {
    const { account, signIn, as } = await world();
    await as("first");
    const ada = await person(account);
    const namesake = await signIn({ email: ada.email, ...VERIFIED });
    expect(namesake.status).toBe(200);
    const rows = (await usersOf(account)).filter(({ email }) => email === ada.email);
    expect(rows.map(({ source, role }) => `${source} ${role}`).sort()).toEqual(["oidc viewer", "password owner"]);
    expect((await ada.signIn(PASSWORD)).body.user.id).toBe(ada.id);
    vi.restoreAllMocks();
    const elsewhere = await provider();
    const { body } = await elsewhere.signIn(
      { sub: "ada", accounts: [account], email: ada.email, ...VERIFIED },
      account,
    );
    expect(new Set([ada.id, namesake.body.user.id, body.user.id]).size).toBe(3);
  });

  it("have no password", async () => {
    const { account, signIn } = await world();
    const { body } = await signIn({ email: "ada@acme.example", ...VERIFIED });
    const login = await call("POST", "/api/login", {
      body: { account, email: body.user.email, password: "any at all" },
    });
    expect([login.status, login.code]).toEqual([401, "login_failed"]);
  });

  it("operators end an identity provider's user with all sessions", async () => {
    const { account, idp } = await world();
    const iat = Math.floor(Date.now() / 1000) - 5;
    const { body } = await idp.signIn({ sub: "ada", accounts: [account], iat }, account);
    expect(await seen(await idp.as(body.access_token, account))).toBe(200);
    await (await operator()).post(`${ADMIN}/${account}/users/${body.user.id}/sign-out`);
    expect(await seen(await idp.as(body.access_token, account))).toBe("401 token_invalid");
  });

  it("cost one hop for each request after the first", async () => {
    const { account, idp } = await world();
    const headers = { authorization: `Bearer ${await idp.token({ accounts: [account] })}`, "x-account-id": account };
    const count = () => countRoundTrips("/api/v1/quotas", headers, { env: idp.vars });
    await count();
    const before = await count();
    const password = await countRoundTrips("/api/v1/quotas", (await person(account)).client.headers);
    expect([before.status, before.objects, before.d1]).toEqual([200, password.objects, password.d1]);
  });
});

describe("an invitation, in an account without passwords", () => {
  const invite = (one: Tenant, email: string, role: Role) => one.user.post("/api/v1/invitations", { email, role });
  const roleOf = async (account: string, id: string) => (await peopleOf(account)).find((one) => one.id === id)?.role;
  const invitationsOf = async (one: Tenant) =>
    (await one.user.get<{ invitations: unknown[] }>("/api/v1/invitations")).body.invitations.length;

  it("gives its role at the first sign-in with that verified email address, once", async () => {
    const { one, account, idp, as } = await world();
    await as("first");
    expect((await invite(one, "ada@acme.example", "builder")).status).toBe(201);
    const signIn = async (sub: string, claims: Record<string, unknown>) =>
      (await idp.signIn({ sub, accounts: [account], ...claims }, account)).body.user.id;
    const unverified = await signIn("mallory", { email: "ada@acme.example" });
    const other = await signIn("bob", { email: "bob@acme.example", ...VERIFIED });
    const ada = await signIn("ada", { email: "Ada@acme.example", ...VERIFIED });
    const late = await signIn("eve", { email: "ada@acme.example", ...VERIFIED });
    expect(await Promise.all([unverified, other, ada, late].map((id) => roleOf(account, id)))).toEqual([
      "viewer",
      "viewer",
      "builder",
      "viewer",
    ]);
    expect(await invitationsOf(one)).toBe(0);
  });

  it("gives its role to a member whose address is verified later, unless the member is an owner", async () => {
    const { one, account, idp, as } = await world();
    await as("first");
    await as("ada");
    await invite(one, "ada@acme.example", "analyst");
    await invite(one, "first@acme.example", "viewer");
    const signIn = async (sub: string) =>
      (await idp.signIn({ sub, accounts: [account], email: `${sub}@acme.example`, ...VERIFIED }, account)).body.user.id;
    const [ada, first] = [await signIn("ada"), await signIn("first")];
    expect([await roleOf(account, ada), await roleOf(account, first)]).toEqual(["analyst", "owner"]);
    expect(await invitationsOf(one)).toBe(0);
  });

  it("signing in at a provider does not accept an invitation that requires a password", async () => {
    const { one, account, idp } = await world();
    await person(account);
    await invite(one, "ada@acme.example", "builder");
    const claims = { sub: "ada", accounts: [account], email: "ada@acme.example", ...VERIFIED };
    const { body } = await idp.signIn(claims, account, { EMBEDDED_LOGIN: "on" });
    expect([await roleOf(account, body.user.id), await invitationsOf(one)]).toEqual(["viewer", 1]);
  });

  it("readmits a member who was removed before it, but not one who was removed after it", async () => {
    const { one, account, idp, as } = await world();
    await as("first");
    const claims = { sub: "ada", accounts: [account], email: "ada@acme.example", ...VERIFIED };
    const { body } = await idp.signIn({ ...claims, email_verified: false, email: "other@acme.example" }, account);
    await invite(one, "ada@acme.example", "operator");
    await one.user.delete(`/api/v1/members/${body.user.id}`);
    expect((await idp.signIn(claims, account)).status).toBe(403);
    const { invitations } = (await one.user.get<{ invitations: { id: string }[] }>("/api/v1/invitations")).body;
    await one.user.delete(`/api/v1/invitations/${invitations[0]?.id}`);
    await invite(one, "ada@acme.example", "operator");
    expect((await idp.signIn(claims, account)).status).toBe(200);
    expect(await roleOf(account, body.user.id)).toBe("operator");
  });
});

describe("an invitation that is accepted with a password", () => {
  it("another provider's user with the same email address cannot accept the invitation", async () => {
    const { one, account, idp } = await world();
    const { body } = await one.user.post<{ url: string }>("/api/v1/invitations", {
      email: "ada@acme.example",
      role: "builder",
    });
    await idp.signIn({ sub: "mallory", accounts: [account], email: "ada@acme.example" }, account, {
      EMBEDDED_LOGIN: "on",
    });
    const token = body.url.split("#")[1];
    const accepted = await call("POST", "/api/invitations/accept", {
      body: { token, name: "Ada", password: freshPassword() },
    });
    expect(accepted.status).toBe(200);
  });
});
