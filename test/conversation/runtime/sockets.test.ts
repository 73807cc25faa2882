import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { builtInSentences } from "../../../src/agent/speech/sentences.ts";
import { FIRST_FRAME_MS } from "../../../src/conversation/runtime/protocols/protocol.ts";
import { signToken } from "../../../src/kernel/secrets/tokens.ts";
import { objectDoes } from "../../records/conversations/support.ts";
import { consoleUser, operator } from "../../support/client.ts";
import { evict } from "../../support/evict.ts";
import { openRuntime, runtimeSession, setup } from "../../support/runtime.ts";
import { page, widgetTenant } from "../../support/widget.ts";
import {
  advanceClock,
  ask,
  connected,
  conversing,
  GREETING,
  greetedSession,
  hasEnded,
  isEnd,
  isLast,
  linesOf,
  listed,
  objectOf,
  prompt,
  QUESTION,
  recordOf,
  recordOnce,
  running,
  spoken,
  stored,
  wake,
} from "./conversing.ts";
import { carrierToken } from "./support.ts";

const { goodbye } = builtInSentences("en");

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const header = (token: string) => ({ authorization: `Bearer ${token}` });

describe("a first frame that opens nothing", () => {
  const token = { session_token: "eyJ.eyJ.x" };
  it.each<[name: string, frame: string | ArrayBuffer, code: number, reason: RegExp]>([
    ["no JSON", "{", 1007, /not JSON/],
    ["empty", "", 1007, /not JSON/],
    ["null", "null", 1007, /not an object/],
    ["a list", "[]", 1007, /not an object/],
    ["a number", "7", 1007, /not an object/],
    ["nested beyond reason", `${"[".repeat(30_000)}${"]".repeat(30_000)}`, 1007, /not (an object|JSON)/],
    ["binary", new ArrayBuffer(8), 1003, /JSON text/],
    ["too large", JSON.stringify({ type: "setup", pad: "x".repeat(300_000) }), 1009, /too large/],
    ["no type", "{}", 4400, /first frame/],
    ["a type that is not a string", '{"type":7}', 4400, /first frame/],
    ["an unknown type", '{"type":"hello"}', 4400, /first frame/],
    ["a prompt before setup", JSON.stringify(prompt("hi")), 4400, /first frame/],
    ["a message before session", '{"type":"message","text":"hi"}', 4400, /first frame/],
    ["a prototype for a type", '{"type":"__proto__"}', 4400, /first frame/],
    ["setup without parameters", '{"type":"setup"}', 1007, /malformed/],
    [
      "setup with a token that is not a string",
      '{"type":"setup","customParameters":{"session_token":7}}',
      1007,
      /malformed/,
    ],
    ["setup with no token", '{"type":"setup","customParameters":{}}', 1007, /malformed/],
    ["session without a token", '{"type":"session"}', 1007, /access_token/],
    ["an invalid token", JSON.stringify({ type: "setup", customParameters: token }), 4401, /token is invalid/],
  ])("a first frame that opens nothing closes the socket with a reason: %s", async (_, frame, code, reason) => {
    const socket = await openRuntime();
    socket.send(frame);
    expect(await socket.closed).toMatchObject({ code, reason: expect.stringMatching(reason) });
  });

  it("closes the connection ten seconds after it opened", async () => {
    const { setTimeout: later } = globalThis;
    const waits: (number | undefined)[] = [];
    vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms?: number) => {
      if (ms === FIRST_FRAME_MS) waits.push(ms);
      return later(run, ms === FIRST_FRAME_MS ? 0 : ms);
    }) as typeof setTimeout);
    const { session_token } = await runtimeSession();
    for (const socket of [await openRuntime(), await openRuntime(undefined, header(session_token))])
      expect(await socket.closed).toEqual({ code: 4408, reason: "no frame arrived in time" });
    expect(waits).toEqual([FIRST_FRAME_MS, FIRST_FRAME_MS]);
  });
});

