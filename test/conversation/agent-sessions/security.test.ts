import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { issueConsoleToken } from "../../../src/account/auth/console-token.ts";
import { signToken } from "../../../src/kernel/secrets/tokens.ts";
import { Client, call, newUser, operator, type Tenant, tenant } from "../../support/client.ts";
import { runtimeFor } from "../../support/runtime.ts";
import { claimsOf, introspect, page } from "../../support/widget.ts";
import { advanceClock, QUESTION } from "../runtime/conversing.ts";
import { greeted, nextMessage, recordOf, sessionOf, sessionPath, show, withAgent, write } from "./support.ts";

afterEach(() => {
  vi.useRealTimers();
});

const MINUTE_MS = 60_000;

type AgentTenant = Tenant & { agentId: string };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const asRuntime = (who: Pick<Tenant, "key">, token: string) => runtimeFor(who, token).get("/api/runtime/v1/session");

/** A way to end a test: who asks for it, what they do, how the socket closes, and why tokens are refused afterwards. */
interface End {
  by: "user" | "server";
  does: (who: AgentTenant) => Promise<unknown>;
  closes: string;
  reason: string;
}

const ENDS: Record<string, End> = {
  "who asked signs out": {
    by: "user",
    does: ({ user }) => user.post("/api/logout"),
    closes: "signed_out",
    reason: "invalid",
  },
  "who asked is removed": {
    by: "user",
    does: async ({ account, user }) => {
      const { sub } = claimsOf(user.headers.authorization ?? "");
      return (await operator()).delete(`/api/admin/v1/accounts/${account}/users/${sub}`);
    },
    closes: "signed_out",
    reason: "invalid",
  },
  "the key that asked is disabled": {
    by: "server",
    does: ({ user, key }) => user.patch(`/api/v1/api-keys/${key.id}`, { disabled: true }),
    closes: "key_disabled",
    reason: "key_disabled",
  },
  "the key that asked is deleted": {
    by: "server",
    does: ({ user, key }) => user.delete(`/api/v1/api-keys/${key.id}`),
    closes: "key_disabled",
    reason: "key_disabled",
  },
  "the agent is deleted": {
    by: "user",
    does: ({ user, agentId }) => user.delete(`/api/v1/agents/${agentId}`),
    closes: "access_revoked",
    reason: "invalid",
  },
  "the account is disabled": {
    by: "user",
    does: async ({ account }) => (await operator()).patch(`/api/admin/v1/accounts/${account}`, { disabled: true }),
    closes: "account_closed",
    reason: "account_closed",
  },
};

describe.each(Object.entries(ENDS))("once %s, a test", (_, { by, does, closes, reason }) => {
  it("cannot be started, continued or resumed", async () => {
    const who = await withAgent();
    const runtime = (await who.user.post<{ id: string; key: string }>("/api/v1/api-keys", { name: "runtime" })).body;
    const [unused, used] = [await sessionOf(who[by], who.agentId), await sessionOf(who[by], who.agentId)];
    const socket = await greeted(used.access_token);
    const done = (await does(who)) as { status: number };
    expect(done.status).toBeLessThan(300);
    const refused = { code: 4401, reason };
    expect(await socket.closed).toEqual({ code: 4401, reason: closes });
    for (const { access_token } of [unused, used]) {
      expect(await (await show(access_token)).closed).toEqual(refused);
      const { status, code } = await asRuntime({ key: runtime }, access_token);
      expect([status, code]).toEqual([403, reason]);
      if (reason === "account_closed") continue;
      const server = new Client(bearer(runtime.key));
      expect(await introspect({ server }, access_token)).toEqual({ active: false, reason });
    }
  });
});

