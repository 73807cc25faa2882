import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Push } from "../../../src/account/gate/push.ts";
import { AccountMeter } from "../../../src/account/meter/account-meter.ts";
import { LiveRevocation } from "../../../src/account/meter/live-revocation.ts";
import { framesOf, openaiFrames } from "../../../src/dev/stand-in-frames.ts";
import { accountGate, accountMeter } from "../../../src/kernel/durable/objects.ts";
import { use } from "../../account/quotas/support.ts";
import { heldUpload, until } from "../../campaign/support.ts";
import type { Conversation } from "../../records/conversations/support.ts";
import { operator, tenant } from "../../support/client.ts";
import { evict } from "../../support/evict.ts";
import { person } from "../../support/person.ts";
import type { RuntimeSocket } from "../../support/runtime.ts";
import { spyIn } from "../../support/spy-in.ts";
import { claimsOf, page, type WidgetTenant, widgetTenant } from "../../support/widget.ts";
import { greeted, nextMessage, sessionOf, write } from "../agent-sessions/support.ts";
import { conversing, hasEnded, isEnd, livesWith, recordOnce, running } from "../runtime/conversing.ts";
import { guest, readyOrClosed, talk, user } from "./support.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const SOCKETS = 50;
/** Number of live conversations at each kind of revocation. */
const TALKING = 10;
const disable = async ({ account }: Pick<WidgetTenant, "account">) =>
  (await operator()).patch(`/api/admin/v1/accounts/${account}`, { disabled: true });

/** Opens conversations of this many visitors, each ready to talk. */
async function open(who: WidgetTenant, count: number, kind: "guest" | "user"): Promise<RuntimeSocket[]> {
  const sockets: RuntimeSocket[] = [];
  for (let n = 0; n < count; n++) {
    const { access_token } = kind === "guest" ? await guest(who) : await user(who, `user-${n}`);
    const socket = await talk(access_token);
    expect(await readyOrClosed(socket)).toBe("ready");
    sockets.push(socket);
  }
  return sockets;
}

/** The ways to revoke access, with the close reason. */
const WAYS: [way: string, reason: string, revoke: (who: WidgetTenant) => Promise<unknown>][] = [
  ["the account is disabled", "account_closed", disable],
  [
    "the widget key is deleted",
    "key_disabled",
    ({ server, widgetKey }) => server.delete(`/api/v1/widget-keys/${widgetKey.id}`),
  ],
  [
    "the widget is switched off",
    "widget_disabled",
    ({ server, agentId }) => server.patch(`/api/v1/agents/${agentId}/widget-settings`, { widget_enabled: false }),
  ],
  [
    "the agent is archived",
    "widget_disabled",
    ({ server, agentId }) => server.patch(`/api/v1/agents/${agentId}`, { status: "archived" }),
  ],
  [
    "guests are not let in any more",
    "guest_not_allowed",
    ({ server, agentId }) => server.patch(`/api/v1/agents/${agentId}`, { auth_mode: "authenticated" }),
  ],
  ["the agent is deleted", "access_revoked", ({ server, agentId }) => server.delete(`/api/v1/agents/${agentId}`)],
  [
    "the page's origin is off the allowlist",
    "access_revoked",
    ({ server, widgetKey }) =>
      server.patch(`/api/v1/widget-keys/${widgetKey.id}`, { domain_allowlist: ["https://other.example"] }),
  ],
];

const MODEL = { LLM_BASE_URL: "http://model.test/v1", LLM_MODEL: "m" };

