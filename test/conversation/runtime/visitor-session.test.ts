import { afterEach, describe, expect, it, vi } from "vitest";
import type { Conversation } from "../../records/conversations/support.ts";
import type { Tenant } from "../../support/client.ts";
import { type Frame, openRuntime, runtimeFor } from "../../support/runtime.ts";
import { page, widgetTenant } from "../../support/widget.ts";
import { advanceClock } from "./conversing.ts";
import { ended, report, words } from "./reporting.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a visitor's token", () => {
  async function visitor() {
    const created = await widgetTenant();
    const { body } = await page().guest(created.widgetKey.key);
    return { ...created, session: body, client: runtimeFor(created, body.access_token) };
  }

  it("opens the session and reports events, but cannot transfer a call", async () => {
    const who = await visitor();
    const { status, body } = await who.client.get("/api/runtime/v1/session");
    expect([status, body]).toMatchObject([200, { kind: "widget", call: null, visitor: who.session.visitor }]);
    expect(await report(who, words(1), words(2))).toBe(2);
    const transfer = await who.client.post("/api/runtime/v1/session/transfer", { to_number: "+13035550110" });
    expect([transfer.status, transfer.code]).toEqual([409, "transfer_unsupported"]);
    expect((await who.client.post("/api/runtime/v1/session/hangup")).status).toBe(204);
  });

  it("a visitor's token is refused once its key is disabled, even in mid-conversation", async () => {
    const who = await visitor();
    expect(await report(who, words(1))).toBe(1);
    await who.user.patch(`/api/v1/widget-keys/${who.widgetKey.id}`, { disabled: true });
    expect(await report(who, words(2))).toBe("403 key_disabled");
    expect((await who.client.get("/api/runtime/v1/session")).code).toBe("key_disabled");
  });
});

describe("a visitor's message", () => {
  const isReceipt = ({ type }: Frame) => type === "received";

  it("a visitor's message that is repeated over another socket is accepted once and acknowledged each time", async () => {
    const { widgetKey, server } = await widgetTenant();
    const { access_token } = (await page().guest(widgetKey.key)).body;
    const open = async () => {
      const socket = await openRuntime();
      socket.send({ type: "session", access_token });
      const [ready] = await socket.until(({ type }) => type === "ready");
      return { socket, ready };
    };
    const { socket: first, ready } = await open();
    expect(ready).toMatchObject({ receipts: true });
    first.send({ type: "message", id: "a", text: "Can I talk about something?" });
    expect((await first.until(isReceipt)).at(-1)).toEqual({ type: "received", id: "a" });
    first.close(4000);
    const { socket: second } = await open();
    second.send({ type: "message", id: "a", text: "Can I talk about something?" });
    second.send({ type: "message", id: "b", text: "Are you there?" });
    const receipts = (await second.until(({ id }) => id === "b")).filter(isReceipt);
    expect(receipts.map(({ id }) => id)).toEqual(["a", "b"]);
    const { turns } = (await server.get<Conversation>(`/api/v1/conversations/${ready?.conversation_id}`)).body;
    expect(turns.filter(({ role }) => role === "user").map(({ text }) => text)).toEqual([
      "Can I talk about something?",
      "Are you there?",
    ]);
  });
});

describe("a visitor whose conversation has ended", () => {
  const sessionOf = (created: Pick<Tenant, "key">, { access_token }: { access_token: string }) =>
    runtimeFor(created, access_token).get<{ session_id: string }>("/api/runtime/v1/session");

  it.each([1, 2_000])("begins one new conversation with a token issued %s ms after the end", async (ms) => {
    const created = await widgetTenant();
    const first = (await page().guest(created.widgetKey.key)).body;
    // The time is early in a second, so that the renewal happens within the same second.
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000 * Math.ceil(Date.now() / 1_000) + 100 });
    try {
      const before = (await sessionOf(created, first)).body.session_id;
      const client = runtimeFor(created, first.access_token);
      expect(await report({ client }, words(1), ended(2))).toBe(2);
      expect((await sessionOf(created, first)).body.session_id).toBe(before);
      vi.setSystemTime(Date.now() + ms);
      const renewed = await sessionOf(created, (await page().refresh(first.refresh_token)).body);
      expect([renewed.status, renewed.body.session_id === before]).toEqual([200, false]);
      expect(await report({ client }, words(3))).toBe("403 session_ended");
    } finally {
      vi.useRealTimers();
    }
  });

  it("begins one new conversation with a newer token, however often it is requested, and keeps the first", async () => {
    const created = await widgetTenant();
    const first = (await page().guest(created.widgetKey.key)).body;
    const client = runtimeFor(created, first.access_token);
    const before = (await sessionOf(created, first)).body.session_id;
    expect(await report({ client }, words(1), ended(2))).toBe(2);
    advanceClock(2_000);
    const renewed = (await page().refresh(first.refresh_token)).body;
    const many = await Promise.all([1, 2, 3, 4].map(() => sessionOf(created, renewed)));
    const [id, ...others] = new Set(many.map(({ body }) => body.session_id));
    expect([others, many.map(({ status }) => status), id === before]).toEqual([[], [200, 200, 200, 200], false]);
    vi.useRealTimers();
    expect((await created.server.get(`/api/v1/conversations/${before}`)).body).toMatchObject({
      status: "ended",
      complete: true,
      turns: [{ text: "words 1" }],
    });
    // Late reports of the first conversation are not added to the second.
    expect(await report({ client }, words(3))).toBe("403 session_ended");
  });
});
