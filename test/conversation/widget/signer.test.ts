import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { apiKey, type Client } from "../../support/client.ts";
import { claimsOf, introspect, page, visitorToken, type WidgetTenant, widgetTenant } from "../../support/widget.ts";
import { guest, readyOrClosed, talk } from "../leases/support.ts";

afterEach(() => {
  vi.useRealTimers();
});

const outcome = ({ status, code }: { status: number; code: string | null }) => [status, code];
const OVER = [400, "key_disabled"];

/** Creates an account with a second API key that signs a user in. */
async function signedIn(terms: object = {}) {
  const who = await widgetTenant();
  const signer = await apiKey(who.user, terms);
  const token = await visitorToken({ ...who, server: signer.server });
  return { who, signer, session: (await page().exchange(token)).body };
}

/** Ways in which an API key loses the right to sign users in, and whether the key itself is then refused. */
const WAYS: [way: string, revoke: (user: Client, id: string, who: WidgetTenant) => Promise<{ status: number }>][] = [
  ["disabled", (user, id) => user.patch(`/api/v1/api-keys/${id}`, { disabled: true })],
  ["deleted", (user, id) => user.delete(`/api/v1/api-keys/${id}`)],
  [
    "left without runtime and manage",
    (user, id) => user.patch(`/api/v1/api-keys/${id}`, { scopes: ["read", "build"] }),
  ],
  [
    "limited to another agent",
    async (user, id) => {
      const other = (await user.post<{ id: string }>("/api/v1/agents", { name: "other" })).body.id;
      return user.patch(`/api/v1/api-keys/${id}`, { agent_ids: [other] });
    },
  ],
];

describe("a user whom an API key signed in", () => {
  it.each(WAYS)(
    "a user whom an API key signed in is refused the next refresh once the key is %s",
    async (_, revoke) => {
      const { who, signer, session } = await signedIn();
      const renewed = (await page().refresh(session.refresh_token)).body;
      expect((await revoke(who.user, signer.id, who)).status).toBe(204);
      expect(outcome(await page().refresh(renewed.refresh_token))).toEqual(OVER);
      expect(await introspect(who, renewed.access_token)).toEqual({ active: false, reason: "key_disabled" });
    },
  );

  it.each(WAYS)(
    "a user whom an API key signed in is disconnected within two seconds once the key is %s",
    async (_, revoke) => {
      const { who, signer, session } = await signedIn();
      const [socket, bystander] = [await talk(session.access_token), await talk((await guest(who)).access_token)];
      for (const one of [socket, bystander]) expect(await readyOrClosed(one)).toBe("ready");
      const began = Date.now();
      expect((await revoke(who.user, signer.id, who)).status).toBe(204);
      expect(await socket.closed).toEqual({ code: 4401, reason: "key_disabled" });
      expect(Date.now() - began).toBeLessThan(2_000);
      const meter = env.ACCOUNT_METER.getByName(who.account);
      await vi.waitFor(async () => expect((await meter.liveUse()).conversations).toBe(1));
      const late = await talk(session.access_token);
      expect(await readyOrClosed(late)).toEqual({ code: 4401, reason: "key_disabled" });
    },
  );

  it.each(WAYS)(
    "a user whom an API key signed in cannot exchange a token that the key made before it was %s",
    async (_, revoke) => {
      const who = await widgetTenant();
      const signer = await apiKey(who.user, {});
      const token = await visitorToken({ ...who, server: signer.server });
      await revoke(who.user, signer.id, who);
      expect(outcome(await page().exchange(token))).toEqual([400, "token_invalid"]);
    },
  );

  it("a user's session is not renewed after the key that signed them in was disabled", async () => {
    const { who, signer, session } = await signedIn({ expiry: "never" });
    await who.user.patch(`/api/v1/api-keys/${signer.id}`, { disabled: true });
    const begun = Number(claimsOf(session.refresh_token).auth_time) * 1000;
    vi.useFakeTimers({ toFake: ["Date"] });
    for (const hours of [1, 23]) {
      vi.setSystemTime(begun + hours * 3_600_000);
      expect((await page().refresh(session.refresh_token)).status).toBe(400);
    }
  });

  it("a user's session is renewed for seven days while its key is valid", async () => {
    const { session } = await signedIn({ expiry: "never" });
    const begun = Number(claimsOf(session.refresh_token).auth_time) * 1000;
    vi.useFakeTimers({ toFake: ["Date"] });
    let { refresh_token } = session;
    for (let day = 1; day < 7; day++) {
      vi.setSystemTime(begun + day * 23 * 3_600_000);
      const answer = await page().refresh(refresh_token);
      expect(answer.status).toBe(200);
      ({ refresh_token } = answer.body);
    }
  });

  it("keeps the session if the key is limited to what signing in requires", async () => {
    const { who, signer, session } = await signedIn();
    const terms = { scopes: ["runtime"], agent_ids: [who.agentId], allowed_addresses: ["203.0.113.0/24"] };
    expect((await who.user.patch(`/api/v1/api-keys/${signer.id}`, terms)).status).toBe(204);
    expect((await page().refresh(session.refresh_token)).status).toBe(200);
  });
});