/** Simulates a model that begins every answer and never ends one, and counts its requests. */
function talkativeModel(): { requests: number } {
  const model = { requests: 0 };
  vi.stubGlobal("fetch", async () => {
    model.requests++;
    const [first = ""] = framesOf(openaiFrames(), [{ say: "We are " }]);
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => stream.enqueue(new TextEncoder().encode(first)),
      async pull(stream) {
        await scheduler.wait(50);
        const chunk = { choices: [{ index: 0, delta: { content: "open " } }] };
        stream.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`));
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  return model;
}

describe("sockets of visitors", () => {
  it.each(WAYS)("a visitor's socket closes without another model request once %s", async (_, reason, revoke) => {
    const who = await widgetTenant();
    const model = talkativeModel();
    const sockets = await Promise.all(
      Array.from({ length: TALKING }, async () => {
        const { access_token } = await guest(who);
        await livesWith(who, String(claimsOf(access_token).fam), MODEL);
        const socket = await talk(access_token);
        expect(await readyOrClosed(socket)).toBe("ready");
        socket.send({ type: "message", text: "Are you open?" });
        await socket.until(({ type, text }) => type === "delta" && String(text).includes("open"));
        return socket;
      }),
    );
    expect(model.requests).toBe(TALKING);
    const { status } = (await revoke(who)) as { status: number };
    expect(status).toBeLessThan(300);
    for (const socket of sockets) socket.send({ type: "message", text: "Hello?" });
    for (const { closed } of sockets) expect(await closed).toEqual({ code: 4401, reason });
    const { requests } = model;
    const meter = env.ACCOUNT_METER.getByName(who.account);
    await vi.waitFor(async () => expect((await meter.liveUse()).conversations).toBe(0));
    expect(model.requests).toBe(requests);
  });

  it("one batch of reads closes exactly a visitor's sockets in fifty conversations", async () => {
    const [who, other] = [await widgetTenant(), await widgetTenant()];
    const sockets = await open(who, SOCKETS, "user");
    const [stays] = await open(other, 1, "guest");
    const check = spyIn(accountMeter(env, who.account), AccountMeter, "accessChanged");
    await who.server.delete(`/api/v1/widget-keys/${who.widgetKey.id}`);
    const codes = await Promise.all(sockets.map(async ({ closed }) => (await closed).code));
    expect(codes).toEqual(Array(SOCKETS).fill(4401));
    expect(check).toHaveBeenCalledTimes(1);
    stays?.send({ type: "message", text: "Are you open?" });
    expect(await stays?.until(({ type }) => type === "message")).toBeTruthy();
  });

  it("stay open after changes that revoke nothing", async () => {
    const who = await widgetTenant();
    const [socket] = await open(who, 1, "guest");
    await who.server.patch(`/api/v1/agents/${who.agentId}`, { greeting_message: "Hi." });
    await who.server.patch(`/api/v1/agents/${who.agentId}/widget-settings`, { auth_mode: "public" });
    await who.server.delete(`/api/v1/api-keys/${who.key.id}`);
    socket?.send({ type: "message", text: "Are you open?" });
    expect(await socket?.until(({ type }) => type === "message")).toBeTruthy();
  });

  it("a new agent does not cause live visitors to be checked again", async () => {
    const who = await widgetTenant();
    await open(who, 1, "guest");
    const access = await runInDurableObject(
      accountGate(env, who.account) as DurableObjectStub,
      (gate) => Reflect.get(gate, "frame").existing.access as Push,
    );
    const { contexts } = vi.spyOn(Push.prototype, "push").mock;
    await who.server.post("/api/v1/agents", { name: "New" });
    expect(contexts).not.toContain(access);
    await who.server.patch(`/api/v1/agents/${who.agentId}`, { greeting_message: "Hi." });
    expect(contexts).toContain(access);
  });

  it("a refresh token that is used twice closes the sockets of both its bearers", async () => {
    const who = await widgetTenant();
    const session = await guest(who);
    const socket = await talk(session.access_token);
    expect(await readyOrClosed(socket)).toBe("ready");
    expect((await page().refresh(session.refresh_token)).status).toBe(200);
    expect((await page().refresh(session.refresh_token)).status).toBe(400);
    expect(await socket.closed).toEqual({ code: 4401, reason: "access_revoked" });
  });

  it("a closed socket's reason is recorded and no further model request is sent", async () => {
    const who = await widgetTenant();
    const session = await guest(who);
    const socket = await talk(session.access_token);
    const ready = await socket.next();
    await who.server.patch(`/api/v1/agents/${who.agentId}/widget-settings`, { widget_enabled: false });
    socket.send({ type: "message", text: "Are you open?" });
    expect(await socket.closed).toEqual({ code: 4401, reason: "widget_disabled" });
    const path = `/api/v1/conversations/${ready.conversation_id}`;
    const record = await vi.waitFor(async () => {
      const { body } = await who.server.get<Conversation>(path);
      expect(body.status).toBe("ended");
      return body;
    });
    expect(record.end_reason).toBe("widget_disabled");
  });

  it("a visitor's socket closes one turn later if the gate's message was lost", async () => {
    const who = await widgetTenant();
    const [socket] = await open(who, 1, "guest");
    vi.spyOn(AccountMeter.prototype, "accessChanged").mockResolvedValue();
    await who.server.patch(`/api/v1/agents/${who.agentId}/widget-settings`, { widget_enabled: false });
    socket?.send({ type: "message", text: "Are you open?" });
    expect(await socket?.closed).toEqual({ code: 4401, reason: "widget_disabled" });
  });

  it("a visitor's socket closes even if the meter was unreachable at first", async () => {
    const who = await widgetTenant();
    const [socket] = await open(who, 1, "guest");
    spyIn(accountMeter(env, who.account), AccountMeter, "accessChanged").mockRejectedValueOnce(new Error("away"));
    await who.server.patch(`/api/v1/agents/${who.agentId}/widget-settings`, { widget_enabled: false });
    expect(await socket?.closed).toEqual({ code: 4401, reason: "widget_disabled" });
  });

  it("a visitor's socket closes once the meter is rebuilt if its process died after it took the gate's message", async () => {
    pushedAlone();
    const who = await widgetTenant();
    const [socket] = await open(who, 1, "guest");
    const died = spyIn(accountMeter(env, who.account), AccountMeter, "accessChanged").mockResolvedValue(undefined);
    await who.server.patch(`/api/v1/agents/${who.agentId}/widget-settings`, { widget_enabled: false });
    await vi.waitFor(() => expect(died).toHaveBeenCalled());
    const meter = accountMeter(env, who.account) as DurableObjectStub;
    await evict(meter);
    await runInDurableObject(meter, () => {});
    expect(await socket?.closed).toEqual({ code: 4401, reason: "widget_disabled" });
  });
});

/** Disables the checks that renewals do, so that only the gate's push closes sockets. */
const pushedAlone = () => vi.spyOn(LiveRevocation.prototype, "checkSoon").mockReturnValue();

/** Creates a member who tries an agent over this socket, and an owner of the same account. */
async function memberWhoTests() {
  pushedAlone();
  const { account, server } = await tenant();
  const { body } = await server.post<{ id: string }>("/api/v1/agents", { name: "Ada", greeting_message: "Hello." });
  const [{ client: owner }, member] = [await person(account), await person(account)];
  return { owner, member, socket: await greeted((await sessionOf(member.client, body.id)).access_token) };
}

describe("sockets of testers", () => {
  it("a tester's socket closes once the API key is revoked", async () => {
    pushedAlone();
    const who = await widgetTenant();
    const socket = await greeted((await sessionOf(who.server, who.agentId)).access_token);
    await who.user.delete(`/api/v1/api-keys/${who.key.id}`);
    expect(await socket.closed).toEqual({ code: 4401, reason: "key_disabled" });
  });

  it("a tester's socket closes once the tester signs out", async () => {
    const who = await widgetTenant();
    const socket = await greeted((await sessionOf(who.user, who.agentId)).access_token);
    expect((await who.user.post("/api/logout")).status).toBeLessThan(300);
    expect(await socket.closed).toEqual({ code: 4401, reason: "signed_out" });
  });

  it("ending a session from another one closes only that session's sockets", async () => {
    const { account, server } = await tenant();
    const { body } = await server.post<{ id: string }>("/api/v1/agents", { name: "Ada", greeting_message: "Hello." });
    const who = await person(account);
    const [ends, stays] = [await who.session(), await who.session()];
    const socket = await greeted((await sessionOf(ends, body.id)).access_token);
    const other = await greeted((await sessionOf(stays, body.id)).access_token);
    const { sessions } = (await ends.get<{ sessions: { id: string; current: boolean }[] }>("/api/sessions")).body;
    const id = sessions.find(({ current }) => current)?.id;
    expect((await stays.delete(`/api/sessions/${id}`)).status).toBe(204);
    expect(await socket.closed).toEqual({ code: 4401, reason: "signed_out" });
    write(other, "Are you there?");
    expect(await nextMessage(other)).not.toBe("");
  });

  it("an operator who signs a tester out or removes the tester closes only the tester's sockets", async () => {
    const who = await widgetTenant();
    const socket = await greeted((await sessionOf(who.user, who.agentId)).access_token);
    const users = `/api/admin/v1/accounts/${who.account}/users`;
    const admin = await operator();
    const list = (await admin.get<{ users: { id: string }[] }>(users)).body.users;
    expect((await admin.post(`${users}/${list[0]?.id}/sign-out`)).status).toBeLessThan(300);
    expect(await socket.closed).toEqual({ code: 4401, reason: "signed_out" });
  });

  it("a tester's socket closes once the tester's role changes", async () => {
    const { owner, member, socket } = await memberWhoTests();
    expect((await owner.patch(`/api/v1/members/${member.id}`, { role: "viewer" })).status).toBe(200);
    expect(await socket.closed).toEqual({ code: 4401, reason: "access_revoked" });
  });

  it("a tester's socket closes once the tester is no longer a member", async () => {
    const { owner, member, socket } = await memberWhoTests();
    expect((await owner.delete(`/api/v1/members/${member.id}`)).status).toBeLessThan(300);
    expect(await socket.closed).toEqual({ code: 4401, reason: "signed_out" });
  });

  it("a tester's socket closes once the account is disabled", async () => {
    pushedAlone();
    const who = await widgetTenant();
    const socket = await greeted((await sessionOf(who.server, who.agentId)).access_token);
    await disable(who);
    expect(await socket.closed).toEqual({ code: 4401, reason: "account_closed" });
  });

  it("a tester's socket closes one turn later if the gate's message was lost", async () => {
    const who = await widgetTenant();
    const socket = await greeted((await sessionOf(who.server, who.agentId)).access_token);
    vi.spyOn(AccountMeter.prototype, "accessChanged").mockResolvedValue();
    await who.user.delete(`/api/v1/api-keys/${who.key.id}`);
    write(socket, "Are you there?");
    expect(await socket.closed).toEqual({ code: 4401, reason: "key_disabled" });
  });

  it("stay open when the agent is archived", async () => {
    const who = await widgetTenant();
    const socket = await greeted((await sessionOf(who.server, who.agentId)).access_token);
    await who.server.patch(`/api/v1/agents/${who.agentId}`, { status: "archived" });
    socket.send({ type: "message", text: "Are you open?" });
    expect(await socket.until(({ type }) => type === "message")).toBeTruthy();
  });
});

describe("a call", () => {
  it("a call of a disabled account ends with an end frame and a hang-up", async () => {
    const { call: held, socket } = await conversing();
    await disable(held);
    const frames = await socket.until(isEnd);
    expect(JSON.parse(String(frames.at(-1)?.handoffData))).toEqual({ reason: "account_closed" });
    await socket.closed;
    await (await operator()).patch(`/api/admin/v1/accounts/${held.account}`, { disabled: false });
    expect(await recordOnce(held, hasEnded)).toMatchObject({ end_reason: "account_closed" });
    await vi.waitFor(async () => expect(await running(held)).toBe(0));
  });
});

describe("event streams", () => {
  it("end once their reader's key is revoked", async () => {
    const { call: held } = await conversing();
    const { id } = await recordOnce(held, () => true);
    const key = await held.user.post<{ id: string; key: string }>("/api/v1/api-keys", { name: "reader" });
    const { exports } = await import("cloudflare:workers");
    const response = await exports.default.fetch(
      new Request(`https://switchboard.test/api/v1/conversations/${id}/events`, {
        headers: { authorization: `Bearer ${key.body.key}` },
      }),
    );
    expect(response.status).toBe(200);
    await held.user.delete(`/api/v1/api-keys/${key.body.id}`);
    const text = await response.text();
    expect(text).toContain("event: snapshot");
  });
});

describe("uploads", () => {
  it("end once their sender's key is revoked, and leave nothing behind", async () => {
    const who = await tenant();
    const { answer } = heldUpload(who.server);
    await until(
      () => use({ server: who.user }, "uploads"),
      (uploads) => uploads?.used === 1,
    );
    await who.user.delete(`/api/v1/api-keys/${who.key.id}`);
    const { status, code } = await answer;
    expect([status, code]).toEqual([403, "key_disabled"]);
    expect((await who.user.get("/api/v1/campaigns")).body).toMatchObject({ total: 0 });
    expect(await use({ server: who.user }, "uploads")).toMatchObject({ used: 0 });
  });
});
