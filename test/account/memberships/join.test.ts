import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { accountGate } from "../../../src/kernel/durable/objects.ts";
import { HOUR_MS, MINUTE_MS } from "../../../src/kernel/time.ts";
import { type Client, call, operator, type Tenant, tenant } from "../../support/client.ts";
import { mortal } from "../../support/mortal.ts";
import { bearer, freshPassword, type Person, person, type SignedIn } from "../../support/person.ts";
import { provider } from "../../support/provider.ts";

interface Joined {
  access_token: string;
  account: string;
  accounts: { name: string }[];
}

/** More lives than a gate needs that dies at each of its calls. */
const MOST_LIVES = 20;
const JOIN = "/api/memberships/join";
const ADMIN = "/api/admin/v1/accounts";
const outcome = ({ status, code }: { status: number; code: string | null }) => (code ? `${status} ${code}` : status);

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Creates a person who is a member of two accounts, each with its own password, and signs them in to both. */
async function world() {
  const [one, two] = [await tenant(), await tenant()];
  const [here, there] = [await person(one.account), await person(two.account)];
  // With these other owners, the person may be removed.
  await Promise.all([person(one.account), person(two.account)]);
  const [mine, other] = [(await here.signIn()).body, (await there.signIn()).body];
  return { one, two, here, there, mine, other };
}

const join = (session: { access_token: string }, { account }: Person, other: { access_token: string }) =>
  bearer(session.access_token, account).post<Joined>(JOIN, { access_token: other.access_token });
const refresh = async ({ refresh_token }: SignedIn) =>
  (await call<SignedIn & Joined>("POST", "/api/session/refresh", { body: { refresh_token } })).body;
const see = async ({ access_token }: { access_token: string }, ...accounts: Tenant[]) =>
  Promise.all(accounts.map(async ({ account }) => outcome(await bearer(access_token, account).get("/api/v1/agents"))));
const names = ({ accounts }: Joined) => accounts.map(({ name }) => name).sort();

async function joined() {
  const created = await world();
  const { body } = await join(created.mine, created.here, created.other);
  return { ...created, both: body };
}

describe("joining memberships", () => {
  it("opens both accounts with one session, with the member's role in each", async () => {
    const { one, two, here, there, mine, other } = await world();
    await two.user.patch(`/api/v1/members/${there.id}`, { role: "viewer" });
    expect(await see(mine, one, two)).toEqual([200, "403 account_mismatch"]);
    const { status, body } = await join(mine, here, other);
    expect([status, body.account, names(body)]).toEqual([200, one.account, [one.account, two.account].sort()]);
    expect(await see(body, one, two)).toEqual([200, 200]);
    const create = (account: string) =>
      bearer(body.access_token, account).post("/api/v1/agents", { name: "Reception" });
    expect([outcome(await create(one.account)), outcome(await create(two.account))]).toEqual([
      201,
      "403 missing_scope",
    ]);
    const own = await bearer(body.access_token, two.account).get<{ sessions: { current: boolean }[] }>("/api/sessions");
    expect(own.body.sessions.filter(({ current }) => current)).toHaveLength(1);
    for (const { user } of [one, two]) {
      const { entries } = (await user.get<{ entries: { action: string }[] }>("/api/v1/audit-log")).body;
      expect(entries.map(({ action }) => action)).toContain("join_membership");
    }
  });

  it("lasts through renewals, also if the other account is not used for hours", async () => {
    const { one, two, mine } = await joined();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    let session = mine;
    for (let hour = 1; hour <= 5; hour++) {
      vi.setSystemTime(Date.now() + HOUR_MS - MINUTE_MS);
      session = await refresh(session);
    }
    expect(await see(session, one, two)).toEqual([200, 200]);
  });

  it("lets a third account join from either account, and shows all of them", async () => {
    const { one, two, here, there, both } = await joined();
    const three = await tenant();
    const third = (await (await person(three.account)).signIn()).body;
    const { status, body } = await bearer(both.access_token, there.account).post<Joined>(JOIN, {
      access_token: third.access_token,
    });
    expect([status, body.account, names(body)]).toEqual([
      200,
      two.account,
      [one.account, two.account, three.account].sort(),
    ]);
    expect(await see(body, one, two, three)).toEqual([200, 200, 200]);
    expect(here.account).toBe(one.account);
  });

  it("a joined account keeps its own second factor and idle time", async () => {
    const { one, two, both } = await joined();
    await two.user.patch("/api/v1/sign-in-policy", { require_second_factor: true });
    expect(await see(both, one, two)).toEqual([200, "403 second_factor_missing"]);
    const other = await joined();
    await other.two.user.patch("/api/v1/sign-in-policy", { idle_minutes: 5 });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 6 * MINUTE_MS });
    expect(await see(other.both, other.one, other.two)).toEqual([200, "401 token_invalid"]);
  });
});

