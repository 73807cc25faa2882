import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { signToken } from "../../../src/kernel/secrets/tokens.ts";
import { HOUR_MS, MINUTE_MS } from "../../../src/kernel/time.ts";
import { type Client, call, operator, tenant } from "../../support/client.ts";
import { evict } from "../../support/evict.ts";
import { bearer, PASSWORD, type Person, person, type SignedIn } from "../../support/person.ts";
import { claimsOf } from "../../support/widget.ts";

const ADMIN = "/api/admin/v1/accounts";
const POLICY = "/api/v1/sign-in-policy";
const OVER = "401 token_invalid";
const outcome = ({ status, code }: { status: number; code: string | null }) => (code ? `${status} ${code}` : status);

afterEach(() => {
  vi.useRealTimers();
});

const somebody = async () => person((await tenant()).account);
const refresh = (refresh_token: string) => call<SignedIn>("POST", "/api/session/refresh", { body: { refresh_token } });
const begin = async (who: Person) => (await who.signIn()).body;
const see = async ({ account }: Person, { access_token }: { access_token: string }) =>
  outcome(await bearer(access_token, account).get("/api/v1/agents"));
const stopTime = () => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
const advanceClock = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe("renewing a session", () => {
  it("returns a new pair for the same session, and the old access token stays valid", async () => {
    const who = await somebody();
    const first = await begin(who);
    expect(first).toMatchObject({ token_type: "Bearer", expires_in: 3600, account: who.account });
    const answer = await refresh(first.refresh_token);
    const second = answer.body;
    expect(answer.status).toBe(200);
    expect(second).toMatchObject({ expires_in: 3600, account: who.account, user: { id: who.id, email: who.email } });
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second.access_token).not.toBe(first.access_token);
    expect(claimsOf(second.access_token).sid).toBe(claimsOf(first.access_token).sid);
    expect([await see(who, first), await see(who, second)]).toEqual([200, 200]);
  });

  it("renewing a session is possible for exactly 12 hours from the sign-in", async () => {
    const who = await somebody();
    stopTime();
    let session = await begin(who);
    for (let hour = 1; hour <= 11; hour++) {
      advanceClock(HOUR_MS - 1_000);
      session = (await refresh(session.refresh_token)).body;
      expect(await see(who, session)).toBe(200);
    }
    advanceClock(30 * MINUTE_MS);
    session = (await refresh(session.refresh_token)).body;
    expect(session.expires_in).toBeLessThanOrEqual(30 * 60 + 11);
    advanceClock(session.expires_in * 1_000);
    expect(await see(who, session)).toBe(OVER);
    expect(outcome(await refresh(session.refresh_token))).toBe(OVER);
  });

  it("renewing a session is refused after 2 hours without use", async () => {
    const who = await somebody();
    stopTime();
    const [used, idle] = [await begin(who), await begin(who)];
    advanceClock(2 * HOUR_MS - 1_000);
    const next = await refresh(used.refresh_token);
    expect(next.status).toBe(200);
    advanceClock(1_000);
    expect(outcome(await refresh(idle.refresh_token))).toBe(OVER);
    expect(await see(who, next.body)).toBe(200);
  });

  it("works across a restart of the gate, which still refuses spent tokens", async () => {
    const who = await somebody();
    const first = await begin(who);
    const second = (await refresh(first.refresh_token)).body;
    await evict(env.ACCOUNT_GATE.getByName(who.account));
    const third = await refresh(second.refresh_token);
    expect(third.status).toBe(200);
    await evict(env.ACCOUNT_GATE.getByName(who.account));
    expect(outcome(await refresh(first.refresh_token))).toBe(OVER);
    expect(await see(who, third.body)).toBe(OVER);
  });

  it("works for operators too", async () => {
    const who = await person("service-admin");
    const { refresh_token } = await begin(who);
    const { access_token } = (await refresh(refresh_token)).body;
    expect((await bearer(access_token, who.account).get(ADMIN)).status).toBe(200);
  });
});

