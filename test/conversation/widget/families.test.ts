import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import type { JWTPayload } from "jose";
import { describe, expect, it } from "vitest";
import worker from "../../../src/index.ts";
import { signToken } from "../../../src/kernel/secrets/tokens.ts";
import { call } from "../../support/client.ts";
import {
  claimsOf,
  introspect,
  page,
  type Session,
  SHOP,
  visitorToken,
  type WidgetTenant,
  widgetTenant,
} from "../../support/widget.ts";

const outcome = ({ status, code }: { status: number; code: string | null }) => [status, code];
const DAY_S = 86_400;
const OVER = [400, "token_invalid"];
const invalid = { active: false, reason: "invalid" };

/** Creates a refresh token with some claims changed. */
function reissue(token: string, change: Record<string, unknown>, expiresIn = DAY_S): Promise<string> {
  const { iss, aud, exp, ...claims } = { ...claimsOf(token), ...change } as JWTPayload & { sub: string };
  return signToken(env.SIGNING_KEYS, "visitor-refresh", claims, expiresIn, Date.now());
}

describe("a family of visitor sessions", () => {
  it("ends with the second use of a refresh token, whoever sends it", async () => {
    const created = await widgetTenant();
    const first = (await page().guest(created.widgetKey.key)).body;
    const second = (await page().refresh(first.refresh_token)).body;
    const third = (await page().refresh(second.refresh_token)).body;
    expect(await introspect(created, third.access_token)).toMatchObject({ active: true });
    expect(outcome(await page().refresh(first.refresh_token))).toEqual(OVER);
    expect(outcome(await page().refresh(third.refresh_token))).toEqual(OVER);
    expect(outcome(await page().refresh(second.refresh_token))).toEqual(OVER);
    for (const { access_token } of [first, second, third]) {
      expect(await introspect(created, access_token)).toEqual(invalid);
    }
    const another = (await page().guest(created.widgetKey.key)).body;
    expect((await page().refresh(another.refresh_token)).status).toBe(200);
  });

  it("renews for one of two concurrent uses, and ends", async () => {
    const created = await widgetTenant();
    for (const chain of [0, 1, 3]) {
      let { refresh_token } = (await page().exchange(await visitorToken(created))).body;
      for (let i = 0; i < chain; i++) ({ refresh_token } = (await page().refresh(refresh_token)).body);
      const answers = await Promise.all([page().refresh(refresh_token), page().refresh(refresh_token)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      const winner = answers.find(({ status }) => status === 200);
      expect(outcome(await page().refresh(winner?.body.refresh_token))).toEqual(OVER);
    }
  });

  it("continues as long as only its newest token is used", async () => {
    const created = await widgetTenant();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3), { maxLength: 6 }), async (uses) => {
        const tokens = [(await page().guest(created.widgetKey.key)).body.refresh_token];
        let isOver = false;
        for (const use of uses) {
          // 0 is the newest token, others are older ones.
          const token = tokens[Math.max(0, tokens.length - 1 - use)] ?? "";
          const isNewest = token === tokens.at(-1);
          const answer = await page().refresh(token);
          expect(answer.status).toBe(isOver || !isNewest ? 400 : 200);
          isOver ||= !isNewest;
          if (answer.status === 200) tokens.push(answer.body.refresh_token);
        }
      }),
      { numRuns: 25 },
    );
  });

  it("lasts seven days from the sign-in, however often it is renewed", async () => {
    const { widgetKey } = await widgetTenant();
    const first = (await page().guest(widgetKey.key)).body;
    const { fam, auth_time, iat, exp } = claimsOf(first.refresh_token) as Record<string, number>;
    expect([auth_time, Number(exp) - Number(iat)]).toEqual([iat, DAY_S]);
    const renewed = (await page().refresh(first.refresh_token)).body;
    expect(claimsOf(renewed.refresh_token)).toMatchObject({ fam, auth_time });
    expect(claimsOf(renewed.access_token)).toMatchObject({ fam, auth_time });
    const longAgo = Math.floor(Date.now() / 1000) - 7 * DAY_S + 600;
    const late = await page().refresh(await reissue(renewed.refresh_token, { auth_time: longAgo }));
    expect(late.body.expires_in).toBeLessThanOrEqual(600);
    expect(claimsOf(late.body.refresh_token)).toMatchObject({ auth_time: longAgo, exp: longAgo + 7 * DAY_S });
    expect(claimsOf(late.body.access_token).exp).toBe(longAgo + 7 * DAY_S);
  });

  it("a family of visitor sessions is deleted by an index once its last token has expired", async () => {
    const { account, widgetKey } = await widgetTenant();
    const kept = (await page().guest(widgetKey.key)).body;
    await page().refresh(kept.refresh_token);
    const insert = env.DB.prepare(
      "INSERT INTO visitor_families (account, id, current, expires_at) VALUES (?, ?, ?, ?)",
    );
    const past = new Date(Date.now() - 1000).toISOString();
    await env.DB.batch(
      Array.from({ length: 3 }, (_, i) => insert.bind(account, `old-${i}`, i === 0 ? null : "x", past)),
    );
    await worker.scheduled(createScheduledController({ scheduledTime: new Date() }), env);
    const left = await env.DB.prepare("SELECT id FROM visitor_families WHERE account = ?").bind(account).all();
    expect(left.results).toEqual([{ id: claimsOf(kept.refresh_token).fam }]);
    const plan = await env.DB.prepare("EXPLAIN QUERY PLAN SELECT rowid FROM visitor_families WHERE expires_at < ?")
      .bind(past)
      .all<{ detail: string }>();
    expect(plan.results[0]?.detail).toContain("visitor_families_expires");
  });
});

