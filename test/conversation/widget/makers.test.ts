import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isMakerGood } from "../../../src/account/visitors/maker.ts";
import { viewOf } from "../../../src/kernel/view.ts";
import { apiKey, type Client } from "../../support/client.ts";
import { introspect, page, type Session, type WidgetTenant, widgetTenant } from "../../support/widget.ts";
import { readyOrClosed, talk } from "../leases/support.ts";

const REFUSED = [400, "token_invalid"];

/** A visitor's session that a server requested by this key. */
async function requested({ widgetKey }: WidgetTenant, server: Client): Promise<Session> {
  const body = { client_key: widgetKey.key, user_id: "user-7" };
  const { body: made } = await server.post<{ visitor_token: string }>("/api/v1/widget/auth/user-token", body);
  const { status, body: session } = await page().exchange(made.visitor_token);
  expect(status).toBe(200);
  return session;
}

/** An API key that may do everything, of its own for the test. */
const made = (who: WidgetTenant) => apiKey(who.user, { scopes: ["read", "build", "runtime", "dial"] });

/** What ends a leaked key, or what it may do. */
const WAYS: [way: string, change: (who: WidgetTenant, path: string) => Promise<{ status: number }>][] = [
  ["is disabled", ({ user }, path) => user.patch(path, { disabled: true })],
  ["is deleted", ({ user }, path) => user.delete(path)],
  ["loses a scope", ({ user }, path) => user.patch(path, { scopes: ["read", "runtime"] })],
  ["is limited to addresses", ({ user }, path) => user.patch(path, { allowed_addresses: ["203.0.113.0/24"] })],
];

describe.each(WAYS)("a visitor's session whose API key %s", (_, change) => {
  it("cannot be refreshed", async () => {
    const who = await widgetTenant();
    const { id, server } = await made(who);
    const session = await requested(who, server);
    const { body: renewed, status } = await page().refresh(session.refresh_token);
    expect(status).toBe(200);
    expect((await change(who, `/api/v1/api-keys/${id}`)).status).toBe(204);
    const again = await page().refresh(renewed.refresh_token);
    expect([again.status, again.code]).toEqual(REFUSED);
    expect(await introspect(who, renewed.access_token)).toEqual({ active: false, reason: "key_disabled" });
  });

  it("closes its live conversation", async () => {
    const who = await widgetTenant();
    const { id, server } = await made(who);
    const socket = await talk((await requested(who, server)).access_token);
    expect(await readyOrClosed(socket)).toBe("ready");
    expect((await change(who, `/api/v1/api-keys/${id}`)).status).toBe(204);
    await runDurableObjectAlarm(env.ACCOUNT_METER.getByName(who.account));
    expect(await socket.closed).toEqual({ code: 4401, reason: "key_disabled" });
  });
});

describe("a visitor's session", () => {
  it("goes on while another API key is disabled", async () => {
    const who = await widgetTenant();
    const [one, other] = [await made(who), await made(who)];
    const session = await requested(who, one.server);
    await who.user.patch(`/api/v1/api-keys/${other.id}`, { disabled: true });
    expect((await page().refresh(session.refresh_token)).status).toBe(200);
  });

  it("of a guest depends on no API key", async () => {
    const who = await widgetTenant();
    const guest = (await page().guest(who.widgetKey.key)).body;
    await who.user.patch(`/api/v1/api-keys/${who.key.id}`, { disabled: true });
    expect((await page().refresh(guest.refresh_token)).status).toBe(200);
  });
});

describe("whether a maker is good", () => {
  it("follows from its key alone: there, enabled, not expired, and with the view that it had", () => {
    const now = 1_700_000_000_000;
    const limits = fc.record({
      scopes: fc.subarray(["read", "runtime", "build"] as const, { minLength: 1 }),
      agent_ids: fc.option(fc.constant<string[]>(["a"])),
      allowed_addresses: fc.option(fc.constant<string[]>(["203.0.113.0/24"])),
    });
    const times = fc.option(fc.constantFrom(now - 1, now, now + 1));
    fc.assert(
      fc.property(limits, limits, times, fc.boolean(), (then, today, expires, isDisabled) => {
        const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
        const key = {
          scopes: [...today.scopes],
          agent_ids: today.agent_ids,
          allowed_addresses: today.allowed_addresses,
          expires_at: iso(expires),
          disabled_at: isDisabled ? iso(now) : null,
        };
        const view = (of: typeof then) =>
          viewOf(
            { role: null, scopes: [...new Set(["read", ...of.scopes] as const)].sort(), agentIds: of.agent_ids },
            of.allowed_addresses,
          );
        const same = JSON.stringify([then, today].map(({ scopes, ...rest }) => [[...scopes].sort(), rest]));
        const [before, after] = JSON.parse(same);
        const isSame = JSON.stringify(before) === JSON.stringify(after);
        const maker = { key_id: "k", view: view(then) };
        if (isDisabled || (expires !== null && expires <= now)) expect(isMakerGood(maker, key, now)).toBe(false);
        if (isSame) return;
        expect(isMakerGood(null, undefined, now)).toBe(true);
        expect(isMakerGood(maker, undefined, now)).toBe(false);
      }),
    );
  });
});
