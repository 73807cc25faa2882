import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { call, tenant } from "../../support/client.ts";
import {
  type Call,
  type Calls,
  getCall,
  isOver,
  running,
  sandboxOf,
  setCaps,
  settled,
  slowly,
} from "../calls/support.ts";
import { answering, NUMBER } from "./support.ts";

const PATH = "/api/v1/sandbox/calls";
type Who = Awaited<ReturnType<typeof answering>>;
const ringUp = ({ server }: Pick<Who, "server">, body: Record<string, unknown> = {}) =>
  server.post<Call>(PATH, { to_number: NUMBER, ...body });
const talkOf = (who: Who, callId: string) =>
  runInDurableObject(sandboxOf(who), (_, { storage }) => {
    const { talk } = storage.sql.exec<{ talk: string }>("SELECT talk FROM calls WHERE call_id = ?", callId).one();
    return JSON.parse(talk);
  });

describe("inbound calls of the sandbox", () => {
  it("a simulated inbound call behaves like any inbound call until its end", async () => {
    const who = await answering();
    const answer = await ringUp(who);
    const { account, agent_id } = who;
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        call_id: expect.any(String),
        status: "in-progress",
        agent_id,
        from_number: "+12025550199",
        to_number: NUMBER,
        provider: "sandbox",
        provider_call_id: expect.any(String),
        created_at: expect.any(String),
        recorded: false,
        variables: {},
        metadata: {},
      },
    ]);
    const over = await settled(who.server, answer.body.call_id, isOver);
    expect(over).toMatchObject({
      direction: "inbound",
      status: "completed",
      from_number: "+12025550199",
      created_at: answer.body.created_at,
      provider_call_id: answer.body.provider_call_id,
    });
    expect(await running(who.server)).toBe(0);
    expect(await sandboxOf({ account }).look(answer.body.call_id)).toMatchObject({ status: "completed" });
  });

  it("a simulated inbound call has the given caller", async () => {
    const who = await answering();
    await slowly(who, { SANDBOX_RING_MS: "0" });
    const { call_id } = (await ringUp(who, { from_number: "+4930123456" })).body;
    expect(await getCall(who.server, call_id)).toMatchObject({ from_number: "+4930123456", status: "in-progress" });
    expect(await running(who.server)).toBe(1);
    await who.server.post(`/api/v1/calls/${call_id}/hangup`);
    expect(await settled(who.server, call_id, isOver)).toMatchObject({ end_reason: "hangup" });
  });

  it("a simulated inbound call passes on the caller's lines, even an empty list", async () => {
    const who = await answering();
    await slowly(who, { SANDBOX_CONVERSATION: "on" });
    for (const says of [["Hello", "When are you open?"], []]) {
      const { call_id } = (await ringUp(who, { says, from_number: "+13035550101" })).body;
      expect(await talkOf(who, call_id)).toMatchObject({ says, direction: "inbound", own_number: NUMBER });
    }
    const { call_id } = (await ringUp(who)).body;
    expect(await talkOf(who, call_id)).toMatchObject({ says: null });
  });
});

describe("invalid requests to simulate an inbound call", () => {
  it("simulating a call answers 404 for an unknown number or 400 for one of another carrier", async () => {
    const who = await answering();
    expect((await ringUp(who, { to_number: "+12025550111" })).code).toBe("not_found");
    const credentials = { account_sid: "AC1", auth_token: "x" };
    const provider = await who.server.post<{ id: string }>("/api/v1/telephony/providers", {
      provider: "twilio",
      credentials,
    });
    const elsewhere = { e164: "+12025550122", provider: "twilio", credentials_id: provider.body.id };
    expect((await who.server.post("/api/v1/telephony/numbers", elsewhere)).status).toBe(201);
    const answer = await ringUp(who, { to_number: "+12025550122" });
    expect([answer.status, answer.code]).toEqual([400, "not_a_sandbox_number"]);
  });

  it("simulating a call answers 400 for an invalid number or too many or too long lines", async () => {
    const who = await answering();
    for (const body of [
      { to_number: "12" },
      { from_number: "me" },
      { says: "Hello" },
      { says: [""] },
      { says: ["x".repeat(1001)] },
      { says: Array.from({ length: 51 }, () => "Hello") },
    ])
      expect((await ringUp(who, body)).status, JSON.stringify(body)).toBe(400);
    expect((await who.server.get<Calls>("/api/v1/calls")).body.total).toBe(0);
  });

  it("simulating a call answers 409 with the reason if no agent would answer", async () => {
    const who = await answering();
    await who.server.patch(`/api/v1/agents/${who.agent_id}`, { status: "archived" });
    const archived = await ringUp(who);
    expect([archived.status, archived.code]).toEqual([409, "no_agent"]);
    await who.server.patch(`/api/v1/agents/${who.agent_id}`, { status: "active" });
    expect((await ringUp(who, { from_number: "+13035550104" })).code).toBe("not_connected");
    await who.server.delete(`/api/v1/telephony/numbers/${who.number_id}`);
    const closed = { e164: NUMBER, provider: "sandbox", agent_id: who.agent_id, inbound_enabled: false };
    await who.server.post("/api/v1/telephony/numbers", closed);
    expect((await ringUp(who)).code).toBe("inbound_disabled");
    expect(await running(who.server)).toBe(0);
  });

  it("simulating a call at a cap answers 429 naming the cap", async () => {
    const who = await answering();
    await slowly(who);
    await setCaps(who.account, { concurrent_calls: 1 });
    expect((await ringUp(who)).status).toBe(200);
    const answer = await ringUp(who);
    expect([answer.status, answer.code]).toEqual([429, "concurrent_calls_cap"]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("the security of simulated inbound calls", () => {
  it("simulating a call requires a key of the number's account", async () => {
    const [who, stranger] = [await answering(), await tenant()];
    expect((await call("POST", PATH, { body: { to_number: NUMBER } })).status).toBe(401);
    expect((await ringUp(stranger)).code).toBe("not_found");
    expect((await who.server.get<Calls>("/api/v1/calls")).body.total).toBe(0);
  });

  it("simulating a call never returns the session's token", async () => {
    const who = await answering();
    expect(JSON.stringify((await ringUp(who)).body)).not.toMatch(/eyJ/);
  });
});