describe("a join", () => {
  it("ends with the membership of the other account", async () => {
    const { one, two, there, mine, both } = await joined();
    await two.user.delete(`/api/v1/members/${there.id}`);
    expect(await see(both, one, two)).toEqual([200, "401 token_invalid"]);
    const next = await refresh(mine);
    expect([names(next), await see(next, one, two)]).toEqual([[one.account], [200, "403 account_mismatch"]]);
  });

  it("ends with one's own membership, and leaves the other session alone", async () => {
    const { one, two, here, other, both } = await joined();
    await one.user.delete(`/api/v1/members/${here.id}`);
    expect(await see(both, one, two)).toEqual(["401 token_invalid", "401 token_invalid"]);
    expect(await see(other, two)).toEqual([200]);
  });

  it.each(["in the account of the sign-in", "in the other account"])("a join ends at a sign-out %s", async (where) => {
    const { one, two, mine, other, both } = await joined();
    const account = where === "in the other account" ? two.account : one.account;
    expect((await bearer(both.access_token, account).post("/api/logout")).status).toBe(204);
    expect([await see(both, one, two), await see(mine, one), await see(other, two)]).toEqual([
      ["401 token_invalid", "401 token_invalid"],
      ["401 token_invalid"],
      ["401 token_invalid"],
    ]);
  });

  it("ends with either session if another session ends it or it was stolen", async () => {
    const { one, two, here, mine, other, both } = await joined();
    const ended = async (client: Client) => {
      const { sessions } = (await client.get<{ sessions: { id: string; current: boolean }[] }>("/api/sessions")).body;
      const { id } = sessions.find(({ current }) => current) ?? { id: "" };
      return (await here.session()).delete(`/api/sessions/${id}`);
    };
    expect((await ended(bearer(both.access_token, one.account))).status).toBe(204);
    expect([await see(both, one, two), await see(other, two)]).toEqual([
      ["401 token_invalid", "401 token_invalid"],
      ["401 token_invalid"],
    ]);
    const stolen = await joined();
    await refresh(stolen.mine);
    await refresh(stolen.mine);
    expect([await see(stolen.both, stolen.one, stolen.two), await see(stolen.other, stolen.two)]).toEqual([
      ["401 token_invalid", "401 token_invalid"],
      ["401 token_invalid"],
    ]);
    expect(mine.access_token).not.toBe(both.access_token);
  });

  it("a join ends in both accounts even if the gate's process dies at each call", async () => {
    const { one, two, mine, other } = await joined();
    const gate = accountGate(env, one.account) as unknown as DurableObjectStub;
    const client = bearer(mine.access_token, one.account);
    const { sessions } = (await client.get<{ sessions: { id: string; current: boolean }[] }>("/api/sessions")).body;
    const process = await mortal(gate, { methods: ["alarm", "endOwnSession"] });
    vi.spyOn(console, "error").mockImplementation(() => {});
    await client.delete(`/api/sessions/${sessions.find(({ current }) => current)?.id}`);
    expect(await process.hasDied()).toBe(true);
    for (let life = 1; (await process.hasDied()) && life < MOST_LIVES; life++) {
      await process.restart();
      await runDurableObjectAlarm(gate);
    }
    expect([...process.deaths].filter((point) => point.includes(" endSession "))).not.toEqual([]);
    expect([await see(mine, one), await see(other, two)]).toEqual([["401 token_invalid"], ["401 token_invalid"]]);
  });

  it("does not affect later sign-ins: neither a password nor a link of one account opens another", async () => {
    const { one, two, here, there } = await joined();
    const again = (await here.signIn()).body;
    expect([await see(again, one, two), again]).toMatchObject([
      [200, "403 account_mismatch"],
      { accounts: [{ name: one.account }] },
    ]);
    const link = await one.user.post<{ url: string }>(`/api/v1/members/${here.id}/reset-link`);
    const new_password = freshPassword();
    await call("POST", "/api/password/reset", { body: { token: link.body.url.split("#")[1], new_password } });
    const reset = (await here.signIn(new_password)).body;
    expect(await see(reset, one, two)).toEqual([200, "403 account_mismatch"]);
    expect([(await there.signIn()).status, (await there.signIn(new_password)).status]).toEqual([200, 401]);
  });
});

describe("sessions that cannot be joined", () => {
  it("a session is not joined if it has ended, is not fresh, or is of the same account", async () => {
    const { one, two, here, there, mine, other } = await world();
    const tokens = {
      same: (await (await person(one.account)).signIn()).body,
      ended: (await there.signIn()).body,
      nothing: { access_token: "nothing" },
      refresh: { access_token: other.refresh_token },
    };
    await bearer(tokens.ended.access_token, two.account).post("/api/logout");
    for (const [what, token] of Object.entries(tokens))
      expect.soft([what, outcome(await join(mine, here, token))]).toEqual([what, "400 token_invalid"]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11 * MINUTE_MS });
    expect(outcome(await join(mine, here, other))).toBe("400 token_invalid");
    expect(await see(mine, one, two)).toEqual([200, "403 account_mismatch"]);
  });

  it("an operator's session, another provider's session or a server's key is not joined", async () => {
    const { one, here, mine } = await world();
    const boss = await person("service-admin");
    expect(outcome(await join(mine, here, (await boss.signIn()).body))).toMatch(/^40[03] /);
    expect(outcome(await boss.client.post(JOIN, { access_token: mine.access_token }))).toMatch(/^403 /);
    expect(outcome(await one.server.post(JOIN, { access_token: mine.access_token }))).toBe("403 console_required");
    const idp = await provider();
    const token = await idp.token({ accounts: [one.account] });
    const body = JSON.stringify({ access_token: mine.access_token });
    const external = await idp.as(token, one.account, JOIN, { method: "POST", body }, { EMBEDDED_LOGIN: "on" });
    expect([external.status, external.headers.get("x-error-code")]).toEqual([403, "external_identity"]);
    expect((await (await operator()).get(`${ADMIN}/${one.account}`)).status).toBe(200);
  });

  it("at most ten sessions are joined", async () => {
    const { here, mine } = await world();
    const statuses = [];
    for (let i = 0; i < 11; i++) {
      const other = (await (await person((await tenant()).account)).signIn()).body;
      statuses.push(outcome(await join(mine, here, other)));
    }
    expect(statuses).toEqual([...Array(10).fill(200), "409 too_many_joined"]);
  });
});
