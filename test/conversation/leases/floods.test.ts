import { createExecutionContext, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { app } from "../../../src/app.ts";
import { PARTICIPANT_BYTES, PARTICIPANT_FRAMES } from "../../../src/conversation/runtime/frame-rate.ts";
import { UNPROVEN_OF_ADDRESS } from "../../../src/conversation/runtime/open-socket.ts";
import type { Conversation } from "../../records/conversations/support.ts";
import { BASE, operator, type Tenant } from "../../support/client.ts";
import type { Frame } from "../../support/runtime.ts";
import { claimsOf, type WidgetTenant, widgetTenant } from "../../support/widget.ts";
import { ask, conversing, livesWith, QUESTION } from "../runtime/conversing.ts";
import { guest, readyOrClosed, talk, user } from "./support.ts";

const LIMITED = { RATE_LIMITS: "on" };
const TOO_FAST = { code: 4429, reason: "rate_limited" };
const from = (address: string) => ({ "cf-connecting-ip": address });

/** Makes the account's meter count addresses, as in a deployment. */
function countsAddresses({ account }: Pick<Tenant, "account">): Promise<void> {
  const meter = env.ACCOUNT_METER.getByName(account) as unknown as DurableObjectStub;
  return runInDurableObject(meter, (instance) => {
    const { env: before } = instance as unknown as { env: Env };
    Object.assign(instance, { env: Object.assign({}, before, LIMITED) });
  });
}

/** Creates a guest's conversation whose object counts frames. */
async function counted(who: WidgetTenant) {
  const { access_token } = await guest(who);
  await livesWith(who, String(claimsOf(access_token).fam), LIMITED);
  const socket = await talk(access_token);
  const ready = await socket.next();
  expect(ready.type).toBe("ready");
  return { access_token, socket, id: String(ready.conversation_id) };
}

describe("conversations from one address", () => {
  it("an address may have twenty conversations without affecting other addresses", async () => {
    const who = await widgetTenant();
    await countsAddresses(who);
    const outcomes = [];
    for (let n = 0; n < 60; n++) {
      const { access_token } = await guest(who);
      outcomes.push(await readyOrClosed(await talk(access_token, from("192.0.2.1"))));
    }
    expect(outcomes.filter((one) => one === "ready")).toHaveLength(20);
    expect(outcomes.slice(20)).toEqual(Array(40).fill({ code: 4429, reason: "conversation_cap" }));
    const { access_token } = await guest(who);
    expect(await readyOrClosed(await talk(access_token, from("192.0.2.2")))).toBe("ready");
  });

  it("guests in one network are limited to a fifth of the account's conversations, unlike its users", async () => {
    const who = await widgetTenant();
    await countsAddresses(who);

    await (await operator()).patch(`/api/admin/v1/accounts/${who.account}`, { quotas: { conversations: 10 } });
    const outcomes = [];
    for (const address of ["2001:db8:0:100::1", "2001:db8:0:1ff::1", "2001:db8:0:101::1"])
      outcomes.push(await readyOrClosed(await talk((await guest(who)).access_token, from(address))));
    expect(outcomes).toEqual(["ready", "ready", { code: 4429, reason: "conversation_cap" }]);
    const near = await talk((await user(who, "a")).access_token, from("2001:db8:0:101::1"));
    expect(await readyOrClosed(near)).toBe("ready");
    const other = await talk((await guest(who)).access_token, from("2001:db8:0:200::1"));
    expect(await readyOrClosed(other)).toBe("ready");
  });
});

describe("frames of a participant", () => {
  const frames: [type: string, frame: (token: string) => Frame][] = [
    ["message", () => ({ type: "message", text: " " })],
    ["interrupt", () => ({ type: "interrupt" })],
    ["session", (access_token) => ({ type: "session", access_token })],
    ["of no known type", () => ({ type: "ping" })],
  ];
  it.each(frames)("a participant's frames are limited per minute: %s", async (_, frame) => {
    const who = await widgetTenant();
    const { access_token, socket, id } = await counted(who);
    socket.send({ type: "message", text: "Are you open?" });
    for (let n = 0; n < PARTICIPANT_FRAMES; n++) socket.send(frame(access_token));
    expect(await socket.closed).toEqual(TOO_FAST);
    const { turns } = (await who.server.get<Conversation>(`/api/v1/conversations/${id}`)).body;
    expect(turns.filter(({ role }) => role === "user").map(({ text }) => text)).toEqual(["Are you open?"]);
  });

  it("a participant's frames are counted across all its sockets", async () => {
    const who = await widgetTenant();
    const { access_token, socket } = await counted(who);
    for (let n = 0; n < PARTICIPANT_FRAMES - 20; n++) socket.send({ type: "ping" });
    const again = await talk(access_token);
    expect((await again.next()).type).toBe("ready");
    for (let n = 0; n < 20; n++) again.send({ type: "ping" });
    expect(await again.closed).toEqual(TOO_FAST);
  });

  it("frames are processed in order up to the limit and dropped beyond it", async () => {
    const who = await widgetTenant();
    const { socket, id } = await counted(who);
    const messages = Array.from({ length: 40 }, (_, n) => `message ${n}`);
    for (const text of messages) socket.send({ type: "message", text });
    // The session's own frame counts, too.
    for (let n = messages.length + 1; n < PARTICIPANT_FRAMES; n++) socket.send({ type: "ping" });
    for (let n = 0; n < 5; n++) socket.send({ type: "message", text: `late ${n}` });
    expect(await socket.closed).toEqual(TOO_FAST);
    const { turns } = (await who.server.get<Conversation>(`/api/v1/conversations/${id}`)).body;
    expect(turns.filter(({ role }) => role === "user").map(({ text }) => text)).toEqual(messages);
  });

  it("a participant's frames are limited in bytes per minute", async () => {
    const { socket } = await counted(await widgetTenant());
    const half = { type: "ping", pad: "ü".repeat(PARTICIPANT_BYTES / 4) };
    socket.send(half);
    socket.send(half);
    expect(await socket.closed).toEqual(TOO_FAST);
  });

  it("a carrier's frames are not limited, nor any frames if rate limits are off", async () => {
    const { call: held, socket } = await conversing();
    await livesWith(held, held.call_id, LIMITED);
    for (let n = 0; n < 2 * PARTICIPANT_FRAMES; n++) socket.send({ type: "info", n });
    expect(await ask(socket, QUESTION)).not.toBe("");
    const visitor = await talk((await guest(await widgetTenant())).access_token);
    for (let n = 0; n < 150; n++) visitor.send({ type: "ping" });
    visitor.send({ type: "message", text: "Are you open?" });
    expect(await visitor.until(({ type }) => type === "message")).toBeTruthy();
  });
});

describe("sockets that have sent no token", () => {
  const open = async (address: string) => {
    const request = new Request(`${BASE}/runtime`, { headers: Object.assign({ upgrade: "websocket" }, from(address)) });
    const response = await app.fetch(request, Object.assign({}, env, LIMITED), createExecutionContext());
    response.webSocket?.accept();
    return response;
  };

  it("an address may hold twenty sockets that have sent no token", async () => {
    const sockets = [];
    for (let n = 0; n < UNPROVEN_OF_ADDRESS; n++) sockets.push(await open("198.51.100.1"));
    expect(sockets.map(({ status }) => status)).toEqual(Array(UNPROVEN_OF_ADDRESS).fill(101));
    const refused = await open("198.51.100.1");
    expect([refused.status, refused.headers.get("x-error-code")]).toEqual([429, "rate_limited"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const elsewhere = await open("198.51.100.2");
    expect(elsewhere.status).toBe(101);
    sockets.pop()?.webSocket?.close(1000);
    await vi.waitFor(async () => expect((await open("198.51.100.1")).status).toBe(101));
    for (const { webSocket } of [...sockets, elsewhere]) webSocket?.close(1000);
  });

  it("do not count toward the limit once they have sent one", async () => {
    const who = await widgetTenant();
    for (let n = 0; n < UNPROVEN_OF_ADDRESS + 5; n++) {
      const { webSocket } = await open("198.51.100.3");
      if (!webSocket) throw new Error(`refused after ${n}`);
      const ready = new Promise((resolve) => webSocket.addEventListener("message", resolve, { once: true }));
      webSocket.send(JSON.stringify({ type: "session", access_token: (await guest(who)).access_token }));
      await expect(ready).resolves.toBeDefined();
    }
  });
});