describe("the current policy", () => {
  interface Case {
    who: "guest" | "user";
    change: (created: WidgetTenant) => Promise<unknown>;
    refresh: [number, string];
    reason: string;
  }
  const key = (change: (created: WidgetTenant) => Promise<object> | object) => async (created: WidgetTenant) =>
    created.server.patch(`/api/v1/widget-keys/${created.widgetKey.id}`, await change(created));
  const agent = (change: object) => (created: WidgetTenant) =>
    created.server.patch(`/api/v1/agents/${created.agentId}`, change);
  const policy = (change: object) => (created: WidgetTenant) =>
    created.server.patch(`/api/v1/agents/${created.agentId}/widget-settings`, change);
  const another = async ({ server }: WidgetTenant) => ({
    agent_id: (await server.post<{ id: string }>("/api/v1/agents", { name: "Bob", auth_mode: "public" })).body.id,
  });
  const origin: [number, string] = [403, "origin_not_allowed"];

  it.each<[string, Case]>([
    [
      "the key is disabled",
      { who: "user", change: key(() => ({ disabled: true })), refresh: [400, "key_disabled"], reason: "key_disabled" },
    ],
    [
      "the key leads to another agent",
      { who: "guest", change: key(another), refresh: [400, "agent_changed"], reason: "invalid" },
    ],
    [
      "the key leads to none",
      { who: "user", change: key(() => ({ agent_id: null })), refresh: [400, "no_agent"], reason: "invalid" },
    ],
    [
      "the page is off the list",
      {
        who: "user",
        change: key(() => ({ domain_allowlist: ["https://other.example"] })),
        refresh: origin,
        reason: "invalid",
      },
    ],
    [
      "the agent no longer accepts guests",
      {
        who: "guest",
        change: agent({ auth_mode: "authenticated" }),
        refresh: [403, "guest_not_allowed"],
        reason: "guest_not_allowed",
      },
    ],
    [
      "the widget no longer accepts guests",
      {
        who: "guest",
        change: policy({ auth_mode: "authenticated" }),
        refresh: [403, "guest_not_allowed"],
        reason: "guest_not_allowed",
      },
    ],
    [
      "the widget accepts only guests",
      { who: "user", change: policy({ auth_mode: "public" }), refresh: [403, "user_not_allowed"], reason: "invalid" },
    ],
    [
      "the widget is off",
      {
        who: "user",
        change: policy({ widget_enabled: false }),
        refresh: [403, "widget_disabled"],
        reason: "widget_disabled",
      },
    ],
  ])("a session ends if %s", async (_, { who, change, refresh, reason }) => {
    const created = await widgetTenant();
    const begin = async (): Promise<Session> =>
      (who === "guest" ? await page().guest(created.widgetKey.key) : await page().exchange(await visitorToken(created)))
        .body;
    const [one, two] = [await begin(), await begin()];
    expect(await introspect(created, one.access_token)).toMatchObject({ active: true });
    await change(created);
    expect(await introspect(created, one.access_token)).toEqual({ active: false, reason });
    expect(outcome(await page().refresh(one.refresh_token))).toEqual(refresh);
    // Without an Origin, the token's original one counts.
    expect(outcome(await page(null).refresh(two.refresh_token))).toEqual(refresh);
  });

  it("does not affect a server's own session, whatever the allowlist", async () => {
    const created = await widgetTenant();
    const session = (await page(null).exchange(await visitorToken(created))).body;
    await key(() => ({ domain_allowlist: [] }))(created);
    expect(await introspect(created, session.access_token)).toMatchObject({ active: true });
    expect((await page(null).refresh(session.refresh_token)).status).toBe(200);
  });

  it.each([
    [{ auth_mode: "public" }, { auth_mode: "both" }, true],
    [{ auth_mode: "public" }, { auth_mode: "public" }, true],
    [{ auth_mode: "public" }, { auth_mode: "authenticated" }, false],
    [{ auth_mode: "authenticated" }, { auth_mode: "both" }, false],
    [{ auth_mode: "authenticated" }, { auth_mode: "public" }, false],
    [{ auth_mode: "public" }, { widget_enabled: false }, false],
  ])("tells a page whether guests are admitted: agent %o, widget %o: %s", async (ofAgent, ofWidget, guests) => {
    const created = await widgetTenant();
    await agent(ofAgent)(created);
    await policy(ofWidget)(created);
    expect((await page().config(created.widgetKey.key)).body).toMatchObject({ guests });
    const session = await page().guest(created.widgetKey.key);
    const isLetThrough = session.status === 200 && (await introspect(created, session.body.access_token)).active;
    expect(isLetThrough).toBe(guests);
  });
});

describe("an allowlist", () => {
  it.each([
    "https://*.co.uk.",
    "https://*.co.uk",
    "https://*.github.io.",
    "https://*.com.",
    "https://*.co.uk..",
    "https://*.uk.",
  ])("an allowlist refuses the public suffix %s", async (entry) => {
    const { server, widgetKey } = await widgetTenant();
    const created = await server.post("/api/v1/widget-keys", { name: "wide", domain_allowlist: [entry] });
    expect(outcome(created)).toEqual([400, "invalid_origin"]);
    const path = `/api/v1/widget-keys/${widgetKey.id}`;
    expect(outcome(await server.patch(path, { domain_allowlist: [SHOP, entry] }))).toEqual([400, "invalid_origin"]);
    expect((await call("GET", "/api/v1/widget-keys", { headers: server.headers })).body).toMatchObject([
      { domain_allowlist: [SHOP] },
    ]);
  });
});