describe("the token of a test", () => {
  it("expires no later than the console session that requested it", async () => {
    const { account, agentId } = await withAgent();
    const begun = Date.now() - 50 * MINUTE_MS;
    const token = await issueConsoleToken(env, await newUser(account), begun);
    const late = new Client({ ...bearer(token), "x-account-id": account });
    const { access_token, expires_in } = await sessionOf(late, agentId);
    expect(expires_in).toBeLessThanOrEqual(600);
    expect(expires_in).toBeGreaterThan(590);
    const { exp } = claimsOf(access_token) as { exp: number };
    expect(exp).toBeLessThanOrEqual((claimsOf(token) as { exp: number }).exp);
  });

  it("ends the conversation when it expires", async () => {
    const who = await withAgent();
    const { access_token } = await sessionOf(who.server, who.agentId);
    const socket = await greeted(access_token);
    advanceClock(61 * MINUTE_MS);
    write(socket, QUESTION);
    expect(await socket.closed).toEqual({ code: 4401, reason: "expired" });
    expect(await (await show(access_token)).closed).toEqual({ code: 4401, reason: "the token is expired" });
    expect((await asRuntime(who, access_token)).status).toBe(401);
    expect(await introspect(who, access_token)).toEqual({ active: false, reason: "expired" });
  });

  it("opens one conversation, which does not restart after its end or deletion", async () => {
    const who = await withAgent();
    const { user, agentId } = who;
    const [ended, deleted] = [await sessionOf(user, agentId), await sessionOf(user, agentId)];
    const hangUp = await runtimeFor(who, ended.access_token).post("/api/runtime/v1/session/hangup", {});
    expect(hangUp.status).toBe(204);
    const socket = await greeted(deleted.access_token);
    const path = `/api/v1/conversations/${(await recordOf(user, deleted)).id}`;
    expect((await user.delete(path)).status).toBe(204);
    await socket.closed;
    for (const { access_token } of [ended, deleted]) {
      expect(await (await show(access_token)).closed).toEqual({ code: 4403, reason: "session_ended" });
    }
    expect((await user.get(path)).status).toBe(404);
    expect(await recordOf(user, ended)).toMatchObject({ status: "ended", end_reason: "hangup" });
  });

  it("opens no other endpoint", async () => {
    const { account, user, agentId } = await withAgent();
    const { access_token, conversation_id } = await sessionOf(user, agentId);
    const headers = { ...bearer(access_token), "x-account-id": account };
    for (const path of ["agents", "conversations", `conversations/${conversation_id}`, "api-keys"]) {
      expect.soft((await call("GET", `/api/v1/${path}`, { headers })).code, path).toBe("token_invalid");
    }
    expect((await call("POST", sessionPath(agentId), { headers })).code).toBe("token_invalid");
    expect((await page().exchange(access_token)).status).toBe(400);
    expect((await page().refresh(access_token)).status).toBe(400);
  });

  it("cannot be introspected by another account, and opens nothing there", async () => {
    const [mine, theirs] = [await withAgent(), await withAgent()];
    const { access_token } = await sessionOf(mine.user, mine.agentId);
    expect(await introspect(theirs, access_token)).toEqual({ active: false, reason: "invalid" });
    const claims = claimsOf(access_token) as { sub: string };
    const signed = (changes: object) =>
      signToken(env.SIGNING_KEYS, "tester", { ...claims, ...changes, sub: crypto.randomUUID() }, 60, Date.now());
    // Even a genuine signature would not help: neither the agent nor the user belongs to that account.
    for (const changes of [{ account: theirs.account }, { agent_id: theirs.agentId }]) {
      expect(await (await show(await signed(changes))).closed).toEqual({ code: 4401, reason: "invalid" });
    }
    const moved = { account: theirs.account, agent_id: theirs.agentId };
    const key = { holder: { key_id: mine.key.id } };
    for (const changes of [moved, { ...moved, ...key }]) {
      const { closed } = await show(await signed(changes));
      expect((await closed).code).toBe(4401);
    }
    expect(await nextMessage(await show(await signed({})))).toBe("Hello there.");
  });

  it("contains nothing of the API key that requested it", async () => {
    const { server, key, agentId } = await withAgent();
    const { access_token } = await sessionOf(server, agentId);
    expect(claimsOf(access_token).holder).toEqual({ key_id: key.id, view: "" });
  });

  it("a test session is not issued to a visitor or operator, or for another account's agent", async () => {
    const [{ agentId, account }, other] = [await withAgent(), await tenant()];
    expect((await call("POST", sessionPath(agentId))).status).toBe(401);
    expect((await (await operator()).post(sessionPath(agentId))).status).toBe(403);
    for (const client of [other.user, other.server]) {
      const { status, code } = await client.post(sessionPath(agentId));
      expect([status, code]).toEqual([404, "not_found"]);
    }
    const headers = { ...other.user.headers, "x-account-id": account };
    expect((await call("POST", sessionPath(agentId), { headers })).code).toBe("account_mismatch");
  });
});
