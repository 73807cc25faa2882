import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { LOST_MS } from "../../../src/conversation/runtime/turns/waiting.ts";
import { leftOf } from "../../records/conversations/support.ts";
import { evict } from "../../support/evict.ts";
import { onLedger } from "../../support/ledger.ts";
import { mortal } from "../../support/mortal.ts";
import { openRuntime, type RuntimeSession, type RuntimeSocket } from "../../support/runtime.ts";
import {
  advanceClock,
  ask,
  connected,
  conversationTime,
  greetedSession,
  hasEnded,
  isEnd,
  isLast,
  listed,
  livesWith,
  objectOf,
  prompt,
  QUESTION,
  recordOf,
  recordOnce,
  wake,
} from "./conversing.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** More lives than a transfer needs whose process dies at each of its calls. */
const MOST_LIVES = 20;
const TARGET = "+12025550177";
const OTHER = "+12025550178";
const PERSON = "Can I talk to a person?";
/** A local stand-in plays Twilio, because the scripted agent would not answer on the internet. */
const NEARBY = "127.0.0.1:4010";
const REFUSED = { code: 21220, message: "Call is not in-progress. Cannot redirect." };

/** The call's id at Twilio. */
const sidOf = (call: RuntimeSession) => `CA${call.call_id}`;

/**
 * Simulates Twilio, which answers transfers when the test allows it and reports this about the call until then. It
 * ignores the calls of earlier tests, which may be hung up meanwhile.
 */
function twilio(call: RuntimeSession) {
  const answers: (() => Response)[] = [];
  const carrier = {
    status: "in-progress",
    /** The unanswered transfer requests. */
    requests: 0,
    /** All transfer requests. */
    requested: 0,
    asking: () => vi.waitFor(() => expect(carrier.requests).toBe(1)),
    takes: () => answers.push(() => Response.json({ sid: sidOf(call), status: "in-progress" })),
    refuses: () => answers.push(() => Response.json(REFUSED, { status: 400 })),
    says: (status: number) => answers.push(() => new Response("", { status })),
  };
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const { host, pathname } = new URL(String(input));
    if (host !== "api.twilio.com" && host !== NEARBY) throw new TypeError(`nobody is to be asked but Twilio: ${host}`);
    if (!pathname.includes(sidOf(call))) return new Response("", { status: 404 });
    if (init?.method !== "POST") return Response.json({ sid: sidOf(call), status: carrier.status });
    carrier.requests++;
    carrier.requested++;
    // Polls, because an object cannot await a promise of the test.
    for (;;) {
      const answer = answers.shift();
      if (answer) {
        carrier.requests--;
        return answer();
      }
      await scheduler.wait(5);
    }
  });
  return carrier;
}

/** Creates a call at Twilio whose agent may transfer to two numbers. */
async function atTwilio(): Promise<RuntimeSession> {
  // The agent's voice speaks before the transfer. Tests do not wait for it.
  conversationTime()();
  const call = await greetedSession({
    transfer_targets: [
      { label: "Front desk", number: TARGET },
      { label: "Billing", number: OTHER },
    ],
  });
  const credentials = { account_sid: "AC1", auth_token: "s" };
  const created = await call.server.post<{ id: string }>("/api/v1/telephony/providers", {
    provider: "twilio",
    credentials,
  });
  await onLedger(
    call.account,
    `UPDATE calls SET provider = 'twilio', provider_call_id = ?, status = 'in-progress', connected_at = created_at,
       credentials_id = ? WHERE id = ?`,
    sidOf(call),
    created.body.id,
    call.call_id,
  );
  await livesWith(call, call.call_id, { TWILIO_API_URL: `http://${NEARBY}` });
  return call;
}

/** Creates a call whose caller has asked for a person while the carrier is being asked. */
async function askingForAPerson() {
  const call = await atTwilio();
  const socket = await connected(call);
  const carrier = twilio(call);
  await ask(socket, PERSON);
  await carrier.asking();
  return { call, socket, carrier };
}

const transcriptOf = async ({ server }: RuntimeSession, id: string) =>
  (await server.get<string>(`/api/v1/conversations/${id}/transcript`)).body;
const metadataOf = async ({ server, call_id }: RuntimeSession) =>
  (await server.get<{ metadata: object }>(`/api/v1/calls/${call_id}`)).body.metadata;
const toolsOf = async (call: RuntimeSession) =>
  (await recordOf(call)).turns.flatMap(({ tool_call }) => (tool_call ? [[tool_call.name, tool_call.ok]] : []));
