import { env } from "cloudflare:workers";
import { base64url } from "jose";
import { afterEach, describe, expect, it, vi } from "vitest";
import { issueConsoleToken } from "../../../src/account/auth/console-token.ts";
import { type Client, operator, tenant } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";
import { evict } from "../../support/evict.ts";
import { bearer, freshPassword, PASSWORD, type Person, person } from "../../support/person.ts";

const ADMIN = "/api/admin/v1/accounts";
const AGENTS = "/api/v1/agents";
const NEW = "battery staple";
const outcome = ({ status, code }: { status: number; code: string | null }) => (code ? `${status} ${code}` : status);
const ENDED = "401 token_invalid";

afterEach(() => {
  vi.useRealTimers();
});

const somebody = async () => person((await tenant()).account);
const see = async (...clients: Client[]) =>
  Promise.all(clients.map(async (client) => outcome(await client.get(AGENTS))));
const change = (client: Client, new_password = NEW, current_password = PASSWORD) =>
  client.post("/api/password", { current_password, new_password });
const signOut = async ({ account, id }: Person) => (await operator()).post(`${ADMIN}/${account}/users/${id}/sign-out`);

describe("signing out", () => {
  it("ends only this session, from the next request on", async () => {
    const who = await somebody();
    const [one, other] = [who.client, await who.session()];
    const answer = await one.post("/api/logout");
    expect([answer.status, answer.body]).toEqual([204, ""]);
    expect(await see(one, other)).toEqual([ENDED, 200]);
    expect(outcome(await one.post(AGENTS, { name: "a" }))).toBe(ENDED);
    expect(outcome(await one.post("/api/logout"))).toBe(ENDED);
    expect(await see(await who.session())).toEqual([200]);
  });

  it("ends the session however its signature is encoded", async () => {
    const { client, account } = await somebody();
    const [, token = ""] = client.headers.authorization?.split(" ") ?? [];
    const [head = "", body = "", signature = ""] = token.split(".");
    const bytes = base64url.decode(signature);
    const s = BigInt(`0x${[...bytes.slice(32)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`);
    // The order of P-256. If `s` belongs to a valid signature of a text, so does `n - s`.
    const n = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
    const hex = (n - s).toString(16).padStart(64, "0");
    for (let i = 0; i < 32; i++) bytes[32 + i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
    const twin = bearer(`${head}.${body}.${base64url.encode(bytes)}`, account);
    expect(await see(client, twin)).toEqual([200, 200]);
    await client.post("/api/logout");
    expect(await see(client, twin)).toEqual([ENDED, ENDED]);
  });

  it("signing out also works for operators, but requires a session", async () => {
    const who = await person("service-admin");
    expect((await who.client.get(ADMIN)).status).toBe(200);
    expect((await who.client.post("/api/logout")).status).toBe(204);
    expect(outcome(await who.client.get(ADMIN))).toBe(ENDED);
    const { server } = await tenant();
    expect(outcome(await server.post("/api/logout"))).toBe("403 console_required");
    expect(outcome(await server.post("/api/password", {}))).toBe("403 console_required");
  });

  it("distinguishes two sessions of the same millisecond", async () => {
    const { account, id, email } = await somebody();
    const now = Date.now();
    const token = async () => bearer(await issueConsoleToken(env, { id, email, account }, now), account);
    const [one, other] = [await token(), await token()];
    await one.post("/api/logout");
    expect(await see(one, other)).toEqual([ENDED, 200]);
  });

  it("stays in force across a restart of the gate", async () => {
    const { client, account } = await somebody();
    await client.post("/api/logout");
    await evict(env.ACCOUNT_GATE.getByName(account));
    expect(await see(client)).toEqual([ENDED]);
  });
});

describe("a new password", () => {
  it("ends the user's other sessions at once, but neither this session nor other users'", async () => {
    const who = await somebody();
    const colleague = await person(who.account);
    const others = await Promise.all([who.session(), who.session()]);
    const latest = bearer(await issueConsoleToken(env, who, Date.now()), who.account);
    expect(await see(who.client, latest, ...others)).toEqual([200, 200, 200, 200]);
    const answer = await change(who.client);
    expect([answer.status, answer.body]).toEqual([204, ""]);
    expect(await see(who.client, latest, ...others)).toEqual([200, ENDED, ENDED, ENDED]);
    expect(await see(colleague.client)).toEqual([200]);
  });

  it("distinguishes sessions of the same millisecond, as a sign-out does", async () => {
    const who = await somebody();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const [stays, ends] = [await who.session(), await who.session()];
    await change(stays);
    expect(await see(stays, ends)).toEqual([200, ENDED]);
    const next = await who.session(NEW);
    expect(await see(stays, next)).toEqual([200, 200]);
    await signOut(who);
    expect(await see(stays, next)).toEqual([ENDED, ENDED]);
    const last = await who.session(NEW);
    expect(await see(stays, next, last)).toEqual([ENDED, ENDED, 200]);
    await change(last, PASSWORD, NEW);
    expect(await see(next, last)).toEqual([ENDED, 200]);
    await signOut(who);
    expect(await see(last)).toEqual([ENDED]);
  });

  it("a new password is required to sign in from then on", async () => {
    const who = await somebody();
    await change(who.client);
    expect(outcome(await who.signIn())).toBe("401 login_failed");
    expect(await see(await who.session(NEW))).toEqual([200]);
    // This session begins in the same second as the change, but after it.
    await change(who.client, PASSWORD, NEW);
    expect(await see(await who.session())).toEqual([200]);
  });

  it("keeps its session through another new password, but not through a sign-out or sessions_valid_after", async () => {
    const who = await somebody();
    await change(who.client);
    await change(who.client, `${NEW}s`, NEW);
    expect(await see(who.client)).toEqual([200]);
    const stayed = await who.session(`${NEW}s`);
    expect((await signOut(who)).status).toBe(204);
    expect(await see(who.client, stayed)).toEqual([ENDED, ENDED]);

    const other = await somebody();
    await change(other.client);
    const past = new Date(Date.now() - 1).toISOString();
    await change(other.client, `${NEW}s`, NEW);
    await (await operator()).patch(`${ADMIN}/${other.account}`, { sessions_valid_after: past });
    expect(await see(other.client)).toEqual([ENDED]);
  });

  it("one of several new passwords sent at once is stored and keeps its session", async () => {
    const who = await somebody();
    const answers = await Promise.all([1, 2, 3, 4].map((n) => change(who.client, `${NEW} ${n}`)));
    const changed = answers.flatMap(({ status }, i) => (status === 204 ? [`${NEW} ${i + 1}`] : []));
    expect(changed).toHaveLength(1);
    expect(await see(who.client, await who.session(changed[0]))).toEqual([200, 200]);
  });

  it("an operator's new password ends the operator's other sessions", async () => {
    const who = await person("service-admin");
    const other = await who.session();
    expect((await change(who.client)).status).toBe(204);
    expect((await who.client.get(ADMIN)).status).toBe(200);
    expect(outcome(await other.get(ADMIN))).toBe(ENDED);
  });

  it("requires the current one, and must be strong and different", async () => {
    const who = await somebody();
    expect(outcome(await change(who.client, NEW, "not the one"))).toBe("403 wrong_password");
    expect(outcome(await change(who.client, "password1234"))).toBe("400 weak_password");
    expect(outcome(await change(who.client, `${who.account}-1`))).toBe("400 weak_password");
    expect(outcome(await change(who.client, who.email))).toBe("400 weak_password");
    expect((await change(who.client, PASSWORD)).status).toBe(400);
    for (const body of [{}, { current_password: PASSWORD }, { current_password: PASSWORD, new_password: "short" }]) {
      expect(outcome(await who.client.post("/api/password", body))).toBe("400 invalid_request");
    }
    const other = await who.session();
    expect(await see(who.client, other)).toEqual([200, 200]);
  });

  it("a new password does not overwrite one that was written meanwhile", async () => {
    const who = await somebody();
    const answers = await Promise.all([change(who.client, freshPassword()), change(who.client, freshPassword())]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(await see(who.client)).toEqual([200]);
  });

  it("leaves no session begun with the old password, however sign-ins and the change interleave", async () => {
    const who = await somebody();
    const attempts = Array.from({ length: 12 }, async (_, i) => {
      for (let n = 0; n < i; n++) await see(who.client);
      return who.signIn();
    });
    const changed = change(who.client);
    const answers = await Promise.all(attempts);
    expect((await changed).status).toBe(204);
    const begun = answers.filter(({ status }) => status === 200);
    for (const { body } of begun) expect(await see(bearer(body.access_token, who.account))).toEqual([ENDED]);
    expect(await see(who.client)).toEqual([200]);
  });
});

describe("an operator who signs a user out", () => {
  it("ends exactly the sessions of the user", async () => {
    const who = await somebody();
    const [other, colleague] = [await who.session(), await person(who.account)];
    expect((await signOut(who)).status).toBe(204);
    expect(await see(who.client, other, colleague.client)).toEqual([ENDED, ENDED, 200]);
    expect(await see(await who.session())).toEqual([200]);
  });

  it("ends a session that began in the same millisecond", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const who = await somebody();
    await signOut(who);
    expect(await see(who.client)).toEqual([ENDED]);
    expect(await see(await who.session())).toEqual([200]);
  });

  it("can also sign out an operator, who then has no access", async () => {
    const who = await person("service-admin");
    expect((await signOut(who)).status).toBe(204);
    expect(outcome(await who.client.get(ADMIN))).toBe(ENDED);
    expect((await (await who.session()).get(ADMIN)).status).toBe(200);
  });

  it("gets a 404 for an unknown user, and must be an operator", async () => {
    const [who, elsewhere, admin] = [await somebody(), await tenant(), await operator()];
    for (const path of [
      `${elsewhere.account}/users/${who.id}`,
      `${who.account}/users/${crypto.randomUUID()}`,
      `${who.account}/users/not-an-id`,
      `nobody-here/users/${who.id}`,
    ]) {
      expect(outcome(await admin.post(`${ADMIN}/${path}/sign-out`))).toBe("404 not_found");
    }
    expect((await who.client.post(`${ADMIN}/${who.account}/users/${who.id}/sign-out`)).status).toBe(403);
    expect(await see(who.client)).toEqual([200]);
  });
});

describe("a pepper", () => {
  it("a pepper is added to a password at its next successful sign-in, and required from then on", async () => {
    const who = await somebody();
    const hash = async () =>
      (await env.DB.prepare("SELECT password_hash h FROM users WHERE id = ?").bind(who.id).first<{ h: string }>())?.h;
    const body = { account: who.account, email: who.email, password: PASSWORD };
    const login = (PASSWORD_PEPPER?: string, password = PASSWORD) =>
      countRoundTrips("/api/login", {}, { method: "POST", body: { ...body, password }, env: { PASSWORD_PEPPER } });
    expect(await hash()).toMatch(/^pbkdf2-sha256\$/);
    expect((await login("cayenne", "not the one")).status).toBe(401);
    expect(await hash()).toMatch(/^pbkdf2-sha256\$/);
    expect((await login("cayenne")).status).toBe(200);
    const peppered = await hash();
    expect(peppered).toMatch(/^pbkdf2-sha256-hmac\$/);
    expect((await login("cayenne")).status).toBe(200);
    expect(await hash()).toBe(peppered);
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    expect((await login()).status).toBe(401);
    expect(JSON.stringify(logged.mock.calls)).toContain("PASSWORD_PEPPER");
    vi.restoreAllMocks();
    expect((await login("paprika,cayenne")).status).toBe(200);
    expect(await hash()).not.toBe(peppered);
  });
});