describe("tokens at the socket", () => {
  it("a token at the socket is refused if it is forged, expired or issued for another purpose", async () => {
    const call = await greetedSession();
    const { account, agent_id, call_id } = call;
    const claims = { sub: call_id, account, agent_id };
    const hours = 3_600_000;
    const signed = (audience: Parameters<typeof signToken>[1]) =>
      signToken(env.SIGNING_KEYS, audience, claims, 7200, Date.now());
    const [head = "", body = "", signature = ""] = call.session_token.split(".");
    const changed = btoa(JSON.stringify({ ...JSON.parse(atob(body)), account: "other" })).replaceAll("=", "");
    const refused: Record<string, string> = {
      "claims changed": `${head}.${changed}.${signature}`,
      "no signature": `${head}.${body}.`,
      expired: await carrierToken(claims, undefined, Date.now() - 3 * hours),
      "a runtime's": call.runtime_token,
      console: ((await consoleUser(account)).headers.authorization ?? "").replace("Bearer ", ""),
      login: await signed("login"),
      "visitor's, without a visitor": await signed("visitor"),
      "visitor-refresh": await signed("visitor-refresh"),
      "API key": call.key.key,
      huge: `eyJ${"a".repeat(50_000)}.b.c`,
      empty: "",
    };
    for (const [kind, token] of Object.entries(refused)) {
      expect((await (await openRuntime(token)).closed).code, kind).toBe(4401);
    }
    expect(await listed(call)).toEqual([]);
  });

  it("a token at the socket opens only the session it was issued for", async () => {
    const [call, other] = [await greetedSession(), await greetedSession()];
    const foreign = { sub: call.call_id, account: other.account, agent_id: other.agent_id };
    const socket = await openRuntime(await carrierToken(foreign));
    expect(await socket.closed).toEqual({ code: 4403, reason: "session_ended" });
    // The handshake contains one call's token, and the first frame another's.
    const mixed = await openRuntime(other.session_token, header(call.session_token));
    expect(await mixed.closed).toEqual({ code: 4401, reason: "token_invalid" });
    expect([await listed(call), await listed(other)]).toEqual([[], []]);
  });

  it("a token at the socket may be sent in the handshake or in the first frame", async () => {
    const call = await greetedSession();
    const socket = await openRuntime(call.session_token, header(call.session_token));
    expect(spoken(await socket.until(isLast))).toBe(GREETING);
    await expect(openRuntime(undefined, header("nonsense"))).rejects.toThrow("400");
    await expect(openRuntime(undefined, header(call.key.key))).rejects.toThrow("401");
    await expect(openRuntime(undefined, header(`${call.session_token.slice(0, -4)}AAAA`))).rejects.toThrow("401");
  });

  it("a token at the socket is refused once its session has ended", async () => {
    const { call, socket } = await conversing();
    socket.send(prompt("Okay, goodbye!"));
    await socket.closed;
    expect(await (await openRuntime(call.session_token)).closed).toEqual({ code: 4403, reason: "session_ended" });
    await recordOnce(call, hasEnded);
    advanceClock(61_000);
    await wake(call, call.call_id);
    expect((await stored(call, call.call_id)).tables).toEqual([]);
    expect(await (await openRuntime(call.session_token)).closed).toEqual({ code: 4403, reason: "session_ended" });
    expect((await stored(call, call.call_id)).tables).toEqual([]);
    expect(await listed(call)).toHaveLength(1);
  });

  it("a visitor's token opens a chat and is checked again when the visitor reconnects", async () => {
    const created = await widgetTenant();
    const session = (await page().guest(created.widgetKey.key)).body;
    const socket = await openRuntime();
    socket.send({ type: "session", access_token: session.access_token });
    expect((await socket.next()).type).toBe("ready");
    expect(await socket.until(({ type }) => type === "message")).toEqual([
      { type: "delta", text: "Hello there." },
      { type: "message", text: "Hello there." },
    ]);
    socket.send({ type: "session", access_token: session.access_token });
    expect((await socket.next()).type).toBe("ready");
    await created.user.patch(`/api/v1/widget-keys/${created.widgetKey.id}`, { disabled: true });
    socket.send({ type: "session", access_token: session.access_token });
    expect(await socket.closed).toEqual({ code: 4401, reason: "key_disabled" });
  });

  it("a visitor's token is refused permanently once the account is disabled", async () => {
    const created = await widgetTenant();
    const { access_token } = (await page().guest(created.widgetKey.key)).body;
    const socket = await openRuntime();
    socket.send({ type: "session", access_token });
    await socket.until(({ type }) => type === "message");
    await (await operator()).patch(`/api/admin/v1/accounts/${created.account}`, { disabled: true });
    socket.send({ type: "session", access_token });
    expect(await socket.closed).toEqual({ code: 4401, reason: "account_closed" });
  });
});

