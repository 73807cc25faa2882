import { afterEach, describe, expect, it, vi } from "vitest";
import { caller, originate, setTargets, settled, slowly } from "../../phone/calls/support.ts";
import { breakD1, repair } from "../../support/broken-d1.ts";
import { Client } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";
import { evict } from "../../support/evict.ts";
import { openRuntime, type RuntimeSession } from "../../support/runtime.ts";
import {
  advanceClock,
  greetedSession,
  hasEnded,
  listed,
  objectOf,
  recordOf,
  recordOnce,
  running,
  wake,
} from "./conversing.ts";
import { ended, numbered, report, words } from "./reporting.ts";
import { callToken, carrierToken } from "./support.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("the session", () => {
  it("a session is frozen at the first request, which costs one hop", async () => {
    const session = await greetedSession();
    const path = "/api/runtime/v1/session";
    const counted = await countRoundTrips(path, session.client.headers);
    expect([counted.status, counted.objects, counted.d1, counted.replica]).toEqual([200, 1, 0, 0]);
    await session.server.patch(`/api/v1/agents/${session.agent_id}`, { name: "Other", greeting_message: "Changed" });
    await evict(objectOf(session, session.call_id));
    const again = await countRoundTrips(path, session.client.headers);
    expect([again.body, again.objects]).toEqual([counted.body, 1]);
    const many = await Promise.all([1, 2, 3].map(() => session.client.get(path)));
    for (const { body } of many) expect(body).toEqual(counted.body);
    expect(await listed(session)).toHaveLength(1);
  });

  it("begins once if requested many times concurrently", async () => {
    const session = await greetedSession();
    const many = await Promise.all(
      [1, 2, 3, 4, 5].map(() => session.client.get<{ session_id: string }>("/api/runtime/v1/session")),
    );
    expect(new Set(many.map(({ body }) => body.session_id)).size).toBe(1);
    const { id } = await recordOf(session);
    expect(id).toBe(many[0]?.body.session_id);
  });
});

describe("an opt-out", () => {
  const blocked = async ({ server }: RuntimeSession) =>
    (await server.get<{ numbers: { phone_number: string }[] }>("/api/v1/do-not-call")).body.numbers.map(
      ({ phone_number }) => phone_number,
    );

  it("puts the number on the do-not-call list, also after the end", async () => {
    const session = await greetedSession();
    await report(session, words(1), ended(2));
    await report(session, numbered(3, { type: "opt_out" }));
    await vi.waitFor(async () => expect(await blocked(session)).toEqual(["+13035550106"]));
  });

  it("an opt-out is retried until the do-not-call list accepts it", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const session = await greetedSession();
    await breakD1(session.account, ["do_not_call"], ["INSERT"]);
    try {
      expect(await report(session, numbered(1, { type: "opt_out" }))).toBe(1);
      await wake(session, session.call_id).catch(() => {});
      await evict(objectOf(session, session.call_id));
      expect(await blocked(session)).toEqual([]);
    } finally {
      await repair();
    }
    await wake(session, session.call_id);
    expect(await blocked(session)).toEqual(["+13035550106"]);
    await wake(session, session.call_id);
    expect(await blocked(session)).toEqual(["+13035550106"]);
  });
});

describe("hanging up and handing over", () => {
  it("ends the call and the conversation, once", async () => {
    const session = await greetedSession();
    await report(session, words(1));
    for (let i = 0; i < 2; i++) expect((await session.client.post("/api/runtime/v1/session/hangup")).status).toBe(204);
    expect(await recordOnce(session, ({ status }) => status === "ended")).toMatchObject({ end_reason: "hangup" });
    expect((await session.server.get(`/api/v1/calls/${session.call_id}`)).body).toMatchObject({
      ended_at: expect.any(String),
    });
  });

  it("frees the call's slot and disconnects the runtime", async () => {
    const call = await onSandbox();
    expect(await running(call)).toBe(1);
    const socket = await openRuntime(call.session_token);
    await recordOf(call);
    expect((await call.client.post("/api/runtime/v1/session/hangup")).status).toBe(204);
    expect((await socket.closed).code).toBe(1000);
    expect(await recordOf(call)).toMatchObject({ status: "ended", end_reason: "hangup", complete: true });
    await vi.waitFor(async () => expect(await running(call)).toBe(0));
  });

  it("transfers the call if its carrier supports that, which ends the conversation", async () => {
    const call = await onSandbox();
    await setTargets(call, { Desk: "+13035550177" });
    const transfer = () => call.client.post("/api/runtime/v1/session/transfer", { to_number: "+13035550177" });
    const { status, body } = await transfer();
    expect([status, body]).toEqual([200, { to_number: "+13035550177" }]);
    expect(await recordOnce(call, hasEnded)).toMatchObject({
      end_reason: "transferred",
      transferred_to: "+13035550177",
    });
    // The caller's call and the leg of the transfer.
    expect(await running(call)).toBe(2);
    advanceClock(61_000);
    expect((await transfer()).code).toBe("session_ended");
    vi.useRealTimers();
    await call.server.post(`/api/v1/calls/${call.call_id}/hangup`);
    await vi.waitFor(async () => expect(await running(call)).toBe(0));
  });

  it("refuses an invalid number", async () => {
    const session = await greetedSession();
    for (const to_number of ["", "911", "+1", "+1 303 555 0110/11", 7, null])
      expect((await session.client.post("/api/runtime/v1/session/transfer", { to_number })).status).toBe(400);
  });
});

/** Creates the session of a sandbox call that continues until it is ended. */
async function onSandbox() {
  const who = await caller();
  await slowly(who, { SANDBOX_RING_MS: "5" });
  const { call_id } = (await originate(who, "+13035550111")).body;
  await settled(who.server, call_id, ({ status }) => status === "in-progress");
  const claims = { sub: call_id, account: who.account, agent_id: who.agent_id };
  const [session_token, runtime_token] = [await carrierToken(claims), await callToken(claims)];
  return { ...who, call_id, session_token, client: new Client({ authorization: `Bearer ${runtime_token}` }) };
}
