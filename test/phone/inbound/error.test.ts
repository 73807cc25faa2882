import { describe, expect, it } from "vitest";
import type { Client } from "../../support/client.ts";
import { type Calls, report, setCaps } from "../calls/support.ts";
import { answering, NUMBER, ring } from "./support.ts";

const callsOf = async (server: Client) => (await server.get<Calls>("/api/v1/calls")).body.total;

describe("inbound calls that are politely turned away", () => {
  it("a call to a number that the account does not have is turned away", async () => {
    const who = await answering();
    const answer = await ring(who, { to_number: "+12025550111" });
    expect([answer.status, answer.body]).toEqual([
      200,
      { action: "reject", sentence: "This number is not in service." },
    ]);
    expect(await callsOf(who.server)).toBe(0);
  });

  it("a call to a number that takes no calls is turned away", async () => {
    const who = await answering();
    await who.server.delete(`/api/v1/telephony/numbers/${who.number_id}`);
    const closed = { e164: NUMBER, provider: "sandbox", agent_id: who.agent_id, inbound_enabled: false };
    await who.server.post("/api/v1/telephony/numbers", closed);
    expect((await ring(who)).body).toMatchObject({ action: "reject", sentence: "This number does not take calls." });
  });

  it("a call without an active agent is turned away", async () => {
    const who = await answering();
    await who.server.patch(`/api/v1/agents/${who.agent_id}`, { status: "archived" });
    expect((await ring(who)).body).toMatchObject({ action: "reject" });
    await who.server.patch(`/api/v1/agents/${who.agent_id}`, { status: "active" });
    expect((await ring(who)).body).toMatchObject({ action: "connect" });
    await who.server.patch(`/api/v1/telephony/numbers/${who.number_id}`, { agent_id: null });
    expect((await ring(who)).body).toMatchObject({ action: "reject" });
    expect(await callsOf(who.server)).toBe(1);
  });

  it("a call beyond the account's caps is turned away until another ends", async () => {
    const who = await answering();
    await setCaps(who.account, { concurrent_calls: 1 });
    const { call_id } = (await ring(who, { provider_call_id: "in-0" })).body;
    expect((await ring(who)).body).toMatchObject({ sentence: expect.stringMatching(/^All lines are busy/) });
    expect(await callsOf(who.server)).toBe(1);
    await report(who, call_id, { status: "completed", provider_call_id: "in-0" });
    expect((await ring(who)).body).toMatchObject({ action: "connect" });
  });

  it("an announcement of a call that is already over is turned away", async () => {
    const who = await answering();
    const same = { provider_call_id: "in-1" };
    const { call_id } = (await ring(who, same)).body;
    await report(who, call_id, { status: "completed", provider_call_id: "in-1" });
    expect((await ring(who, same)).body).toMatchObject({ action: "reject" });
  });

  it("a signed request that is no call answers 400", async () => {
    const who = await answering();
    expect((await ring(who, { to_number: 7 })).code).toBe("unreadable_webhook");
  });
});