describe("frames in a conversation", () => {
  it.each<[name: string, frame: string | ArrayBuffer, code: number]>([
    ["no JSON", "{", 1007],
    ["binary", new ArrayBuffer(8), 1003],
    ["too large", JSON.stringify(prompt("x".repeat(300_000))), 1009],
    ["a second setup", JSON.stringify(setup("eyJ.eyJ.x")), 4400],
    ["a prompt without words", '{"type":"prompt"}', 1007],
    ["an invalid digit", '{"type":"dtmf","digit":"<script>"}', 1007],
    ["a frame without a type", "{}", 1007],
  ])("close the connection with a reason, and the call can come back: %s", async (_, frame, code) => {
    const { call, socket } = await conversing();
    socket.send(frame);
    expect((await socket.closed).code).toBe(code);
    const live = await recordOf(call);
    expect([live.status, linesOf(live)]).toEqual(["live", [`agent: ${GREETING}`]]);
    const again = await openRuntime(call.session_token);
    again.send(prompt(QUESTION));
    expect(spoken(await again.until(isLast))).not.toBe("");
    again.close(1000);
    expect(await recordOnce(call, hasEnded)).toMatchObject({ end_reason: "caller_hung_up", complete: true });
  });

  it.each([
    ["closes", {}],
    // Even the close frame is not answered, so the object never learns of the end.
    ["stays open", { webSocketClose: async () => {} }],
  ])("a broken client that never reconnects ends the call after a while: its socket %s", async (_, methods) => {
    const { call, socket } = await conversing();
    await objectDoes(call, call.call_id, methods);
    socket.send("{");
    await socket.closed;
    await recordOf(call);
    advanceClock(16_000);
    await wake(call, call.call_id);
    vi.useRealTimers();
    expect(await recordOf(call)).toMatchObject({ status: "ended", end_reason: "disconnected", complete: true });
  });

  it("close a direct connection if they are binary", async () => {
    const call = await greetedSession();
    const socket = await openRuntime(call.session_token, header(call.session_token));
    await socket.until(isLast);
    socket.send(new ArrayBuffer(8));
    expect((await socket.closed).code).toBe(1003);
  });

  it("a frame of an unknown type is ignored", async () => {
    const { socket } = await conversing();
    for (const type of ["info", "tokens-played", "__proto__", "constructor", ""]) socket.send({ type });
    expect(await ask(socket, QUESTION)).not.toBe("");
  });

  it("a frame with 100 KB of words is cut to the maximum length of a turn", async () => {
    const { call, socket } = await conversing();
    await ask(socket, `${QUESTION} ${"\u{1f600}".repeat(25_000)}`);
    const { turns } = await recordOf(call);
    const [, secondTurn] = turns;
    expect([
      secondTurn?.role,
      secondTurn?.text.length,
      secondTurn?.text.isWellFormed(),
      secondTurn?.text.endsWith("…"),
    ]).toEqual(["user", 20_000, true, true]);
  });

  it("a frame without words creates no turn", async () => {
    const { call, socket } = await conversing();
    socket.send(prompt("   "));
    socket.send({ ...prompt("Can I talk"), last: false });
    await ask(socket, QUESTION);
    expect((await recordOf(call)).turns.map(({ role }) => role)).toEqual(["agent", "user", "agent"]);
  });

  it("end a conversation that exceeds the maximum length", async () => {
    const { call, socket } = await conversing();
    const { id } = await recordOf(call);
    const object = objectOf(call, call.call_id) as unknown as DurableObjectStub;
    socket.close(4000);
    await socket.closed;
    await runInDurableObject(object, (_, { storage }) => {
      for (let seq = 2; seq < 19; seq++) {
        const event = { seq, at: new Date().toISOString(), type: "agent_turn", text: "x".repeat(500_000) };
        storage.sql.exec("INSERT INTO events (n, seq, event) VALUES (?1, ?1, ?2)", seq, JSON.stringify(event));
      }
    });
    await evict(object);
    const again = await openRuntime(call.session_token);
    again.send(prompt(QUESTION));
    await again.until(isEnd);
    expect((await again.closed).code).toBe(1000);
    const { body } = await call.server.get(`/api/v1/conversations/${id}`);
    expect(body).toMatchObject({ status: "ended", end_reason: "max_length", complete: true, turn_count: 18 });
  });

  it("close the connection if they flood it, and the record keeps what was received", async () => {
    const { call, socket } = await conversing();
    // The limit counts the messages of a minute.
    advanceClock(0);
    for (let i = 0; i < 1_000; i++) socket.send(prompt(`${QUESTION} ${i}`));
    expect((await socket.closed).code).toBe(4429);
    const { turns, status } = await recordOf(call);
    const userTurns = turns.filter(({ role }) => role === "user");
    expect(userTurns.length).toBeLessThanOrEqual(600);
    expect([status, userTurns.map(({ text }) => text)]).toEqual(["live", userTurns.map((_, i) => `${QUESTION} ${i}`)]);
  });

  it("frames with digits are combined into one entry if they follow each other closely", async () => {
    const { call, socket } = await conversing();
    for (const digit of ["4", "2", "#"]) socket.send({ type: "dtmf", digit });
    await socket.until(isLast);
    expect((await recordOf(call)).turns[1]).toMatchObject({ role: "user", text: "(keypad) 42" });
  });

  it("digits that are followed by words are recorded before these and answered with them", async () => {
    const { call, socket } = await conversing();
    socket.send({ type: "dtmf", digit: "5" });
    await ask(socket, QUESTION);
    expect((await recordOf(call)).turns.map(({ role, text }) => (role === "user" ? text : role))).toEqual([
      "agent",
      "(keypad) 5",
      QUESTION,
      "agent",
    ]);
  });

  it("digits are recorded but not answered if the caller leaves immediately", async () => {
    const { call, socket } = await conversing();
    socket.send({ type: "dtmf", digit: "9" });
    await recordOf(call);
    socket.close(1000);
    const over = await recordOnce(call, hasEnded);
    expect(linesOf(over)).toEqual([`agent: ${GREETING}`, "user: (keypad) 9"]);
    expect(over.complete).toBe(true);
  });
});