describe("a refresh token", () => {
  it("a refresh token that is used twice ends the session", async () => {
    const who = await somebody();
    const other = await begin(who);
    const first = await begin(who);
    const second = (await refresh(first.refresh_token)).body;
    expect(outcome(await refresh(first.refresh_token))).toBe(OVER);
    expect([await see(who, first), await see(who, second)]).toEqual([OVER, OVER]);
    expect(outcome(await refresh(second.refresh_token))).toBe(OVER);
    expect(await see(who, other)).toBe(200);
  });

  it("renews once in two hundred concurrent requests, and the session ends", async () => {
    const who = await somebody();
    const { refresh_token } = await begin(who);
    const answers = await Promise.all(Array.from({ length: 200 }, () => refresh(refresh_token)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status !== 200).map(outcome))).toEqual(new Set([OVER]));
    for (const { body } of won) {
      expect(await see(who, body)).toBe(OVER);
      expect(outcome(await refresh(body.refresh_token))).toBe(OVER);
    }
  });

  it("renews as long as only the newest one is used", async () => {
    const who = await somebody();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3), { maxLength: 6 }), async (uses) => {
        const tokens = [(await begin(who)).refresh_token];
        let isOver = false;
        for (const use of uses) {
          const token = tokens[Math.max(0, tokens.length - 1 - use)] ?? "";
          isOver ||= token !== tokens.at(-1);
          const { status, body } = await refresh(token);
          expect(status).toBe(isOver ? 401 : 200);
          if (status === 200) tokens.push(body.refresh_token);
        }
      }),
      { numRuns: 12 },
    );
  });

  it("a refresh token is valid only for refreshing", async () => {
    const who = await somebody();
    const { access_token, refresh_token } = await begin(who);
    expect(await see(who, { access_token: refresh_token })).toBe(OVER);
    const { iss, aud, exp, ...claims } = claimsOf(refresh_token);
    const forged = Object.assign({}, claims, { sub: who.id, sid: crypto.randomUUID() });
    const foreign = await signToken(env.SIGNING_KEYS, "console-refresh", forged, 900, Date.now());
    for (const token of [access_token, "", "eyJ.eyJ.x", foreign]) expect(outcome(await refresh(token))).toBe(OVER);
    expect((await call("POST", "/api/session/refresh", { body: {} })).status).toBe(400);
    expect((await refresh(refresh_token)).status).toBe(200);
  });

  it("another user's refresh token does not renew a session", async () => {
    const [who, other] = [await somebody(), await somebody()];
    const { refresh_token } = await begin(who);
    const { iss, aud, exp, ...claims } = claimsOf(refresh_token);
    const stolen = Object.assign({}, claims, { sub: other.id });
    expect(outcome(await refresh(await signToken(env.SIGNING_KEYS, "console-refresh", stolen, 900, Date.now())))).toBe(
      OVER,
    );
    expect((await refresh(refresh_token)).status).toBe(200);
  });

  it.each([
    ["signs out", async (_: Person, client: Client) => client.post("/api/logout")],
    [
      "is signed out by an operator",
      async ({ account, id }: Person) => (await operator()).post(`${ADMIN}/${account}/users/${id}/sign-out`),
    ],
    ["is removed", async ({ account, id }: Person) => (await operator()).delete(`${ADMIN}/${account}/users/${id}`)],
  ])("a refresh token does not renew the session once its user %s", async (_, end) => {
    const who = await somebody();
    const { access_token, refresh_token } = await begin(who);
    const { status } = await end(who, bearer(access_token, who.account));
    expect(status).toBe(204);
    expect(outcome(await refresh(refresh_token))).toBe(OVER);
  });

  it("does not renew while the account is disabled", async () => {
    const who = await somebody();
    const { refresh_token } = await begin(who);
    const admin = await operator();
    await admin.patch(`${ADMIN}/${who.account}`, { disabled: true });
    expect(outcome(await refresh(refresh_token))).toBe("403 account_closed");
    await admin.patch(`${ADMIN}/${who.account}`, { disabled: false });
    expect((await refresh(refresh_token)).status).toBe(200);
  });

  it("survives a new password only in the session that set it", async () => {
    const who = await somebody();
    const [one, other] = [await begin(who), await begin(who)];
    const body = { current_password: PASSWORD, new_password: "battery staple" };
    expect((await bearer(one.access_token, who.account).post("/api/password", body)).status).toBe(204);
    expect(outcome(await refresh(other.refresh_token))).toBe(OVER);
    const next = await refresh(one.refresh_token);
    expect(next.status).toBe(200);
    expect(await see(who, next.body)).toBe(200);
  });
});