const isLive = async (call: RuntimeSession) => expect(await recordOf(call)).toMatchObject({ status: "live" });
const HANDED_OVER = { end_reason: "transferred", transferred_to: TARGET };

/** Closes the carrier's socket, as after a hang-up or a transfer. */
async function carrierLeaves(call: RuntimeSession, socket: RuntimeSocket): Promise<void> {
  socket.close(1000);
  await vi.waitFor(async () => {
    const lost = await runInDurableObject(objectOf(call, call.call_id) as unknown as DurableObjectStub, (_, state) =>
      state.storage.sql.exec<{ lost_at: number | null }>("SELECT lost_at FROM conversation").one(),
    );
    expect(lost.lost_at).not.toBeNull();
  });
}

describe("a caller who asks the agent for a transfer", () => {
  it("a transfer's number is recorded in the list, the turns, the call and the transcript", async () => {
    const { call, socket, carrier } = await askingForAPerson();
    carrier.takes();
    await socket.until(isEnd);
    const over = await recordOnce(call, ({ complete }) => complete);
    expect(over).toMatchObject(HANDED_OVER);
    expect(await toolsOf(call)).toEqual([["transfer_call", true]]);
    expect((await transcriptOf(call, over.id)).trimEnd()).toMatch(
      /\nEnded: transferred\n(.*\n)*\[00:\d\d\] Transferred to \+12025550177$/,
    );
    await vi.waitFor(async () => expect(await listed(call)).toMatchObject([HANDED_OVER]));
    await vi.waitFor(async () => expect(await metadataOf(call)).toMatchObject({ transferred_to: TARGET }));
    expect((await call.server.get(`/api/v1/calls/${call.call_id}`)).body).toMatchObject({
      status: "in-progress",
      ended_at: null,
    });
  });

  it("counts as transferred if the carrier closes the socket and then accepts the transfer", async () => {
    const { call, socket, carrier } = await askingForAPerson();
    await carrierLeaves(call, socket);
    await isLive(call);
    carrier.takes();
    expect(await recordOnce(call, hasEnded)).toMatchObject(HANDED_OVER);
    expect(await toolsOf(call)).toEqual([["transfer_call", true]]);
  });

  it("counts as having hung up if the carrier closes the socket and then refuses the transfer", async () => {
    const { call, socket, carrier } = await askingForAPerson();
    await carrierLeaves(call, socket);
    carrier.status = "completed";
    carrier.refuses();
    const over = await recordOnce(call, hasEnded);
    expect(over).toMatchObject({ end_reason: "caller_hung_up", transferred_to: null });
    expect(await transcriptOf(call, over.id)).not.toContain("Transferred");
  });

  it("counts as transferred if the call is reported as ended before the carrier accepts the transfer", async () => {
    const { call, carrier } = await askingForAPerson();
    await objectOf(call, call.call_id).callEnded();
    await isLive(call);
    carrier.takes();
    expect(await recordOnce(call, hasEnded)).toMatchObject(HANDED_OVER);
  });

  it("the end of a transferred call changes nothing in the recorded transfer", async () => {
    const { call, socket, carrier } = await askingForAPerson();
    carrier.takes();
    await socket.until(isEnd);
    await recordOnce(call, ({ complete }) => complete);
    const object = objectOf(call, call.call_id);
    const archived = () =>
      runInDurableObject(object as unknown as DurableObjectStub, (_, state) =>
        state.storage.sql.exec<{ archived: number }>("SELECT archived FROM conversation").one(),
      );
    await vi.waitFor(async () => expect(await archived()).toEqual({ archived: 1 }));
    await object.callEnded();
    expect(await archived()).toEqual({ archived: 1 });
    expect(await recordOf(call)).toMatchObject(HANDED_OVER);
  });

  it("a caller is transferred even after saying something meanwhile", async () => {
    const { call, socket, carrier } = await askingForAPerson();
    socket.send(prompt(QUESTION));
    await socket.until(isLast);
    carrier.takes();
    expect(await recordOnce(call, hasEnded)).toMatchObject(HANDED_OVER);
  });

  it("hears that the carrier refused, and the conversation continues", async () => {
    const { call, socket, carrier } = await askingForAPerson();
    carrier.refuses();
    await socket.until(isLast);
    expect(await toolsOf(call)).toContainEqual(["transfer_call", false]);
    expect(await ask(socket, QUESTION)).not.toBe("");
    expect(await recordOf(call)).toMatchObject({ status: "live", transferred_to: null });
    socket.close(1000);
    expect(await recordOnce(call, hasEnded)).toMatchObject({ end_reason: "caller_hung_up", transferred_to: null });
  });

  it.each([
    ["in-progress", HANDED_OVER],
    ["completed", { end_reason: "caller_hung_up", transferred_to: null }],
  ])(
    "an agent's transfer without an answer from the carrier is resolved by the call being %s when the socket closes",
    async (status, found) => {
      const { call, socket, carrier } = await askingForAPerson();
      carrier.says(503);
      await socket.until(isLast);
      await isLive(call);
      carrier.status = status;
      socket.close(1000);
      expect(await recordOnce(call, hasEnded)).toMatchObject(found);
    },
  );

  it("a transfer is resolved if the process died during the request to the carrier", async () => {
    const { call } = await askingForAPerson();
    const object = objectOf(call, call.call_id) as unknown as DurableObjectStub;
    await runInDurableObject(object, (_, state) => state.abort("killed")).catch(() => {});
    await isLive(call);
    advanceClock(LOST_MS + 1_000);
    await wake(call, call.call_id);
    expect(await recordOnce(call, hasEnded)).toMatchObject(HANDED_OVER);
  });

  it("a caller who asks again after a transfer without a known outcome is transferred", async () => {
    const { call, socket, carrier } = await askingForAPerson();
    carrier.says(503);
    await socket.until(isLast);
    await ask(socket, PERSON);
    await carrier.asking();
    carrier.takes();
    expect(await recordOnce(call, hasEnded)).toMatchObject(HANDED_OVER);
  });

  it("the agent is recorded as the one who ended the call if it says goodbye after a transfer without a known outcome", async () => {
    const { call, socket, carrier } = await askingForAPerson();
    carrier.says(503);
    await socket.until(isLast);
    socket.send(prompt("Okay, goodbye!"));
    await socket.until(isEnd);
    expect(await recordOnce(call, hasEnded)).toMatchObject({ end_reason: "agent_ended", transferred_to: null });
  });
});