describe("two clients with one token", () => {
  it("keep the newer connected and close the older with a reason", async () => {
    const { call, socket } = await conversing();
    const newer = await openRuntime(call.session_token);
    expect(await socket.closed).toEqual({ code: 4409, reason: "the session was opened again" });
    expect(await ask(newer, QUESTION)).not.toBe("");
    const { status, turns } = await recordOf(call);
    expect([status, turns.map(({ role }) => role)]).toEqual(["live", ["agent", "user", "agent"]]);
  });

  it("connecting at the same moment keep one connected", async () => {
    const call = await greetedSession();
    const sockets = await Promise.all([1, 2, 3, 4].map(() => openRuntime(call.session_token)));
    const codes: number[] = [];
    for (const socket of sockets) void socket.closed.then(({ code }) => codes.push(code));
    await vi.waitFor(() => expect(codes).toEqual([4409, 4409, 4409]));
    const { turns } = await recordOf(call);
    // The greeting was spoken only once, on one of the connections.
    expect(turns.map(({ role }) => role)).toEqual(["agent"]);
  });
});

describe("the end of a call", () => {
  it.each([[1000], [null]])(
    "a call ends by hanging up with %s: the record is complete and nothing is left behind",
    async (code) => {
      const call = await greetedSession();
      expect(await running(call)).toBe(1);
      const socket = await connected(call);
      await ask(socket, QUESTION);
      socket.close(code);
      const over = await recordOnce(call, hasEnded);
      expect(over).toMatchObject({ end_reason: "caller_hung_up", complete: true });
      expect(over.turns.map(({ role }) => role)).toEqual(["agent", "user", "agent"]);
      await call.server.post(`/api/v1/calls/${call.call_id}/hangup`);
      expect(await running(call)).toBe(0);
      advanceClock(61_000);
      await wake(call, call.call_id);
      expect(await stored(call, call.call_id)).toEqual({ tables: [], alarm: null });
    },
  );

  it("a call ends by hanging up without a word over a connection with the conversation itself", async () => {
    const call = await greetedSession();
    const socket = await openRuntime(call.session_token, header(call.session_token));
    await socket.until(isLast);
    socket.close(null);
    expect(await recordOnce(call, hasEnded)).toMatchObject({ end_reason: "caller_hung_up", complete: true });
  });

  it("a silent call is prompted once after 30 s, then ended", async () => {
    const { call, socket } = await conversing();
    await recordOf(call);
    advanceClock(40_000);
    await wake(call, call.call_id);
    expect(spoken(await socket.until(isLast))).toBe("Are you still there?");
    advanceClock(40_000);
    await wake(call, call.call_id);
    await socket.until(isEnd);
    expect((await socket.closed).code).toBe(1000);
    vi.useRealTimers();
    const over = await recordOf(call);
    expect(over).toMatchObject({ status: "ended", end_reason: "silence", complete: true });
    expect(linesOf(over)).toEqual([`agent: ${GREETING}`, "agent: Are you still there?", `agent: ${goodbye}`]);
  });

  it.each(["", " \n"])("a call without a greeting («%s») ends if no one says anything", async (greeting_message) => {
    const call = await greetedSession({ greeting_message });
    const socket = await openRuntime(call.session_token);
    await recordOf(call);
    for (let i = 0; i < 2; i++) {
      advanceClock(40_000);
      await wake(call, call.call_id);
    }
    expect((await socket.closed).code).toBe(1000);
    vi.useRealTimers();
    const over = await recordOf(call);
    expect(over).toMatchObject({ status: "ended", end_reason: "silence" });
    expect(linesOf(over)).toEqual(["agent: Are you still there?", `agent: ${goodbye}`]);
  });

  it("a call ends at its maximum duration", async () => {
    const { call, socket } = await conversing();
    await recordOf(call);
    advanceClock(7_200_000);
    await wake(call, call.call_id);
    expect((await socket.closed).code).toBe(1000);
    vi.useRealTimers();
    expect(await recordOf(call)).toMatchObject({ status: "ended", end_reason: "max_duration", complete: true });
  });
});