describe("the sign-in policy", () => {
  it("has defaults, changes field by field, and is audited", async () => {
    const { user } = await tenant();
    const defaults = (await user.get<object>(POLICY)).body;
    expect(defaults).toMatchObject({ session_hours: 12, idle_minutes: 120 });
    expect((await user.patch(POLICY, { session_hours: 8 })).body).toEqual({ ...defaults, session_hours: 8 });
    expect((await user.patch(POLICY, { idle_minutes: 30 })).body).toMatchObject({ session_hours: 8, idle_minutes: 30 });
    expect((await user.patch(POLICY, { idle_minutes: 30 })).status).toBe(200);
    expect((await user.get(POLICY)).body).toMatchObject({ session_hours: 8, idle_minutes: 30 });
    const { entries } = (await user.get<{ entries: object[] }>("/api/v1/audit-log?resource=sign_in_policy")).body;
    expect(entries).toHaveLength(2);
    expect(entries[0]).toMatchObject({ action: "update", changes: { idle_minutes: {} } });
  });

  it("the sign-in policy is unchanged by an empty request, before and after its first change", async () => {
    const { user } = await tenant();
    const defaults = (await user.get<object>(POLICY)).body;
    expect(await user.patch(POLICY, {})).toMatchObject({ status: 200, body: defaults });
    const { body } = await user.patch(POLICY, { session_hours: 8 });
    expect(await user.patch(POLICY, {})).toMatchObject({ status: 200, body });
  });

  it("may shorten sessions, never lengthen them", async () => {
    const { user } = await tenant();
    for (const body of [{ session_hours: 13 }, { session_hours: 0 }, { idle_minutes: 121 }, { idle_minutes: 4 }])
      expect((await user.patch(POLICY, body)).status).toBe(400);
  });

  it("the sign-in policy is accessible to console sessions, never to an API key", async () => {
    const { server } = await tenant();
    expect(outcome(await server.get(POLICY))).toBe("403 console_required");
    expect(outcome(await server.patch(POLICY, { session_hours: 1 }))).toBe("403 console_required");
  });

  it("applies to existing sessions at once", async () => {
    const who = await somebody();
    stopTime();
    const old = await begin(who);
    advanceClock(61 * MINUTE_MS);
    const renewed = (await refresh(old.refresh_token)).body;
    const fresh = await begin(who);
    expect(await see(who, renewed)).toBe(200);
    await bearer(fresh.access_token, who.account).patch(POLICY, { session_hours: 1 });
    expect(await see(who, renewed)).toBe(OVER);
    expect(outcome(await refresh(renewed.refresh_token))).toBe(OVER);
    expect(await see(who, fresh)).toBe(200);
  });

  it("issues tokens that can be renewed before the session is idle for too long", async () => {
    const who = await somebody();
    await who.client.patch(POLICY, { idle_minutes: 10 });
    stopTime();
    const session = await begin(who);
    expect(session.expires_in).toBe(300);
    advanceClock(session.expires_in * 1_000);
    const next = await refresh(session.refresh_token);
    expect(next.status).toBe(200);
    advanceClock(10 * MINUTE_MS);
    expect(outcome(await refresh(next.body.refresh_token))).toBe(OVER);
  });
});
