import { env, exports } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../src/kernel/time.ts";
import { BASE, call, tenant } from "../../support/client.ts";
import { bearer, PASSWORD, type Person, person, type SignedIn } from "../../support/person.ts";

interface OwnSession {
  id: string;
  device: string;
  address: string;
  created_at: string;
  last_seen_at: string;
  current: boolean;
}

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0";

afterEach(() => {
  vi.useRealTimers();
});

const somebody = async () => person((await tenant()).account);
const list = async (who: Person, { access_token }: SignedIn) =>
  (await bearer(access_token, who.account).get<{ sessions: OwnSession[]; total: number }>("/api/sessions")).body;
const from = async ({ account, email }: Person, address: string, agent: string) => {
  const headers = { "cf-connecting-ip": address, "user-agent": agent };
  return (await call<SignedIn>("POST", "/api/login", { headers, body: { account, email, password: PASSWORD } })).body;
};
/** Opens a live stream of the account's events. `ended` resolves when the service has closed it. */
async function stream(who: Person, { access_token }: SignedIn) {
  const headers = { authorization: `Bearer ${access_token}`, "x-account-id": who.account };
  const { body, status } = await exports.default.fetch(new Request(`${BASE}/api/v1/events/stream`, { headers }));
  expect(status).toBe(200);
  const reader = body?.getReader() ?? expect.fail("there is no stream");
  const ended = async () => {
    while (!(await reader.read()).done);
    return true;
  };
  return { ended };
}

describe("a user's own sessions", () => {
  it("a user's own sessions are listed with device, address and times, newest first", async () => {
    const who = await somebody();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const begun = Date.now() + MINUTE_MS;
    vi.setSystemTime(begun);
    const one = await from(who, "198.51.100.7", FIREFOX);
    vi.setSystemTime(begun + MINUTE_MS);
    const two = await from(who, "2001:db8:1:2::5", "curl/8.5.0");
    vi.setSystemTime(begun + 2 * MINUTE_MS);
    const { sessions, total } = await list(who, one);
    expect(total).toBe(3);
    const at = (minutes: number) => new Date(begun + minutes * MINUTE_MS).toISOString();
    expect(sessions.slice(0, 2)).toMatchObject([
      { device: "curl/8.5.0", address: "2001:db8:1:2::/64", created_at: at(1), last_seen_at: at(1), current: false },
      { device: "Firefox on Linux", address: "198.51.100.7", created_at: at(0), last_seen_at: at(2), current: true },
    ]);
    expect((await list(who, two)).sessions.map(({ current }) => current)).toEqual([true, false, false]);
  });

  it("a user's ended sessions are not listed", async () => {
    const who = await somebody();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const idle = (await who.signIn()).body;
    expect((await list(who, idle)).total).toBe(2);
    vi.setSystemTime(Date.now() + 2 * HOUR_MS);
    const fresh = (await who.signIn()).body;
    expect((await list(who, fresh)).total).toBe(1);
    const other = (await who.signIn()).body;
    const body = { current_password: PASSWORD, new_password: "battery staple" };
    await bearer(fresh.access_token, who.account).post("/api/password", body);
    expect((await list(who, fresh)).sessions).toMatchObject([{ current: true }]);
    expect((await list(who, other)).sessions).toBeUndefined();
  });

  it("end one by one, at once, together with their live streams", async () => {
    const who = await somebody();
    const [one, other] = [(await who.signIn()).body, (await who.signIn()).body];
    const live = await stream(who, other);
    const { sessions } = await list(who, other);
    const id = sessions.find(({ current }) => current)?.id;
    const client = bearer(one.access_token, who.account);
    expect((await client.delete(`/api/sessions/${id}`)).status).toBe(204);
    expect((await bearer(other.access_token, who.account).get("/api/v1/agents")).status).toBe(401);
    expect(await live.ended()).toBe(true);
    expect((await client.get("/api/v1/agents")).status).toBe(200);
    expect((await client.delete(`/api/sessions/${id}`)).status).toBe(404);
    const { entries } = (await client.get<{ entries: object[] }>("/api/v1/audit-log?action=end_session")).body;
    expect(entries).toMatchObject([{ resource: "session", resource_id: id, actor: `console:${who.id}` }]);
  });

  it("end with their streams if a refresh token is used twice, or the password changes", async () => {
    const who = await somebody();
    const [stays, stolen, old] = [(await who.signIn()).body, (await who.signIn()).body, (await who.signIn()).body];
    const lives = await Promise.all([stream(who, stolen), stream(who, old)]);
    const refresh = () => call("POST", "/api/session/refresh", { body: { refresh_token: stolen.refresh_token } });
    expect([(await refresh()).status, (await refresh()).status]).toEqual([200, 401]);
    expect(await lives[0]?.ended()).toBe(true);
    const body = { current_password: PASSWORD, new_password: "battery staple" };
    await bearer(stays.access_token, who.account).post("/api/password", body);
    expect(await lives[1]?.ended()).toBe(true);
  });

  it("include the requesting session", async () => {
    const who = await somebody();
    const { sessions } = (await who.client.get<{ sessions: OwnSession[] }>("/api/sessions")).body;
    expect((await who.client.delete(`/api/sessions/${sessions[0]?.id}`)).status).toBe(204);
    expect((await who.client.get("/api/sessions")).status).toBe(401);
  });

  it("cannot be seen or ended by colleagues or servers", async () => {
    const who = await somebody();
    const colleague = await person(who.account);
    const { sessions } = (await who.client.get<{ sessions: OwnSession[] }>("/api/sessions")).body;
    const id = sessions[0]?.id ?? "";
    const theirs = (await colleague.client.get<{ sessions: OwnSession[] }>("/api/sessions")).body.sessions;
    expect(theirs.map((one) => one.id)).not.toContain(id);
    expect((await colleague.client.delete(`/api/sessions/${id}`)).status).toBe(404);
    expect((await who.client.get("/api/v1/agents")).status).toBe(200);
    const { server } = await tenant();
    expect((await server.get("/api/sessions")).code).toBe("console_required");
    expect((await server.delete(`/api/sessions/${id}`)).code).toBe("console_required");
  });

  it("a user has at most two hundred sessions, and the least recently used end first", async () => {
    const who = await somebody();
    const gate = env.ACCOUNT_GATE.getByName(who.account);
    const first = (await who.signIn()).body;
    const client = { device: "", address: "", user: who.id, secondFactor: false };
    for (let i = 0; i < 200; i++) {
      const [id, refreshToken] = [crypto.randomUUID(), crypto.randomUUID()];
      await gate.beginSession(Object.assign({ id, refreshToken, begunAt: Date.now() }, client), null);
    }
    const last = (await who.signIn()).body;
    expect((await list(who, last)).total).toBe(200);
    expect((await bearer(first.access_token, who.account).get("/api/v1/agents")).status).toBe(401);
  });
});