describe("interruptions", () => {
  it("an interruption after the last words were sent keeps only the words that were heard", async () => {
    const { call, socket } = await conversing();
    socket.send({ type: "interrupt", utteranceUntilInterrupt: "Hello, this", durationUntilInterruptMs: 400 });
    socket.send(prompt(QUESTION));
    await socket.until(isLast);
    expect(linesOf(await recordOf(call)).slice(0, 2)).toEqual(["agent!: Hello, this", `user: ${QUESTION}`]);
  });

  it("an interruption without the words that were heard keeps everything sent", async () => {
    const { call, socket } = await conversing();
    for (let i = 0; i < 3; i++) socket.send({ type: "interrupt" });
    await ask(socket, QUESTION);
    expect(linesOf(await recordOf(call)).slice(0, 2)).toEqual([`agent!: ${GREETING}`, `user: ${QUESTION}`]);
  });

  it("an interruption that claims more than was sent is cut and changes no earlier turn", async () => {
    const { call, socket } = await conversing();
    const answer = await ask(socket, QUESTION);
    socket.send({ type: "interrupt", utteranceUntilInterrupt: "x".repeat(100_000) });
    socket.send({ type: "interrupt", utteranceUntilInterrupt: "again" });
    await ask(socket, QUESTION);
    const { turns } = await recordOf(call);
    expect(turns[0]).toMatchObject({ text: GREETING, interrupted: false });
    expect(turns[2]).toMatchObject({ role: "agent", interrupted: true });
    expect(turns[2]?.text.length).toBeLessThanOrEqual(20_000);
    expect(answer).not.toBe("");
  });
});