describe("a caller who is transferred by the account's own runtime", () => {
  const transfer = ({ client }: RuntimeSession, to_number = TARGET) =>
    client.post("/api/runtime/v1/session/transfer", { to_number });
  const report = ({ client }: RuntimeSession, ...events: object[]) =>
    client.post("/api/runtime/v1/session/events", { events });
  const userTurn = (seq: number) => ({ seq, at: new Date().toISOString(), type: "user_turn", text: "Hello?" });
  const ended = (seq: number, reason: string) => ({ seq, at: new Date().toISOString(), type: "ended", reason });

  async function holding() {
    const call = await atTwilio();
    await report(call, userTurn(1));
    return { call, carrier: twilio(call) };
  }

  it("late reports about a transfer by the account's runtime are accepted without changing it", async () => {
    const { call, carrier } = await holding();
    const answer = transfer(call);
    await carrier.asking();
    carrier.takes();
    expect(await answer).toMatchObject({ status: 200, body: { to_number: TARGET } });
    expect(await recordOf(call)).toMatchObject({ status: "ended", complete: false, ...HANDED_OVER });
    expect((await report(call, userTurn(2), ended(3, "caller_hung_up"))).status).toBe(200);
    const over = await recordOnce(call, ({ complete }) => complete);
    expect(over).toMatchObject({ turn_count: 2, ...HANDED_OVER });
    advanceClock(61_000);
    expect((await report(call, userTurn(4))).code).toBe("session_ended");
    expect((await transfer(call)).code).toBe("session_ended");
  });

  it.each(["caller_hung_up", "transferred"])(
    "a transfer is recorded even if the runtime reports «%s» before the carrier answers",
    async (reason) => {
      const { call, carrier } = await holding();
      const answer = transfer(call);
      await carrier.asking();
      expect((await report(call, ended(2, reason))).status).toBe(200);
      const { id } = await recordOnce(call, ({ complete }) => complete);
      // The conversation had already been archived.
      await vi.waitFor(async () => expect(await leftOf(call, id)).toEqual({ file: true, row: true }));
      carrier.takes();
      expect((await answer).status).toBe(200);
      await vi.waitFor(async () => expect(await listed(call)).toMatchObject([HANDED_OVER]));
      expect(await recordOf(call)).toMatchObject({ complete: true, ...HANDED_OVER });
      advanceClock(61_000);
      await wake(call, call.call_id);
      vi.useRealTimers();
      expect(await recordOf(call)).toMatchObject(HANDED_OVER);
    },
  );

  it.each([
    ["in-progress", HANDED_OVER],
    ["completed", { end_reason: "caller_hung_up", transferred_to: null }],
  ])(
    "a runtime's transfer without an answer from the carrier is resolved by the call being %s",
    async (status, found) => {
      const { call, carrier } = await holding();
      const answer = transfer(call);
      await carrier.asking();
      carrier.says(503);
      expect(await answer).toMatchObject({ status: 500, code: "carrier_unknown" });
      carrier.status = status;
      expect((await report(call, ended(2, "caller_hung_up"))).status).toBe(200);
      expect(await recordOnce(call, hasEnded)).toMatchObject(found);
    },
  );

  it("a runtime can transfer a caller once, to one number", async () => {
    const { call, carrier } = await holding();
    const first = transfer(call);
    await carrier.asking();
    const again = transfer(call);
    expect(await transfer(call, OTHER)).toMatchObject({ status: 409, code: "transfer_under_way" });
    carrier.takes();
    expect([(await first).status, (await again).status]).toEqual([200, 200]);
    expect((await transfer(call)).status).toBe(200);
    expect(await transfer(call, OTHER)).toMatchObject({ status: 409, code: "already_transferred" });
    expect(carrier.requests).toBe(0);
    const hangup = await call.client.post("/api/runtime/v1/session/hangup");
    expect([hangup.status, hangup.code]).toEqual([409, "already_transferred"]);
    expect(carrier.requests).toBe(0);
  });

  it("a runtime's repeated transfer is not requested again if the process died during the first request", async () => {
    const { call, carrier } = await holding();
    const first = transfer(call).catch(() => {});
    await carrier.asking();
    const object = objectOf(call, call.call_id) as unknown as DurableObjectStub;
    await runInDurableObject(object, (_, state) => state.abort("killed")).catch(() => {});
    await first;
    expect(await transfer(call)).toMatchObject({ status: 500, code: "carrier_unknown" });
    expect(await transfer(call, OTHER)).toMatchObject({ status: 500, code: "carrier_unknown" });
    expect(carrier.requested).toBe(1);
    expect((await report(call, ended(2, "caller_hung_up"))).status).toBe(200);
    expect(await recordOnce(call, hasEnded)).toMatchObject(HANDED_OVER);
  });

  it("a runtime's transfer is requested once even if the process dies at each other call", async () => {
    const { call, carrier } = await holding();
    vi.spyOn(console, "error").mockImplementation(() => {});
    const object = objectOf(call, call.call_id) as unknown as DurableObjectStub;
    // The object gets its common bindings again.
    await evict(object);
    const process = await mortal(object, { methods: ["transfer"] });
    carrier.takes();
    let answer = await transfer(call);
    for (let life = 1; (await process.hasDied()) && life < MOST_LIVES; life++) {
      await process.restart();
      answer = await transfer(call);
    }
    expect([...process.deaths].join()).toContain("leaseTransfer");
    expect([answer.status, carrier.requested]).toEqual([200, 1]);
    expect(await recordOnce(call, hasEnded)).toMatchObject(HANDED_OVER);
  });

  it("can be transferred to another number after the carrier refused", async () => {
    const { call, carrier } = await holding();
    const answer = transfer(call);
    await carrier.asking();
    carrier.refuses();
    expect(await answer).toMatchObject({ status: 500, code: "carrier_rejected" });
    expect(await recordOf(call)).toMatchObject({ status: "live", transferred_to: null });
    const other = transfer(call, OTHER);
    await carrier.asking();
    carrier.takes();
    expect((await other).status).toBe(200);
    expect(await recordOf(call)).toMatchObject({ end_reason: "transferred", transferred_to: OTHER });
  });

  it("a transferred caller's conversation stays deleted if it was deleted meanwhile", async () => {
    const { call, carrier } = await holding();
    const { id } = await recordOf(call);
    const answer = transfer(call);
    await carrier.asking();
    expect((await call.server.delete(`/api/v1/conversations/${id}`)).status).toBe(204);
    carrier.takes();
    await answer;
    expect((await call.server.get(`/api/v1/conversations/${id}`)).status).toBe(404);
    expect(await objectOf(call, call.call_id).whereCallerIs()).toBe("over");
    await openRuntime(call.session_token).then(({ closed }) => closed);
  });
});
